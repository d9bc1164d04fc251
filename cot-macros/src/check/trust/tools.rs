//! The rule about tools: none with an effect is called by a task that an untrusted value reaches.

use cot_syntax::{EffectValue, TaskKind, Tool, ToolWork};

use super::{
    facts::Fact,
    finding::{Arguments, Finding},
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
    let finding = |(used, tool): (&proc_macro2::Ident, &'a Tool)| {
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
            arguments: arguments(tool).filter(|_| !happens),
        }
    };
    risky.map(finding).collect()
}

/// Returns the arguments that decide whether the use of a tool is a finding.
fn arguments(tool: &Tool) -> Option<Arguments<'_>> {
    match &tool.work {
        ToolWork::Function { path, .. } => {
            let content = tool.items.content.iter().flat_map(|item| &item.value.0).collect();
            Some(Arguments { function: path, content })
        }
        ToolWork::Source(_) => None,
    }
}

fn help(tool: &Tool, happens: bool) -> String {
    let reads = match tool.gives_untrusted() || happens {
        true => "write `effect: none` at the tool if it only reads",
        false => {
            "list the arguments that carry no authority, `content: [body]`, and make the others enums; write \
             `effect: none` if the tool only reads"
        }
    };
    format!("let a person approve each call, `approve: person`; {reads}")
}
