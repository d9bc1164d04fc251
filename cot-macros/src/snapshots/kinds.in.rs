/// Every kind of task.
pub process Kinds {
    state: crate::State,
    model: ["large", "small"],
    budget: { tokens: 1000, calls: 5, cost: 2.5 },
    mock_mode: false,

    task hub {
        wait: 5m,
        transitions: {
            load: "Load it" with Source { path: state.path } if state.ready,
            review with model,
            scan,
        },
        on: { exhausted => failed, budget => failed },
        mock: mock_hub,
    }
    task load -> Page {
        inputs: Source,
        run: fetch,
        max_retries: 3,
        update: { pages[] = output, path = inputs.path },
        next: { review with Note { text: output.text } if !output.text.is_empty(), scan },
    }
    task review -> Verdict {
        inputs: Note,
        ask: "Is this fine?\n${inputs.text}",
        check: fits,
        process_output: judge -> [load, sub],
    }
    task scan -> Found {
        for_each: page in state.pages,
        max_concurrency: 4,
        prompt: "Read ${page.text} of ${state.pages.len()}",
        full_prompt: "${part(goal)}\n${quoted(part(prompt))}",
        check: found_in,
        mock: mock_found,
        update: found,
        next: { sub if last_output.is_some(), done },
    }
    task sub { process: crate::Other with Start::of(goal), update: result, next: think }
    task think { reason: "Is ${state.path} right?", check: thought, next: twin }
    task twin { process: Other, next: done }
    task failed { fail: "no" }
    task done { end }
}
