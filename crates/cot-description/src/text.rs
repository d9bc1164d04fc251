//! Writes a description as text.

use std::fmt::{self, Formatter};

use cot_engine::{Budget, internal::DEFAULT_MAX_RETRIES};
use cot_model::{ModelSettings, Stability};

use crate::{
    facts::{
        BoundsFacts, DescriptionFacts, Edge, EdgeRoute, ProcessFacts, SelectionFacts, TaskFacts,
        ToolFacts, TrustFacts,
    },
    layout::{Layout, SectionFacts},
};

/// Writes a process, its tasks, and its sub-processes.
pub(crate) fn write(description: &DescriptionFacts, f: &mut Formatter<'_>) -> fmt::Result {
    process(&description.root, description.root.name, f)?;
    for (key, sub_process) in &description.sub_processes {
        f.write_str("\n")?;
        process(sub_process, key, f)?;
    }
    Ok(())
}

fn process(process: &ProcessFacts, key: &str, f: &mut Formatter<'_>) -> fmt::Result {
    writeln!(f, "Process {key}")?;
    if process.description != process.name {
        writeln!(f, "{}", process.description)?;
    }
    f.write_str("\n")?;
    for (what, text) in process_settings(process) {
        writeln!(f, "{what}: {text}")?;
    }
    for item in &process.tools {
        writeln!(f, "Tool: {}", tool(item))?;
    }
    if let Some(trust) = &process.trust {
        write_trust(trust, f)?;
    }
    for (number, item) in process.tasks.iter().enumerate() {
        writeln!(f, "\n{}. {}", number + 1, headline(item))?;
        task(process, item, f)?;
    }
    Ok(())
}

/// Returns the settings of the process, with their labels.
fn process_settings(process: &ProcessFacts) -> Vec<(&'static str, String)> {
    let start = process.start.map(|start| ("Start", start.to_owned()));
    let hub = process.default_return.map(|hub| ("Default return", hub.to_owned()));
    let sequences = process.sequences.iter().map(|tasks| ("Sequence", tasks.join(" -> ")));
    let fixed = [
        ("Goal", goal(process).to_owned()),
        ("State", process.state.clone()),
        ("Limits", limits(process)),
        ("At most", at_most(process)),
        ("Retries", process.max_retries.unwrap_or(DEFAULT_MAX_RETRIES).to_string()),
        ("Models", engines(process.engines).unwrap_or_else(|| "the default of the run".into())),
        ("History", history(process)),
    ];
    let settings = settings(&process.settings).map(|settings| ("Settings", settings));
    fixed.into_iter().chain(settings).chain(start).chain(hub).chain(sequences).collect()
}

/// Writes which fields are marked, and which engines are shown them.
fn write_trust(trust: &TrustFacts, f: &mut Formatter<'_>) -> fmt::Result {
    let level = if trust.strict { "strict" } else { "warnings" };
    let marks = [("untrusted", trust.untrusted), ("private", trust.private)];
    let marks = marks.into_iter().filter(|(_, fields)| !fields.is_empty());
    let marks: Vec<_> = marks.map(|(mark, it)| format!("; {mark}: {}", it.join(", "))).collect();
    writeln!(f, "Trust: {level}{}", marks.join(""))?;
    for flow in &trust.flows {
        let engines = engines(flow.engines).unwrap_or_else(|| "the default of the run".to_owned());
        let shown = (!flow.shown.is_empty())
            .then(|| format!("shows {} to {engines}", flow.shown.join(", ")));
        let output = flow.untrusted.then(|| "what comes of it is untrusted".to_owned());
        let trusts = flow.trusts.map(|why| format!("trusted, since {why}"));
        let all: Vec<_> = [shown, output, trusts].into_iter().flatten().collect();
        writeln!(f, "  {}: {}", flow.task, all.join("; "))?;
    }
    Ok(())
}

const fn goal(process: &ProcessFacts) -> &'static str {
    match (process.goal.declared, process.goal.used) {
        (true, _) => "its own, unless a run has another",
        (false, true) => "given to each run",
        (false, false) => "none, unless a run has one",
    }
}

