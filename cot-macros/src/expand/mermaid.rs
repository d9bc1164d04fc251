//! Draws a process as a Mermaid flowchart.

use std::{collections::BTreeSet, fmt::Write};

use quote::ToTokens;
use syn::{Expr, ext::IdentExt};

use super::about::title;
use crate::model::{Model, Task};
use cot_syntax::{
    JoinValue, Piece, TaskKind, Template,
    code_text::{code_text, truncate},
};

/// Generates the flowchart.
///
/// A solid arrow is a choice of the model, a thick arrow a move after success, and a dotted arrow a return
/// or a route after a failure.
pub(super) fn chart(model: &Model<'_>) -> String {
    let mut chart = String::from("flowchart TD\n");
    let mut line = |text: String| {
        // Writing to a `String` can't fail.
        let _ = writeln!(chart, "    {text}");
    };
    model.tasks.iter().for_each(|task| line(node(task)));
    if !model.tasks.is_empty() {
        line(format!("start((start)) --> t{}", model.start));
    }
    let callers = callers(model);
    for (task, callers) in model.tasks.iter().zip(&callers) {
        edges(model, task, callers).into_iter().for_each(&mut line);
    }
    chart
}

/// Generates the node of a task, in the shape of its kind.
fn node(task: &Task<'_>) -> String {
    let name = task.name().unraw().to_string();
    let mut text = title(task).unwrap_or(name);
    if let Some(join) = task.syntax.items.join.as_ref().filter(|it| it.value != JoinValue::All) {
        text.push_str(&format!(" (join: {})", join.value.word()));
    }
    let (open, close) = task.kind.mermaid_brackets();
    format!("t{}{open}{}{close}", task.index, quoted(&text))
}

fn edges(model: &Model<'_>, task: &Task<'_>, callers: &BTreeSet<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut edge = |arrow: &str, words: &str, target: usize| {
        let words = if words.is_empty() { String::new() } else { format!("|{}|", quoted(words)) };
        lines.push(format!("t{} {arrow}{words} t{target}", task.index));
    };
    for way in &task.transitions {
        let label = way.syntax.label.as_ref().and_then(plain);
        let words = [label, condition(way.syntax.guard.as_ref())];
        edge("-->", &words.into_iter().flatten().collect::<Vec<_>>().join(" "), way.target);
    }
    task.branches.iter().for_each(|way| edge("==>", "branch", way.target));
    for way in task.next.iter().filter(|_| task.kind != TaskKind::Parallel) {
        edge("==>", &condition(way.syntax.guard.as_ref()).unwrap_or_default(), way.target);
    }
    task.choices.iter().for_each(|way| edge("==>", "", way.target));
    if let Some(next) = task.in_sequence.filter(|_| goes_on(task)) {
        edge("==>", "", next);
    }
    if returns(task) {
        match model.default_return {
            Some(hub) => edge("-.->", "", hub),
            None => callers.iter().for_each(|caller| edge("-.->", "", *caller)),
        }
    }
    task.on.iter().for_each(|way| edge("-.->", &way.syntax.when.to_string(), way.target));
    lines
}

/// Returns whether the task continues with its sequence if it is in one.
fn goes_on(task: &Task<'_>) -> bool {
    task.next.is_empty() && task.choices.is_empty() && task.can_succeed()
}

/// Returns whether the task returns to its caller after success.
fn returns(task: &Task<'_>) -> bool {
    goes_on(task) && task.in_sequence.is_none()
}

/// Returns the tasks to which each task can return.
fn callers(model: &Model<'_>) -> Vec<BTreeSet<usize>> {
    let count = model.tasks.len();
    let (mut called_by, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for task in &model.tasks {
        task.transitions.iter().for_each(|way| called_by[way.target].push(task.index));
        moves(task).for_each(|next| before[next].push(task.index));
    }
    let callers = model.tasks.iter().map(|task| {
        let mut callers = BTreeSet::new();
        if model.default_return.is_some() || !returns(task) {
            return callers;
        }
        let mut found = BTreeSet::from([task.index]);
        let mut open = vec![task.index];
        while let Some(task) = open.pop() {
            callers.extend(&called_by[task]);
            open.extend(before[task].iter().filter(|&&before| found.insert(before)));
        }
        callers
    });
    callers.collect()
}

/// Returns the tasks to which a task leads without a transition.
fn moves<'m>(task: &'m Task<'_>) -> impl Iterator<Item = usize> + 'm {
    let next = task.next.iter().map(|way| way.target);
    let choices = task.choices.iter().map(|way| way.target);
    let branches = task.branches.iter().map(|way| way.target);
    let on = task.on.iter().map(|way| way.target);
    next.chain(choices).chain(branches).chain(on).chain(task.in_sequence)
}

/// Returns the text of a label without expressions.
fn plain(template: &Template) -> Option<String> {
    let Template::Text(text) = template else { return None };
    match &text.pieces[..] {
        [Piece::Text(text)] => Some(truncate(text, MAX_LABEL)),
        _ => None,
    }
}

fn condition(guard: Option<&Expr>) -> Option<String> {
    Some(format!("if {}", code_text(guard?.to_token_stream())))
}

/// The maximum length of the label of an edge.
const MAX_LABEL: usize = 60;

/// Quotes a text and escapes the special characters of Mermaid.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match character {
            '"' => quoted.push_str("#quot;"),
            '&' => quoted.push_str("#amp;"),
            '<' => quoted.push_str("#lt;"),
            '>' => quoted.push_str("#gt;"),
            '#' | '`' | '\\' => quoted.push_str(&format!("#{};", u32::from(character))),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use crate::model;
    use cot_syntax::diagnostics::Errors;

    fn chart(source: &str) -> String {
        let errors = Errors::new();
        let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
        let chart = super::chart(&model::build(&syntax, &errors));
        assert!(errors.is_empty());
        chart
    }

    #[test]
    fn every_kind_and_every_way_is_drawn() {
        let source = r##"process P {
            state: S, sequence s [scan, approve],
            task hub {
                title: "Say \"what\" <next> `#`",
                transitions: { scan: "Scan it" if state.a < 1, done: "${goal}", sub },
                on: { exhausted => failed, budget => failed },
            }
            task scan -> A { for_each: x in state.xs, prompt: "?" }
            task approve -> B { ask: "ok?", process_output: f -> [load, gate] }
            task load -> C { run: load, next: gate }
            task gate { next: { failed if output.x && goal.is_empty(), hub } }
            task sub { process: Q }
            task failed { fail: "no" }
            task done { end }
        }"##;
        let expected = r#"flowchart TD
    t0["Say #quot;what#quot; #lt;next#gt; #96;#35;#96;"]
    t1[/"scan"/]
    t2[/"approve"\]
    t3("load")
    t4{{"gate"}}
    t5[["sub"]]
    t6(["failed"])
    t7(["done"])
    start((start)) --> t0
    t0 -->|"Scan it if state.a #lt; 1"| t1
    t0 --> t7
    t0 --> t5
    t0 -.->|"exhausted"| t6
    t0 -.->|"budget"| t6
    t1 ==> t2
    t2 ==> t3
    t2 ==> t4
    t3 ==> t4
    t4 ==>|"if output.x #amp;#amp; goal.is_empty()"| t6
    t4 ==> t0
    t5 -.-> t0
"#;
        assert_eq!(chart(source), expected);
    }
}
