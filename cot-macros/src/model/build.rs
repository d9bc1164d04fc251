//! Builds the model of a process: resolves names and determines the kinds of tasks.

use std::collections::BTreeMap;

use cot_syntax::{ProcessOutput, Row, TaskItems, TaskKind, ToolWork, diagnostics::Errors};
use proc_macro2::Ident;
use syn::{Type, parse_quote_spanned};

use super::{
    kind,
    names::{self, TargetResolver, TaskNames},
    process::Model,
    state_writes::StateWrites,
    task::{Task, is_once},
    tools::{ResolvedTool, ToolNames},
};

/// Builds the model of a process and reports names that can't be resolver.
pub(crate) fn build<'a>(syntax: &'a cot_syntax::Process, errors: &Errors) -> Model<'a> {
    let items = &syntax.items;
    let mut names = TaskNames::default();
    let declared = names.declare(syntax, errors);
    let tools = ToolNames::from_process(syntax);
    let mut tasks: Vec<_> = declared
        .iter()
        .enumerate()
        .map(|(index, task)| build_task(index, task, &syntax.name, (&names, &tools), errors))
        .collect();
    let mut incomplete =
        syntax.invalid.may_include(&["task", "parallel", "start", "default_return", "sequence"]);
    let mut resolve_item = |name: &Ident| {
        let resolved = names.resolve(name, errors);
        incomplete |= resolved.is_none();
        resolved
    };
    let start = items.start.as_ref().and_then(|item| resolve_item(&item.value)).unwrap_or(0);
    let default_return = items.default_return.as_ref().and_then(|item| resolve_item(&item.value));
    names::link_sequences(&items.sequences, &names, &mut tasks, errors);
    let mut model = Model {
        syntax,
        tasks,
        start,
        default_return,
        tools: tools.tools,
        parts: names::distinct_parts(items.parts(), "prompt", errors),
        primers: names::distinct_parts(items.primer_parts(), "primer", errors),
        fields: BTreeMap::new(),
        writes: StateWrites::default(),
        incomplete,
    };
    model.writes =
        StateWrites::from_tasks(&model.tasks, model.state_fields(), model.mirror_limit().is_some());
    for (index, field) in model.state_fields().iter().enumerate() {
        model.fields.entry(field.name.to_string()).or_insert(index);
    }
    model
}

fn build_task<'a>(
    index: usize,
    syntax: &'a cot_syntax::Task,
    process: &Ident,
    (names, tools): (&TaskNames, &ToolNames<'a>),
    errors: &Errors,
) -> Task<'a> {
    let items = &syntax.items;
    let mut resolver = TargetResolver::new(names, index, errors);
    let transitions = items.transitions.as_ref().map_or(&[][..], |item| &item.value);
    let transitions = resolver.edges(transitions, |transition| &transition.target);
    let arms = items.next.as_ref().map_or(&[][..], |item| &item.value.arms);
    let next = resolver.edges(arms, |arm| &arm.target);
    let choices = resolver.edges(choices(items), |name| name);
    let routes = items.on.as_ref().map_or(&[][..], |item| &item.value);
    let on = resolver.routes(routes);
    let first = syntax.branches.as_ref().map_or(&[][..], |branches| &branches.first);
    let branches = resolver.edges(first, |name| name);
    let (kind, conflicting_kinds) = (kind::decide_kind(syntax), kind::conflicting_kinds(syntax));
    let tool_uses = tools.resolve(syntax, errors);
    let is_once = |used: &ResolvedTool<'_>| is_once(&tools.tools[used.tool].items.effect);
    let calls_once = tool_uses.iter().any(is_once);
    let is_source =
        |used: &ResolvedTool<'_>| matches!(tools.tools[used.tool].work, ToolWork::Source(_));
    let may_call_once = calls_once || tool_uses.iter().any(is_source);
    // These mistakes are reported by their own checks.
    let no_choices = items.process_output.as_ref().and_then(|item| item.value.choices.as_ref());
    let leads_nowhere = items.next.is_some() && arms.is_empty()
        || items.transitions.as_ref().is_some_and(|item| item.value.is_empty())
            && syntax.output.is_none()
        || no_choices.is_some_and(|names| names.0.is_empty());
    let endless = items.process.as_ref().is_some_and(|item| item.value.refers_to(process));
    let unsure = endless || leads_nowhere || conflicting_kinds.is_some_and(ends_and_continues);
    Task {
        index,
        variant: names::variant_name(&syntax.name),
        // A process that contains itself would be a cycle of constants.
        output: syntax.output.clone().or_else(|| reasoning(syntax, kind)),
        kind: if endless { TaskKind::Unknown } else { kind },
        conflicting_kinds,
        kind_is_uncertain: kind::is_uncertain(syntax),
        transitions,
        next,
        choices,
        on,
        branches,
        tools: tool_uses,
        calls_once,
        may_call_once,
        in_sequence: None,
        incomplete: resolver.incomplete || unsure || targets_are_invalid(syntax),
        syntax,
    }
}

/// Returns whether an invalid item would determine the kind of the task or its next task.
fn targets_are_invalid(task: &cot_syntax::Task) -> bool {
    let leads =
        |row: &&Row<TaskItems>| row.routes || row.decides.is_some_and(|kind| kind != TaskKind::Ai);
    let mut rows = TaskItems::TABLE.rows().iter().filter(leads);
    rows.any(|row| task.invalid.may_include(&[row.key]))
}

/// Returns the output type of a task that reasons.
fn reasoning(task: &cot_syntax::Task, kind: TaskKind) -> Option<Type> {
    let word = task.reason().filter(|_| kind.asks_model())?;
    Some(parse_quote_spanned!(word.span()=> ::cot_core::reasoning::Reasoning))
}

/// Returns whether a task is both a terminal and of a kind that continues. Items that are prompts are
/// ignored.
fn ends_and_continues(kinds: [(TaskKind, &Ident); 2]) -> bool {
    let goes_on = |(kind, key): &(TaskKind, &Ident)| {
        !kind.is_terminal() && !key.to_string().ends_with("prompt")
    };
    kinds.iter().any(|(kind, _)| kind.is_terminal()) && kinds.iter().any(goes_on)
}

fn choices(items: &TaskItems) -> &[Ident] {
    match items.process_output.as_ref().map(|item| &item.value) {
        Some(ProcessOutput { choices: Some(names), .. }) => &names.0,
        _ => &[],
    }
}
