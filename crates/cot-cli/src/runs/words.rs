//! Formatting of values for display.

use std::{
    fmt::Write,
    time::{Duration, SystemTime},
};

use clap::builder::styling::{AnsiColor, Style};
use cot_engine::Failure;
use cot_model::Usage;
use cot_store::{EndKind, RunSummary, Status};

use crate::text::escape_hidden;

/// The meaning of exit status 1 for the commands that read or change runs.
pub(super) const STATUS_ONE: &str =
    "the run or step does not exist, or its state does not allow the operation";

/// Formats a text on one line, with hidden characters escaped.
pub(super) fn one_line(text: &str) -> String {
    let flat: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    escape_hidden(&flat)
}

/// Formats the start of a text on one line.
pub(super) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 160;
    let mut chars = text.chars();
    let mut start = one_line(&chars.by_ref().take(MAX_CHARS).collect::<String>());
    if chars.next().is_some() {
        start.push('…');
    }
    start
}

/// Formats whether a program drives a run.
pub(super) const fn driven(run: &RunSummary) -> &'static str {
    match (run.is_driven, &run.driver_error) {
        (true, _) => "yes",
        (false, None) => "no",
        (false, Some(_)) => "unknown",
    }
}

/// Formats a time in UTC, to the second.
pub(super) fn time(time: SystemTime) -> String {
    let mut text = String::new();
    if write!(text, "{}", humantime::format_rfc3339_seconds(time)).is_err() {
        // Times beyond the calendar occur only in damaged stores.
        "?".clone_into(&mut text);
    }
    text
}

/// Formats a duration, to the millisecond.
pub(super) fn elapsed(time: Duration) -> String {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    humantime::format_duration(Duration::from_millis(millis)).to_string()
}

/// Formats a cost; `-` if no price is known.
pub(super) fn cost(usage: &Usage) -> String {
    if usage.cost == 0.0 { "-".to_owned() } else { format!("{:.4}", usage.cost) }
}

/// Formats the usage of a run.
pub(super) fn usage(usage: &Usage) -> String {
    let Usage { calls, input_tokens, output_tokens, cost, .. } = usage;
    let mut text =
        format!("{}, {input_tokens} + {output_tokens} tokens", count(*calls, "call", "calls"));
    for (tokens, what) in [
        (usage.cached_tokens, "cached"),
        (usage.cache_write_tokens, "written to the cache"),
        (usage.reasoning_tokens, "of thoughts"),
    ] {
        if tokens > 0 {
            _ = write!(text, ", {tokens} {what}");
        }
    }
    if usage.uncounted_calls > 0 {
        _ = write!(text, ", those of {} unknown", count(usage.uncounted_calls, "call", "calls"));
    }
    if *cost != 0.0 {
        _ = write!(text, ", cost {cost:.4}");
    }
    text
}

/// Formats a number with its noun in the singular or plural.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats the kind of a failure.
pub(super) const fn failure(failure: Failure) -> &'static str {
    match failure {
        Failure::Rejected => "rejected",
        Failure::Truncated => "cut off",
        Failure::Refused => "refused",
        Failure::TimedOut => "timed out",
        Failure::Unreachable => "not reached",
        Failure::Interrupted => "interrupted",
        Failure::Unusable => "no usable result",
        _ => "failed",
    }
}

/// The style of a run that is set aside or to be cancelled.
pub(super) const SET_ASIDE: Style = AnsiColor::Red.on_default();

/// Returns the colour of a status.
pub(super) const fn style(status: &Status) -> Style {
    let color = match status {
        Status::Asking { .. } => AnsiColor::Yellow,
        Status::Ended { how: EndKind::End, .. } => AnsiColor::Green,
        Status::Ended { .. } => AnsiColor::Red,
        _ => AnsiColor::Cyan,
    };
    color.on_default()
}
