pub(crate) process Declared {
    state: {
        /// What is wanted.
        input request: String,
        notes: Vec<String> = vec![],
        #[serde(default)]
        plan: Plan,
        log: Vec<String>,
    },
    intro: "${state.request} ${json(state)}",
    prompts: { planned: "${state.plan.title}" },

    task make -> Plan {
        prompt: "So far: ${json(state.plan?)}",
        update: { plan = output, plan.title = state.request, log = vec![] },
        next: { work with state.plan if state.plan.ready, make },
    }
    task work -> Note {
        inputs: Plan,
        prompt: "${part(planned)} ${inputs.title} ${format!(\"{}\", state.plan.title)}",
        update: { log[] = output.text, plan.notes["last"] = format!("{}", state.plan.title) },
        next: done,
    }
    task done { end }
}
