//! The tool calls of a step.

use cot_store::ToolCallHistory;
use maud::{Markup, html};
use serde_json::Value;

use super::{
    place::Place,
    text::{Whole, json_text},
};
use crate::frame::{
    pill::{Tone, pill},
    text::{excerpt, shown},
    time::took,
};

/// The number of calls that are shown.
const MAX_CALLS: usize = 200;

/// The calls, each with its arguments, its approval and its result.
pub(super) fn tools(calls: &[ToolCallHistory], place: &Place<'_>) -> Markup {
    html! {
        @if !calls.is_empty() {
            ul.plain.stack.tools aria-label="Tool calls" {
                @for call in calls.iter().take(MAX_CALLS) { (tool(call, place)) }
            }
            @if calls.len() > MAX_CALLS { p.muted { (calls.len() - MAX_CALLS) " more calls are not shown." } }
        }
    }
}

fn tool(call: &ToolCallHistory, place: &Place<'_>) -> Markup {
    let whole = Whole::default();
    let name = if call.tool.is_empty() { "a tool" } else { call.tool.as_str() };
    html! {
        li {
            details.fold id=(format!("{}-tool-{}", place.id, call.number)) open[call.error.is_some()] {
                summary {
                    "Tool " strong.mono { (excerpt(name, 60)) }
                    span.mono.small.muted { "(" (excerpt(&call.arguments, 70)) ") " }
                    @if call.error.is_some() { (pill(Tone::Bad, "failed")) }
                    @else if call.result.is_none() { (pill(Tone::Active, "no answer yet")) }
                    @if let Some(approval) = &call.approval { (approval_pill(approval)) }
                    @if !call.elapsed.is_zero() { span.small.muted { " " (took(call.elapsed)) } }
                }
                div.stack {
                    div { h4 { "Arguments" } (json_text(&call.arguments, &whole)) }
                    @if let Some(approval) = &call.approval {
                        div { h4 { "Answer of a person" } (json_text(&approval.to_string(), &whole)) }
                    }
                    @if let Some(result) = &call.result { div { h4 { "Result" } (json_text(result, &whole)) } }
                    @if let Some(error) = &call.error {
                        div { h4 { "Error" } pre.block dir="auto" tabindex="0" { (shown(error)) } }
                    }
                }
            }
        }
    }
}

fn approval_pill(approval: &Value) -> Markup {
    let approved = approval.get("approved").or_else(|| approval.get("approve")).unwrap_or(approval);
    match approved.as_bool() {
        Some(true) => pill(Tone::Good, "approved"),
        Some(false) => pill(Tone::Bad, "not approved"),
        None => pill(Tone::Waiting, "answered by a person"),
    }
}
