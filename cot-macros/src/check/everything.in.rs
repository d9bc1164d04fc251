process Everything {
    state: {
        /// What is asked for.
        input request: String,
        #[serde(default)]
        fields: Vec<Field> = vec![],
        plan: Plan,
    },
    prompts: { example: "Step 1: ${goal}" },
    model: ["large", "small"],
    order: [prompt, output, intro, goal, history, transitions, errors],
    temperature: 0.2,
    stop: ["END", "STOP"],
    seed: 42,
    effort: medium,
    extra: { "top_k": 40, "nested": { "list": [1, "a", null] } },
    budget: { tokens: 100_000, calls: 50, cost: 2.5 },
    mock_mode: false,
    context: App,
    history: { max_items: 9, tools: names },
    max_tool_calls: 20,
    tools: {
        search_shop: shop::search "Searches the shop" { timeout: 5s, retry: { max: 1, backoff: 1s..2s } },
        pay: charge "Pays" { effect: once, approve: person, mock: paid } if state.plan?.is_some(),
        files: source app.files { only: [read, "list-dir"] } if !goal.is_empty(),
    },
    sequence steps [search, ask]
    start: decide,

    task decide {
        prompt: "${last_output.is_some()} ${state.plan?.is_some()}",
        full_prompt: "${part(intro)}${part(goal)}${part(history)}${part(errors)}${part(prompt)}
            ${part(transitions)}${part(output)}",
        transitions: {
            write: "Write ${state.fields.len()}" with Wish { name: goal.to_owned() } if state.fields.is_empty(),
            each with model if last_output.is_none(),
            search,
        },
        tools: [search_shop, pay if last_output.is_some(), files],
        max_tool_calls: 5,
        on: {
            exhausted => done, truncated => done, refused => done, timeout => done, budget => done,
            interrupted => done,
        },
    }
    task write -> Field {
        inputs: Wish,
        prompt: "${json(inputs)} ${image(inputs.photo)} ${document(inputs.papers.iter())}",
        found_in: { name: inputs.plan, parts[].words: state.request, size?.unit.0: inputs.plan },
        check: sound,
        mock: mocked,
        mock_mode: true,
        model: ["small"],
        wait: 5m,
        update: { fields[] = output, plan = inputs.plan },
        next: { write with Wish::of(&output, inputs) if inputs.more, decide },
    }
    task each -> Field {
        inputs: Vec<Field>,
        for_each: field in inputs.iter().chain(&state.fields),
        max_concurrency: 8,
        prompt: "Describe ${field.name} for ${inputs.len()}",
        errors_primer: "Wrong for ${field.name}:",
        temperature: 0.5,
        top_p: 1,
        max_tokens: 100,
        stop: ["."],
        seed: 0,
        effort: high,
        extra: {},
        update: fields,
        on: { budget => sub },
        next: { search if output.len() > 3, decide },
    }
    task search -> Field {
        run: find,
        max_retries: 2,
        timeout: 30s,
        no_history,
        process_output: apply,
        on: { exhausted => done, timeout => sub },
    }
    task ask -> Field {
        ask: "Which of ${list(&state.fields)}?",
        max_retries: 3,
        on: { exhausted => done, timeout => done },
        next: sub,
    }
    task sub {
        process: others::Other with start(state, goal),
        update: { plan = output.plan },
        on: { exhausted => done, timeout => done, budget => done },
        next: { failed with output.why if output.failed, think },
    }
    task think {
        reason: "What is missing?\n${part(example)}",
        examples: thoughts,
        turns: &state.plan.talk[1..],
        check: concludes,
        update: { plan = Plan::of(&output.steps, output.conclusion) },
        on: { exhausted => done, truncated => done, refused => done },
        next: { muse with output.steps if output.conclusion.is_none(), done },
    }
    task muse {
        inputs: Vec<Step>,
        for_each: step in inputs,
        turns: step.talk(inputs.len(), goal),
        examples: self::more_thoughts,
        reason: "Is this so? ${step.content}",
        process_output: muse_over,
        next: done,
    }
    task failed { inputs: String, fail: "because ${inputs}" }
    task done { end }
}
