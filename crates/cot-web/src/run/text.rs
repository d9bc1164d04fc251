//! Long texts, of which the page of a run shows the beginning.

use maud::{Markup, html};

use crate::frame::{
    number::bytes,
    text::{beginning, shown},
};

/// The maximum length of a text on the page of a run, in bytes.
pub(super) const MAX_TEXT: usize = 6_000;

/// Where all of a text is.
#[derive(Debug, Clone, Default)]
pub(super) struct Whole {
    /// The address of a page with the whole text.
    pub(super) address: Option<String>,
}

/// The beginning of a text in a frame, with a link to the whole of a long one.
pub(super) fn block(text: &str, whole: &Whole) -> Markup {
    let start = beginning(text, MAX_TEXT);
    html! {
        pre.block dir="auto" tabindex="0" { (shown(start)) }
        (more(text.len() - start.len(), whole))
    }
}

/// Says how much of a text is missing.
pub(super) fn more(missing: usize, whole: &Whole) -> Markup {
    html! {
        @if missing > 0 {
            p.small {
                span.muted { (bytes(missing as u64)) " more. " }
                @if let Some(address) = &whole.address { a href=(address) { "Show all" } }
            }
        }
    }
}

/// The beginning of a JSON value in a frame, indented.
pub(super) fn json(value: &serde_json::Value, whole: &Whole) -> Markup {
    block(&serde_json::to_string_pretty(value).unwrap_or_default(), whole)
}

/// The beginning of a text in a frame; indented if it is JSON.
pub(super) fn json_text(text: &str, whole: &Whole) -> Markup {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value @ (serde_json::Value::Object(_) | serde_json::Value::Array(_))) => {
            json(&value, whole)
        }
        _ => block(text, whole),
    }
}
