//! Which marked values reach which engine, as the description of the process says.

use maud::{Markup, html};
use serde_json::Value;

use crate::frame::text::shown;

/// Shows the marks of trust of a process, if it has some.
pub(super) fn trust(trust: &Value) -> Markup {
    let flows = trust.get("flows").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_strict = trust.get("strict").and_then(Value::as_bool).unwrap_or_default();
    html! {
        section.card aria-labelledby="trust-title" {
            h2 #trust-title { "Trust" }
            p.small.muted {
                @if is_strict { "Strict: no untrusted value reaches an effect that nobody approves." }
                @else { "Not strict: what untrusted values reach is a warning of the compiler." }
                " This is what the newest program declares; an attempt that was stored with its marks shows those that were in force."
            }
            @for mark in ["untrusted", "private"] {
                @let fields = names(trust.get(mark));
                @if !fields.is_empty() { p { strong { (mark) } " " code { (shown(&fields)) } } }
            }
            @if !flows.is_empty() { (table(flows)) }
        }
    }
}

fn table(flows: &[Value]) -> Markup {
    html! {
        table {
            thead { tr { th { "Task" } th { "Is shown" } th { "Engines" } th { "What comes of it" } } }
            tbody {
                @for flow in flows {
                    @let engines = names(flow.get("engines"));
                    tr {
                        td { code { (shown(&text(flow.get("task")))) } }
                        td { code { (shown(&names(flow.get("shown")))) } }
                        td { @if engines.is_empty() { "the default of the run" } @else { (shown(&engines)) } }
                        td {
                            @if flow.get("untrusted").and_then(Value::as_bool) == Some(true) { "untrusted" }
                            @else { "trusted" }
                            @let why = text(flow.get("trusts"));
                            @if !why.is_empty() { p.small.muted { (shown(&why)) } }
                        }
                    }
                }
            }
        }
    }
}

fn text(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

pub(super) fn names(list: Option<&Value>) -> String {
    let names = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_shown_with_the_engines_that_they_reach() {
        let flow =
            json!({ "task": "read", "shown": ["mail"], "engines": ["<b>"], "untrusted": true });
        let marks =
            json!({ "strict": true, "untrusted": ["mail"], "private": [], "flows": [flow] });
        let page = trust(&marks).into_string();
        for part in ["Strict:", "<code>mail</code>", "<td>&lt;b&gt;</td>", "untrusted"] {
            assert!(page.contains(part), "no {part} in {page}");
        }
        assert!(!trust(&json!([3])).into_string().contains("table"));
    }
}
