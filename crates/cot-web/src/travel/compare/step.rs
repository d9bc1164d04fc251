//! One row of a comparison: a step of each run.

use cot_store::{Answer, AttemptHistory, StepHistory};
use maud::{Markup, html};
use serde_json::Value;

use super::align::Row;
use crate::{
    diff::{json_diff, word_diff},
    frame::{
        number::usage,
        pill::{Tone, pill},
        text::{block, json, shown},
        time::calls_took,
    },
};

/// What two steps of the same task differ in.
struct Differences {
    prompt: Option<(String, String)>,
    reply: Option<(String, String)>,
    output: Option<(Value, Value)>,
    route: Option<(String, String)>,
    attempts: Option<(usize, usize)>,
}

/// Renders a row. The first one that differs is open.
pub(super) fn row(row: Row<'_>, is_open: bool) -> Markup {
    match row {
        Row { a: Some(a), b: Some(b) } if a.task == b.task => both(a, b, is_open),
        Row { a, b } => html! {
            div.compare {
                div.side { @if let Some(a) = a { (single(a, "only in A")) } }
                div.side { @if let Some(b) = b { (single(b, "only in B")) } }
            }
        },
    }
}

/// Returns whether a row shows a difference.
pub(super) fn differs(row: &Row<'_>) -> bool {
    match row {
        Row { a: Some(a), b: Some(b) } => a.task != b.task || Differences::find(a, b).any(),
        _ => true,
    }
}

fn single(step: &StepHistory, what: &str) -> Markup {
    html! {
        details.fold {
            summary { (title(step)) " " (pill(Tone::Waiting, what)) }
            p { (usage(&step.usage())) " · " (calls_took(step)) }
            @if let Some(text) = reply(step) { h4 { "Reply" } (block(&text)) }
            @if let Some(output) = &step.output { h4 { "Output" } (json(output)) }
        }
    }
}

fn title(step: &StepHistory) -> Markup {
    html! { span.num { (step.step) } " " strong { (shown(&step.task)) } }
}

fn both(a: &StepHistory, b: &StepHistory, is_open: bool) -> Markup {
    let found = Differences::find(a, b);
    html! {
        details.fold open[is_open] {
            summary {
                (title(a)) " "
                span.pills {
                    @if !found.any() { (pill(Tone::Good, "the same")) }
                    @for word in found.words() { (pill(Tone::Waiting, word)) }
                }
            }
            div.stack {
                (facts(a, b))
                @if let Some((a, b)) = &found.route {
                    p { "Next: " del.diff-old { (shown(a)) } " " ins.diff-new { (shown(b)) } }
                }
                @if let Some((a, b)) = &found.output { section { h4 { "Output" } (json_diff(a, b)) } }
                @if let Some((a, b)) = &found.reply { section { h4 { "Reply" } (word_diff(a, b)) } }
                @if let Some((a, b)) = &found.prompt { section { h4 { "Prompt" } (word_diff(a, b)) } }
                @if !found.any() && let Some(output) = &a.output { (json(output)) }
            }
        }
    }
}

fn facts(a: &StepHistory, b: &StepHistory) -> Markup {
    html! {
        dl.facts {
            @for (name, step) in [("A", a), ("B", b)] {
                dt { (name) ", step " (step.step) }
                dd {
                    (usage(&step.usage())) " · " (calls_took(step))
                    @if step.attempts.len() > 1 { " · " (step.attempts.len()) " attempts" }
                }
            }
        }
    }
}

impl Differences {
    fn find(a: &StepHistory, b: &StepHistory) -> Self {
        let differing = |a: Option<String>, b: Option<String>| {
            (a != b).then(|| (a.unwrap_or_default(), b.unwrap_or_default()))
        };
        let output = (a.output != b.output)
            .then(|| (a.output.clone().unwrap_or_default(), b.output.clone().unwrap_or_default()));
        let attempts = (a.attempts.len(), b.attempts.len());
        Self {
            prompt: differing(prompt(a), prompt(b)),
            reply: differing(reply(a), reply(b)),
            output,
            route: differing(a.next.clone(), b.next.clone()),
            attempts: (attempts.0 != attempts.1).then_some(attempts),
        }
    }

    fn words(&self) -> impl Iterator<Item = &'static str> {
        let words = [
            (self.prompt.is_some(), "prompt"),
            (self.reply.is_some(), "reply"),
            (self.output.is_some(), "output"),
            (self.route.is_some(), "next task"),
            (self.attempts.is_some(), "number of attempts"),
        ];
        words.into_iter().filter(|(differs, _)| *differs).map(|(_, word)| word)
    }

    fn any(&self) -> bool {
        self.words().next().is_some()
    }
}

/// Returns the prompt of the last attempt that has one.
fn prompt(step: &StepHistory) -> Option<String> {
    let prompt = step.attempts.iter().rev().find_map(|attempt| attempt.prompt.as_ref())?;
    let mut text = String::new();
    let mut part = None;
    for segment in prompt.iter() {
        if part.replace(&segment.part).is_some_and(|part| *part != segment.part)
            && !text.ends_with('\n')
        {
            text.push_str("\n\n");
        }
        text.push_str(&segment.text);
    }
    Some(text)
}

/// Returns the result of the last attempt.
fn reply(step: &StepHistory) -> Option<String> {
    let AttemptHistory { answer, .. } = step.attempts.last()?;
    Some(match answer.as_ref()? {
        Answer::Replied { text, .. } => text.clone(),
        Answer::Answered(value) | Answer::Returned(value) => {
            serde_json::to_string_pretty(value).unwrap_or_default()
        }
        Answer::Failed(error) => error.clone(),
        Answer::TimedOut => "(timed out)".to_owned(),
        _ => "(interrupted)".to_owned(),
    })
}
