//! How things are shown.

use std::{
    fmt::Write,
    time::{Duration, SystemTime},
};

use crate::text::visible;
use clap::builder::styling::{AnsiColor, Style};
use cot_core::{
    Failure, Usage,
    store::{Ended, RunSummary, Status},
};

/// What 1 means, where the runs of a store are read or changed.
pub(super) const ONE: &str = "there is no such run or step, or it can't be done as the runs stand";

/// A text on one line, in which nothing steers a terminal or is invisible.
pub(super) fn plain(text: &str) -> String {
    let one_line: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    visible(&one_line)
}

/// The beginning of a text, on one line.
pub(super) fn brief(text: &str) -> String {
    const MAX_CHARS: usize = 160;
    let mut chars = text.chars();
    let mut start = plain(&chars.by_ref().take(MAX_CHARS).collect::<String>());
    if chars.next().is_some() {
        start.push('…');
    }
    start
}

/// Whether a program drives a run.
pub(super) const fn driven(run: &RunSummary) -> &'static str {
    match (run.is_driven, &run.driver_error) {
        (true, _) => "yes",
        (false, None) => "no",
        (false, Some(_)) => "unknown",
    }
}

/// A time in UTC, to the second.
pub(super) fn time(time: SystemTime) -> String {
    let mut text = String::new();
    if write!(text, "{}", humantime::format_rfc3339_seconds(time)).is_err() {
        // Beyond the calendar: nothing that a store in order says.
        "?".clone_into(&mut text);
    }
    text
}

/// A length of time, to the millisecond.
pub(super) fn elapsed(time: Duration) -> String {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    humantime::format_duration(Duration::from_millis(millis)).to_string()
}

/// A cost; `-` where no price is known.
pub(super) fn cost(usage: &Usage) -> String {
    if usage.cost == 0.0 { "-".to_owned() } else { format!("{:.4}", usage.cost) }
}

/// What was consumed, in words.
pub(super) fn usage(usage: &Usage) -> String {
    let Usage { calls, input_tokens, output_tokens, cost } = usage;
    let mut text =
        format!("{}, {input_tokens} + {output_tokens} tokens", count(*calls, "call", "calls"));
    if *cost != 0.0 {
        _ = write!(text, ", cost {cost:.4}");
    }
    text
}

/// So many of something.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// In which way something failed.
pub(super) const fn failure(failure: Failure) -> &'static str {
    match failure {
        Failure::Rejected => "rejected",
        Failure::Truncated => "cut off",
        Failure::Refused => "refused",
        Failure::TimedOut => "timed out",
        Failure::Unreachable => "not reached",
        _ => "failed",
    }
}

/// The colour of a status.
pub(super) const fn style(status: &Status) -> Style {
    let color = match status {
        Status::Asking { .. } => AnsiColor::Yellow,
        Status::Ended { how: Ended::End, .. } => AnsiColor::Green,
        Status::Ended { .. } => AnsiColor::Red,
        _ => AnsiColor::Cyan,
    };
    color.on_default()
}
