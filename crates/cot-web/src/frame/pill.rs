//! Status pills: a word on a colour, never the colour alone.

use cot_store::{RunSummary, SetAside, Status};
use maud::{Markup, html};

use super::text::shown;

/// The meaning of a pill's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Nothing special.
    Plain,
    /// Being worked at.
    Active,
    /// Waits for a person.
    Waiting,
    /// Succeeded.
    Good,
    /// Failed.
    Bad,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Plain => "pill pill-plain",
            Self::Active => "pill pill-active",
            Self::Waiting => "pill pill-waiting",
            Self::Good => "pill pill-good",
            Self::Bad => "pill pill-bad",
        }
    }
}

/// A pill with a text.
pub(crate) fn pill(tone: Tone, text: &str) -> Markup {
    html! { span class=(tone.class()) { (shown(text)) } }
}

/// A pill with a text, and a longer one in its title.
pub(crate) fn pill_about(tone: Tone, text: &str, about: &str) -> Markup {
    html! { span class=(tone.class()) title=(shown(about)) { (shown(text)) } }
}

/// The status of a run in words: `asks a person` for `asking`.
pub(crate) const fn status_words(status: &Status) -> &'static str {
    word_in_words(status.word())
}

/// What a status word such as `ran_out` means.
pub(crate) const fn word_in_words(word: &str) -> &'static str {
    match word.as_bytes() {
        b"queued" => "queued",
        b"running" => "running",
        b"asking" => "asks a person",
        b"sleeping" => "sleeping",
        b"end" => "succeeded",
        b"fail" => "failed",
        b"ran_out" => "ran out of tasks",
        b"halted" => "halted",
        _ => "unknown",
    }
}

/// The tone of a status word.
pub(crate) const fn tone(word: &str) -> Tone {
    match word.as_bytes() {
        b"running" => Tone::Active,
        b"asking" => Tone::Waiting,
        b"end" => Tone::Good,
        b"fail" | b"ran_out" | b"halted" => Tone::Bad,
        _ => Tone::Plain,
    }
}

/// The pills of a run: its status; whether it was answered or is set aside; whether a program drives it.
pub(crate) fn status_pills(run: &RunSummary) -> Markup {
    let status = &run.status;
    let why = match status {
        Status::Ended { why, .. } => why,
        _ => "",
    };
    html! {
        span.pills {
            @if why.is_empty() { (pill(tone(status.word()), status_words(status))) }
            @else { (pill_about(tone(status.word()), status_words(status), why)) }
            @if let Some(request) = &run.cancel_requested {
                (pill_about(Tone::Bad, "to be cancelled", &request.reason))
            }
            @if run.is_answered { (pill(Tone::Active, "answered")) }
            @if let Some(SetAside { why, .. }) = &run.set_aside {
                (pill_about(Tone::Bad, "set aside", why))
            }
            @if run.is_driven { (pill_about(Tone::Active, "driven", "A program drives this run now.")) }
            @if let Some(error) = &run.driver_error { (pill_about(Tone::Bad, "driver unknown", error)) }
        }
    }
}
