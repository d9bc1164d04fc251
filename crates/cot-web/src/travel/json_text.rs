//! JSON that a person has entered.

use maud::{Markup, html};
use serde_json::Value;

use crate::frame::form::{ControlAttributes, textarea};

/// Parses JSON; the error has its line and column.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("This is not JSON: {error}."))
}

/// A text area for JSON.
pub(super) fn area(attributes: &ControlAttributes<'_>, name: &str, text: &str) -> Markup {
    let rows = u32::try_from(text.lines().count() + 1).unwrap_or(u32::MAX).clamp(8, 32);
    html! { div.json-field { (textarea(attributes, name, rows, text)) } }
}
