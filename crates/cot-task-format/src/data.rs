//! Converts external values to expressions of bounded size and depth, so that a trace with them can be
//! read back.

use cot_schema::internal;
use serde_json::Value as Json;

use super::value::{Expr, MAX_DEPTH};

/// The levels of nesting that are reserved for the objects around a value.
const MARGIN: usize = 4;

/// Converts a JSON value to an expression. A value that is nested too deeply or is longer than
/// `max_bytes` becomes a text: its JSON, truncated.
pub fn bounded_expr(json: &Json, max_bytes: usize) -> Expr {
    if let Json::String(text) = json {
        return truncate(text, max_bytes).into();
    }
    let text = json.to_string();
    if text.len() <= max_bytes && fits_depth(json, MAX_DEPTH - MARGIN) {
        return Expr::from_plain_json(json);
    }
    truncate(&text, max_bytes).into()
}

/// Truncates a text to `max_bytes` and appends how many bytes were omitted.
pub fn truncate(text: &str, max_bytes: usize) -> String {
    let kept = internal::truncate(text, max_bytes);
    match text.len() - kept.len() {
        0 => text.to_owned(),
        more => format!("{kept}… ({more} bytes more)"),
    }
}

fn fits_depth(json: &Json, depth: usize) -> bool {
    match json {
        Json::Array(items) => depth > 0 && items.iter().all(|item| fits_depth(item, depth - 1)),
        Json::Object(map) => depth > 0 && map.values().all(|json| fits_depth(json, depth - 1)),
        _ => true,
    }
}