fn limits(process: &ProcessFacts) -> String {
    let steps = process.max_steps.map(|steps| format!("{steps} steps"));
    let default = process.bounds.default_steps;
    let default =
        default.map(|steps| format!("{steps} steps without an answer of a person (the default)"));
    let timeout = process.timeout_ms.map(duration);
    let budget = (process.budget != Budget::NONE).then(|| process.budget.to_string());
    let all: Vec<String> = [steps, default, timeout, budget].into_iter().flatten().collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// Returns what a run uses up at most, and why bounds are missing.
fn at_most(process: &ProcessFacts) -> String {
    let BoundsFacts { worst_case, unbounded, .. } = &process.bounds;
    match unbounded.is_empty() {
        true => worst_case.to_string(),
        false => format!("{worst_case} ({})", unbounded.join("; ")),
    }
}

fn history(process: &ProcessFacts) -> String {
    let entries = match (process.history.kept, process.history.max_items) {
        (false, _) => return "none".to_owned(),
        (true, None) => "all entries".to_owned(),
        (true, Some(max)) => format!("the last {max} entries"),
    };
    match process.history.tools {
        Some("names") => format!("{entries}, with the names of tools"),
        Some(_) => format!("{entries}, with the calls of tools"),
        None => entries,
    }
}

fn engines(engines: &[&str]) -> Option<String> {
    (!engines.is_empty()).then(|| engines.join(", else "))
}

/// Formats a duration in the largest unit that gives a whole number.
fn duration(milliseconds: u64) -> String {
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")];
    let unit = units.into_iter().find(|(size, _)| milliseconds.is_multiple_of(*size));
    match unit.filter(|_| milliseconds > 0) {
        Some((size, unit)) => format!("{}{unit}", milliseconds / size),
        None => format!("{milliseconds}ms"),
    }
}

fn headline(task: &TaskFacts) -> String {
    let title = (task.title != task.name).then(|| format!(": {}", task.title));
    format!("{}{} ({})", task.name, title.unwrap_or_default(), summary(task))
}

fn summary(task: &TaskFacts) -> String {
    let about = if task.kind.is_per_item { " about each item" } else { "" };
    match &task.process {
        Some(process) if task.kind.is_per_item => format!("runs {process} for each item"),
        Some(process) => format!("runs {process}"),
        None if task.reasons => format!("has a model think step by step{about}"),
        None => match task.reads {
            Some(reader) => format!("{}, and reads replies with `{reader}`", task.kind.summary),
            None => task.kind.summary.to_owned(),
        },
    }
}

fn task(process: &ProcessFacts, task: &TaskFacts, f: &mut Formatter<'_>) -> fmt::Result {
    if task.description != task.title {
        writeln!(f, "   {}", task.description)?;
    }
    if let Some(output) = &task.output {
        let name = output.name.as_deref().unwrap_or("a type of its own");
        let each = if task.kind.is_per_item { " for each item" } else { "" };
        writeln!(f, "   Output: {name}{each}")?;
    }
    let settings = task_settings(task);
    if !settings.is_empty() {
        writeln!(f, "   Settings: {}", settings.join(", "))?;
    }
    if let Some(layout) = &task.layout {
        write_layout(layout, f)?;
    }
    for edge in &task.edges {
        writeln!(f, "   -> {}", describe_edge(process, edge))?;
    }
    Ok(())
}

/// Describes a tool, or a source of tools.
fn tool(tool: &ToolFacts) -> String {
    let what = match tool.only {
        Some(SelectionFacts::Named(names)) => format!("{} of a source", names.join(", ")),
        Some(SelectionFacts::All(_)) => "all tools of a source".to_owned(),
        None => tool.description.to_owned(),
    };
    let settings = [
        tool.once.then(|| "called once".to_owned()),
        tool.approve.then(|| "approved by a person".to_owned()),
        tool.timeout_ms.map(|timeout| format!("at most {}", duration(timeout))),
        (tool.max_retries > 0).then(|| format!("retries {}", tool.max_retries)),
        tool.mock.then(|| "has a mock".to_owned()),
    ];
    let settings: Vec<String> = settings.into_iter().flatten().collect();
    match settings.is_empty() {
        true => format!("{}: {what}", tool.name),
        false => format!("{}: {what} ({})", tool.name, settings.join(", ")),
    }
}

/// Returns the tools of a task, with the maximum number of calls if there is one.
fn tools(task: &TaskFacts) -> Option<String> {
    let tools = (!task.tools.is_empty()).then(|| format!("tools {}", task.tools.join(" and ")))?;
    Some(match task.max_tool_calls {
        Some(max) => format!("{tools} in at most {max} calls"),
        None => tools,
    })
}

/// Returns the settings of a task.
fn task_settings(task: &TaskFacts) -> Vec<String> {
    let settings = [
        task.inputs.as_ref().map(|_| "takes inputs".to_owned()),
        task.wait_ms.map(|wait| format!("waits {} first", duration(wait))),
        task.timeout_ms.map(|timeout| format!("at most {}", duration(timeout))),
        task.max_retries.map(|retries| format!("retries {retries}")),
        engines(task.engines).map(|engines| format!("model {engines}")),
        settings(&task.settings),
        media(&task.media),
        tools(task),
        task.join.map(|join| format!("join: {join}")),
        task.max_concurrency.map(|items| format!("at most {items} at once")),
        task.max_items.map(|items| format!("at most {items} items")),
        task.collects_failures.then(|| "collects failed items".to_owned()),
        (!task.history).then(|| "no history".to_owned()),
        task.mock.then(|| "has a mock".to_owned()),
    ];
    settings.into_iter().flatten().collect()
}

/// Returns the settings of the model calls, those that are set.
fn settings(settings: &ModelSettings) -> Option<String> {
    let ModelSettings { temperature, top_p, max_tokens, stop, seed, effort, extra } = settings;
    let stop = (!stop.is_empty()).then(|| format!("stops at {stop:?}"));
    let extra = (!extra.is_empty()).then(|| {
        let names: Vec<&str> = extra.keys().map(String::as_str).collect();
        format!("extra {}", names.join(", "))
    });
    let texts = [
        temperature.map(|temperature| format!("temperature {temperature}")),
        top_p.map(|share| format!("top_p {share}")),
        max_tokens.map(|tokens| format!("at most {tokens} tokens")),
        stop,
        seed.map(|seed| format!("seed {seed}")),
        effort.map(|effort| format!("effort {effort}")),
        extra,
    ];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Writes the sections of the prompts of a task, with the bytes of their fixed text, and how stable they are.
fn write_layout(layout: &Layout, f: &mut Formatter<'_>) -> fmt::Result {
    let section = |section: &SectionFacts| {
        let SectionFacts { part, stability, fixed_bytes, .. } = section;
        match stability {
            Stability::Fixed => format!("{part} {fixed_bytes}"),
            stability => format!("{part} {fixed_bytes} ({stability})"),
        }
    };
    let sections: Vec<String> = layout.sections.iter().map(section).collect();
    writeln!(f, "   Layout: {}", sections.join(", "))?;
    let Layout { fixed, fixed_prefix, .. } = layout;
    writeln!(f, "   Fixed text: {fixed} bytes, {fixed_prefix} of them before the first value")
}

fn media(kinds: &[&str]) -> Option<String> {
    let kinds: Vec<String> = kinds.iter().map(|kind| format!("{kind}s")).collect();
    (!kinds.is_empty()).then(|| format!("shows {}", kinds.join(" and ")))
}

/// Describes a next task and when the run goes there.
fn describe_edge(process: &ProcessFacts, edge: &Edge) -> String {
    let Some(task) = edge.task else {
        return "the end of the run, when no task has called it".to_owned();
    };
    let title = process.title_of(edge).filter(|title| *title != task);
    let title = title.map(|title| format!(" \"{title}\"")).unwrap_or_default();
    format!("{task}{title}: {}", describe_route(edge))
}

fn describe_route(edge: &Edge) -> String {
    match (edge.route, edge.guard) {
        (EdgeRoute::Transition, false) => "if the model chooses it".to_owned(),
        (EdgeRoute::Transition, true) => {
            "if the model chooses it, while its guard allows it".to_owned()
        }
        (EdgeRoute::Choice, _) => "if `process_output` chooses it".to_owned(),
        (EdgeRoute::Branch, _) => "as a branch".to_owned(),
        (EdgeRoute::Join, _) => "where its branches join".to_owned(),
        (EdgeRoute::Next(_), true) => "if its guard allows it".to_owned(),
        (EdgeRoute::Next(0), false) => "next".to_owned(),
        (EdgeRoute::Next(_), false) => "otherwise".to_owned(),
        (EdgeRoute::Sequence, _) => "next in its sequence".to_owned(),
        (EdgeRoute::DefaultReturn, _) => "as the default return".to_owned(),
        (EdgeRoute::Return, _) => "when it was the calling task".to_owned(),
        (EdgeRoute::On(name), _) => format!("on {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_short() {
        let texts = [0, 1, 1000, 1500, 90_000, 600_000, 7_200_000, 172_800_000].map(duration);
        assert_eq!(texts, ["0ms", "1ms", "1s", "1500ms", "90s", "10m", "2h", "2d"]);
    }
}
