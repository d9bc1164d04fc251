process Routes {
    state: crate::State,
    sequence main [first, second],
    max_steps: 30,
    timeout: 10m,

    task first -> Draft {
        update: draft?.text,
        timeout: 30s,
        temperature: 0.5,
    }
    task second -> Review {
        full_prompt: prompts::review,
        update: { reviews["last"] = output, notes[] = output.note },
        process_output: apply -> [fix, third],
        no_history,
    }
    task fix -> Draft { next: { second if output.text.len() > 3, gate } }
    task third -> Draft { next: gate }
    task gate { next: { failed if state.notes.is_empty(), done } }
    task failed { fail: "no notes after ${state.draft.len()} drafts" }
    task done { end }
}
