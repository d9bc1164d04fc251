//! An attempt of a step.

use cot_store::{Answer, AttemptHistory};
use maud::{Markup, html};

use super::{
    place::Place,
    prompt::prompt,
    reply::reply,
    text::{block, json},
};
use crate::frame::{
    number::usage,
    pill::{Tone, pill},
    text::shown,
    time::{relative, took},
};

/// An attempt with its prompt, its answer and its issues. `before` is the attempt before it.
pub(super) fn attempt(
    attempt: &AttemptHistory,
    before: Option<&AttemptHistory>,
    place: &Place<'_>,
) -> Markup {
    let class = if attempt.failure.is_some() { "attempt attempt-bad" } else { "attempt" };
    html! {
        article class=(class) aria-label=(format!("Attempt {}", attempt.number)) {
            (head(attempt, place))
            @if let Some(segments) = attempt.prompt.as_deref().filter(|segments| segments.bytes() > 0) {
                (prompt(segments, before.and_then(|before| before.prompt.as_deref()), &|part| place.whole(attempt, part)))
            }
            (answer(attempt, place))
            (check(attempt, place))
            @if !matches!(attempt.answer, Some(Answer::Replied { .. })) && !attempt.issues.is_empty() {
                ul.issues { @for issue in attempt.issues.iter().take(100) {
                    li { code { (shown(&issue.path)) } ": " (shown(&issue.message)) }
                } }
            }
        }
    }
}

fn head(attempt: &AttemptHistory, place: &Place<'_>) -> Markup {
    html! {
        div.row.attempt-head {
            @match (&attempt.failure, &attempt.answer) {
                (Some(failure), _) => (pill(Tone::Bad, &format!("attempt {} {}", attempt.number, failure.predicate()))),
                (None, Some(Answer::Failed(_) | Answer::TimedOut | Answer::Interrupted)) => {
                    (pill(Tone::Bad, &format!("attempt {}", attempt.number)))
                },
                (None, _) if attempt.number > 1 => (pill(Tone::Good, &format!("attempt {}", attempt.number))),
                (None, _) => {},
            }
            @if let Some(engine) = &attempt.engine { span.tag { (shown(engine)) } }
            @if let Some(marks) = &attempt.marks { span.tag { (shown(&marks.to_string())) } }
            @if let Some(Answer::Replied { finish, .. }) = &attempt.answer {
                @let word = finish_word(finish);
                @if word != "stop" { (pill(Tone::Waiting, &format!("finish: {word}"))) }
            }
            span.small.muted {
                @if attempt.usage.calls > 0 { (usage(&attempt.usage)) " · " }
                @if !attempt.elapsed.is_zero() { (took(attempt.elapsed)) " · " }
                @if let Some(at) = attempt.at { (relative(at, place.visit.now())) }
            }
        }
    }
}

/// Returns why the model stopped, as it is stored.
fn finish_word(finish: &cot_model::FinishReason) -> String {
    match serde_json::to_value(finish) {
        Ok(serde_json::Value::String(word)) => word.replace('_', " "),
        Ok(other) => other.to_string(),
        Err(_) => "unknown".to_owned(),
    }
}

fn answer(attempt: &AttemptHistory, place: &Place<'_>) -> Markup {
    html! {
        @match &attempt.answer {
            Some(Answer::Replied { text, tool_calls, .. }) => {
                (reply(text, attempt, &place.whole(attempt, "reply")))
                @for call in tool_calls {
                    p.small { "It called " code { (shown(&call.name)) } }
                    (block(&call.arguments, &place.whole(attempt, "calls")))
                }
            },
            Some(Answer::Answered(value)) => div { h4 { "Answer of a person" } (json(value, &place.whole(attempt, "result"))) },
            Some(Answer::Returned(value)) => div { h4 { "Result" } (json(value, &place.whole(attempt, "result"))) },
            Some(Answer::Failed(why)) => p.bad.wrap { "Failed: " (shown(why)) },
            Some(Answer::TimedOut) => p.bad { "No answer in time." },
            Some(Answer::Interrupted) => p.bad { "Interrupted, and not made again." },
            Some(_) | None => {},
        }
    }
}

fn check(attempt: &AttemptHistory, place: &Place<'_>) -> Markup {
    html! {
        @match &attempt.check {
            None => {},
            Some(Answer::Failed(why)) => p.bad.wrap { "The check failed: " (shown(why)) },
            Some(Answer::TimedOut) => p.bad { "The check did not answer in time." },
            Some(Answer::Returned(value)) if attempt.failure.is_none() || value.is_null() => {
                p.small.muted { "Checked." }
            },
            Some(Answer::Returned(value)) => details.fold { summary { "Result of the check" } div { (json(value, &place.whole(attempt, "check"))) } },
            Some(_) => {},
        }
    }
}
