//! A JSON value as a tree that can be folded.

use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::frame::{
    number::bytes,
    text::{beginning, shown},
};

/// The number of members or items of a value that are shown.
const MAX_CHILDREN: usize = 100;
/// The length of a text that is shown, in bytes.
const MAX_STRING: usize = 1_000;
/// Values deeper than this are shown as text.
const MAX_DEPTH: usize = 24;
/// Containers of the first levels are open, unless they have more children than this.
const MAX_OPEN: usize = 20;

/// A value as a tree, of which no more than `left` values are shown.
pub(super) fn tree(value: &Value) -> Markup {
    let mut left = 3_000;
    html! { div.tree { (show(value, 0, &mut left)) } }
}

fn show(value: &Value, depth: usize, left: &mut usize) -> Markup {
    *left = left.saturating_sub(1);
    match value {
        Value::Object(members) if is_media(members) => media(members),
        Value::Object(members) if !members.is_empty() => {
            let children: Vec<_> = members
                .iter()
                .take(MAX_CHILDREN)
                .map(|(key, value)| (key.clone(), value))
                .collect();
            children_of(&children, members.len(), ("{", "}"), depth, left)
        }
        Value::Array(items) if !items.is_empty() => {
            let children: Vec<_> = items
                .iter()
                .take(MAX_CHILDREN)
                .enumerate()
                .map(|(index, value)| (index.to_string(), value))
                .collect();
            children_of(&children, items.len(), ("[", "]"), depth, left)
        }
        _ => scalar(value),
    }
}

fn children_of(
    children: &[(String, &Value)],
    count: usize,
    (open, close): (&str, &str),
    depth: usize,
    left: &mut usize,
) -> Markup {
    if depth >= MAX_DEPTH || *left == 0 {
        return html! { span.muted { (open) "…" (close) } };
    }
    html! {
        details open[depth < 2 && count <= MAX_OPEN] {
            summary { span.muted { (open) " " (count) " " (close) } }
            ul {
                @for (key, value) in children {
                    li { span.tree-key { (shown(beginning(key, 200))) ": " } (show(value, depth + 1, left)) }
                }
                @if count > children.len() { li.muted { (count - children.len()) " more" } }
            }
        }
    }
}

/// A value without children, in one line.
pub(super) fn scalar(value: &Value) -> Markup {
    match value {
        Value::String(text) => {
            let start = beginning(text, MAX_STRING);
            html! {
                span.tree-text dir="auto" { "\"" (shown(start)) "\"" }
                @if start.len() < text.len() { span.muted { " … " (bytes((text.len() - start.len()) as u64)) " more" } }
            }
        }
        Value::Object(members) if is_media(members) => media(members),
        Value::Object(_) | Value::Array(_) => {
            let text = value.to_string();
            let start = beginning(&text, MAX_STRING);
            html! { span { (shown(start)) @if start.len() < text.len() { " …" } } }
        }
        _ => html! { span.tree-number { (value) } },
    }
}

/// Returns whether an object is an image or a document, whose bytes are never shown.
fn is_media(members: &Map<String, Value>) -> bool {
    members.get("mediaType").is_some_and(Value::is_string)
        && ["blob", "data", "url"].iter().any(|key| members.get(*key).is_some_and(Value::is_string))
}

fn media(members: &Map<String, Value>) -> Markup {
    let text = |key| members.get(key).and_then(Value::as_str);
    let data = text("data").map(|data| data.len() as u64 / 4 * 3);
    let size = members.get("bytes").and_then(Value::as_u64).or(data);
    html! {
        span.tag {
            (shown(text("mediaType").unwrap_or("media")))
            @if let Some(name) = text("name") { " · " (shown(beginning(name, 100))) }
            @if let Some(size) = size { " · " (bytes(size)) }
        }
        @if let Some(address) = text("url") { " " span.small.mono.wrap { (shown(beginning(address, 300))) } }
    }
}
