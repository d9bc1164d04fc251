//! Values from outside as expressions: bounded, so that a trace with them is read as it was written.

use cot_schema::internal::cut_text;
use serde_json::Value as Json;

use super::value::{Expr, MAX_DEPTH};

/// How deep a value may lie in the objects around it.
const MARGIN: usize = 4;

/// A value as an expression. One that lies too deep, or is too long, is given as the text of its JSON; what
/// is too long of a text is cut.
pub fn expr(json: &Json, max_bytes: usize) -> Expr {
    if let Json::String(text) = json {
        return cut(text, max_bytes).into();
    }
    let text = json.to_string();
    if text.len() <= max_bytes && fits_depth(json, MAX_DEPTH - MARGIN) {
        return Expr::from_plain_json(json);
    }
    cut(&text, max_bytes).into()
}

/// A text, cut if it is long.
pub fn cut(text: &str, max_bytes: usize) -> String {
    let shown = cut_text(text, max_bytes);
    match text.len() - shown.len() {
        0 => text.to_owned(),
        more => format!("{shown}… ({more} bytes more)"),
    }
}

fn fits_depth(json: &Json, depth: usize) -> bool {
    match json {
        Json::Array(items) => depth > 0 && items.iter().all(|item| fits_depth(item, depth - 1)),
        Json::Object(map) => depth > 0 && map.values().all(|json| fits_depth(json, depth - 1)),
        _ => true,
    }
}
