//! A prompt in its parts.

use cot_model::{PartName, PromptSegments, Segment, Stability};
use maud::{Markup, html};

use super::text::{MAX_TEXT, Whole, more};
use crate::{
    diff::word_diff,
    frame::{
        number::bytes,
        text::{beginning, shown},
    },
};

/// The maximum length of a text that is not volatile, in bytes.
const MAX_STABLE: usize = 800;

/// A prompt: its parts, folded by their stability, and the difference to the prompt of the attempt before.
pub(super) fn prompt(
    segments: &PromptSegments,
    before: Option<&PromptSegments>,
    whole: &dyn Fn(&str) -> Whole,
) -> Markup {
    let parts = parts(segments);
    html! {
        details.fold.prompt {
            summary {
                "Prompt · " (bytes(segments.bytes() as u64))
                span.muted { " · the first " (bytes(segments.longest_stable_prefix() as u64)) " are stable" }
            }
            div.stack {
                @for (index, part) in parts.iter().enumerate() { (show_part(part, &whole(&format!("prompt.{index}")))) }
            }
        }
        @if let Some(before) = before.filter(|before| before.bytes() > 0) {
            @if before == segments { p.small.muted { "The prompt is that of the attempt before." } }
            @else {
                details.fold open {
                    summary { "What is new in the prompt" }
                    div { (word_diff(&text(before), &text(segments))) }
                }
            }
        }
    }
}

fn text(segments: &PromptSegments) -> String {
    segments.iter().map(|segment| segment.text.as_str()).collect()
}

/// The consecutive segments of a part.
pub(super) struct Part<'a> {
    pub(super) name: PartName,
    pub(super) segments: Vec<&'a Segment>,
}

impl Part<'_> {
    pub(super) fn text(&self) -> String {
        self.segments.iter().map(|segment| segment.text.as_str()).collect()
    }
}

/// Returns the parts of a prompt, in the order of the text.
pub(super) fn parts(segments: &PromptSegments) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for segment in segments {
        match parts.last_mut().filter(|last| last.name == segment.part) {
            Some(last) => last.segments.push(segment),
            None => parts.push(Part { name: segment.part, segments: vec![segment] }),
        }
    }
    parts
}

fn show_part(part: &Part<'_>, whole: &Whole) -> Markup {
    let least = part.segments.iter().map(|segment| segment.stability).max();
    let size: usize = part.segments.iter().map(|segment| segment.bytes()).sum();
    let parts: Vec<(&str, &Segment)> =
        part.segments.iter().map(|segment| (shown_part(segment), *segment)).collect();
    let missing = size - parts.iter().map(|(text, _)| text.len()).sum::<usize>();
    html! {
        details.fold open[least == Some(Stability::Volatile)] {
            summary {
                strong { (part.name) } " · " (bytes(size as u64))
                @for stability in Stability::ALL {
                    @if part.segments.iter().any(|segment| segment.stability == stability) {
                        " " span class=(format!("tag {}", class(stability))) { (stability.as_str()) }
                    }
                }
            }
            div {
                pre.block dir="auto" tabindex="0" {
                    @for (text, segment) in &parts {
                        @let is_whole = text.len() == segment.text.len();
                        @let is_end = segment.stability == Stability::Growing;
                        @if !is_whole && is_end { span.diff-gap-inline { "… " } }
                        span class=(class(segment.stability)) title=(segment.stability.as_str()) { (shown(text)) }
                        @if !is_whole && !is_end { span.diff-gap-inline { " …" } }
                    }
                }
                (more(missing, whole))
            }
        }
    }
}

/// Returns what is shown of a segment: of a growing one its end, of another one its beginning.
fn shown_part(segment: &Segment) -> &str {
    let text = segment.text.as_str();
    match segment.stability {
        Stability::Growing => {
            let from = text.len().saturating_sub(MAX_STABLE);
            let from = (from..=text.len()).find(|from| text.is_char_boundary(*from));
            &text[from.unwrap_or(0)..]
        }
        Stability::Volatile => beginning(text, MAX_TEXT),
        Stability::Fixed | Stability::PerRun => beginning(text, MAX_STABLE),
    }
}

const fn class(stability: Stability) -> &'static str {
    match stability {
        Stability::Fixed => "seg-fixed",
        Stability::PerRun => "seg-run",
        Stability::Growing => "seg-growing",
        Stability::Volatile => "seg-volatile",
    }
}
