//! The rule about tools: none with an effect is called by a task that an untrusted value reaches.

use cot_syntax::{EffectValue, FoundRow, PathSegment, TaskKind, Tool, ToolWork};
use proc_macro2::Ident;
use syn::Member;

use super::{
    facts::{Fact, facts_in},
    finding::{Arguments, Condition, Finding},
    flow::Flow,
    path::path_to,
};
use crate::model::{Model, Task};

/// Finds the tools with an effect that a task can call while its model is shown untrusted values, or after the choice
/// of a model that was shown some.
pub(super) fn tools<'a>(model: &Model<'a>, flow: &Flow, task: &Task<'a>) -> Vec<Finding<'a>> {
    let mut facts = [Fact::Shown, Fact::Choice].into_iter();
    let Some(fact) = facts.find(|fact| flow.holds(task.index, *fact)) else { return Vec::new() };
    let used = task.tools.iter().map(|used| (&used.syntax.name, model.tools[used.tool]));
    let risky = used.filter(|(_, tool)| {
        EffectValue::is_possible(&tool.items.effect) && tool.items.approve.is_none()
    });
    let finding = |(used, tool): (&Ident, &'a Tool)| {
        let name = task.name();
        let (called, effect) = match &tool.work {
            ToolWork::Function { .. } => (format!("tool `{}`", tool.name), "has an effect"),
            ToolWork::Source(_) => (format!("the tools of `{}`", tool.name), "may have effects"),
        };
        let message = match fact {
            Fact::Choice => format!(
                "a model that is shown untrusted values decides whether task `{name}` calls {called}, which {effect}"
            ),
            _ => format!(
                "task `{name}` is shown untrusted values, and can call {called}, which {effect}"
            ),
        };
        // Calls of the program happen whenever the task is reached, whatever their arguments are.
        let happens = fact == Fact::Choice && task.kind == TaskKind::Calls;
        Finding {
            name: "untrusted_reaches_tool",
            span: used.span(),
            message,
            place: None,
            path: path_to(model, flow, task.index, fact, &called),
            help: help(tool, happens),
            task: Some(task.index),
            condition: arguments(model, flow, task, tool).filter(|_| !happens),
        }
    };
    risky.map(finding).collect()
}

/// Returns the arguments that decide whether the use of a tool is a finding: those that carry authority, and do not
/// have to stand in a trusted text.
fn arguments<'a>(
    model: &Model<'_>,
    flow: &Flow,
    task: &Task<'_>,
    tool: &'a Tool,
) -> Option<Condition<'a>> {
    let ToolWork::Function { path, .. } = &tool.work else { return None };
    let content = tool.items.content.iter().flat_map(|item| &item.value.0);
    let is_trusted = |row: &&FoundRow| {
        let facts = facts_in(model, None, &row.source);
        !facts.iter().any(|fact| flow.holds(task.index, *fact))
    };
    let found = tool.found_rows().iter().filter(is_trusted).filter_map(whole_argument);
    Some(Condition::Arguments(Arguments { function: path, closed: content.chain(found).collect() }))
}

/// Returns the argument all of whose values a row looks up.
fn whole_argument(row: &FoundRow) -> Option<&Ident> {
    let (first, rest) = row.member.segments.split_first()?;
    let is_all = rest.iter().all(|it| !matches!(it, PathSegment::Field { .. }));
    match first {
        PathSegment::Field { member: Member::Named(name), .. } if is_all => Some(name),
        _ => None,
    }
}

fn help(tool: &Tool, happens: bool) -> String {
    let reads = match tool.gives_untrusted() || happens {
        true => "write `effect: none` at the tool if it only reads",
        false => {
            "list the arguments that carry no authority, `content: [body]`, and make the others enums, or look them up in \
             a trusted text, `found_in: { payee: state.request }`; write `effect: none` if the tool only reads"
        }
    };
    format!("let a person approve each call, `approve: person`; {reads}")
}
