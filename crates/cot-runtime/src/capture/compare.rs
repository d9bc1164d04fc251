//! Compares a request with the captured one.

use cot_model::{ModelRequest, PartName, Role, Stability, ToolCall, Turn};
use serde_json::Value;

use super::{
    diff::diff,
    format::{Call, CapturedTool, Piece, request_pieces},
    scrub::{SCRUBBED, Scrubber},
};

/// The maximum length of a diff, so that it fits into a model error with the preceding message.
const MAX_DIFF: usize = 1500;

/// The accepted changes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AcceptedChanges {
    pub(super) fixed_text: bool,
    pub(super) schemas: bool,
}

/// A difference between the captured request and the present one.
struct Difference {
    description: String,
    then: String,
    now: String,
}

/// Compares a captured call with a request. The error describes the changes that are not accepted.
pub(super) fn compare(
    call: &Call,
    request: &ModelRequest,
    scrub: &Scrubber,
    accepted: AcceptedChanges,
) -> Result<(), String> {
    let then = scrub.without_functions().pieces(call.prompt.clone());
    let now = scrub.pieces(request_pieces(request));
    let mut changes = prompt_changes(&then, &now, accepted.fixed_text);
    changes.extend(turns_change(call, request, scrub));
    if !accepted.schemas {
        changes.extend(schema_change(call, request, scrub));
    }
    match &changes[..] {
        [] => Ok(()),
        [first, others @ ..] => Err(explain(first, others)),
    }
}

/// Compares a captured tool call with the present one.
pub(super) fn compare_tool(
    captured: &CapturedTool,
    call: &ToolCall,
    scrub: &Scrubber,
) -> Result<(), String> {
    if captured.name != call.name {
        let (then, now) = (&captured.name, &call.name);
        return Err(format!(
            "the captured call was of the tool `{then}`, and this one is of `{now}`"
        ));
    }
    let then = scrub.without_functions().value(&captured.arguments);
    let now = scrub.value(&serde_json::from_str(&call.arguments).unwrap_or_default());
    if then == now {
        return Ok(());
    }
    let description = format!("the arguments of the tool `{}` changed", call.name);
    let (then, now) = (format!("{then:#}"), format!("{now:#}"));
    Err(explain(&Difference { description, then, now }, &[]))
}

fn explain(first: &Difference, others: &[Difference]) -> String {
    let Difference { description, then, now } = first;
    let others: String = others.iter().map(|other| format!("; {}", other.description)).collect();
    if then.matches(SCRUBBED).count() > now.matches(SCRUBBED).count() {
        return format!(
            "{description}{others}; a secret was scrubbed there on capture: configure the replay with the same `scrub` \
             and `scrub_with` (no diff is shown, since it might show the secret)"
        );
    }
    format!("{description}{others}\n{}", diff(then, now, MAX_DIFF))
}

fn prompt_changes(then: &[Piece], now: &[Piece], accepts_fixed_text: bool) -> Vec<Difference> {
    let in_parts = |pieces: &[Piece]| pieces.iter().all(|piece| piece.part.is_some());
    if !in_parts(then) || !in_parts(now) {
        return whole_changes(then, now);
    }
    let mut names: Vec<Option<PartName>> = Vec::new();
    for piece in then.iter().chain(now) {
        if !names.contains(&piece.part) {
            names.push(piece.part);
        }
    }
    let changes = names.into_iter().filter_map(|name| {
        part_change(
            name?,
            &Part::from_pieces(then, name),
            &Part::from_pieces(now, name),
            accepts_fixed_text,
        )
    });
    changes.collect()
}

/// Returns the changes if one side is not divided into parts: all text counts as values then.
fn whole_changes(then: &[Piece], now: &[Piece]) -> Vec<Difference> {
    let text = |pieces: &[Piece], is_system: bool| -> String {
        let of_it = pieces.iter().filter(|p| (p.part == Some(PartName::System)) == is_system);
        of_it.map(|piece| &*piece.text).collect()
    };
    let kinds = [(true, "the system message changed"), (false, "the prompt changed")];
    let changes = kinds.into_iter().filter_map(|(is_system, description)| {
        let (then, now) = (text(then, is_system), text(now, is_system));
        (then != now).then(|| Difference { description: description.to_owned(), then, now })
    });
    changes.collect()
}

fn part_change(
    name: PartName,
    then: &Part,
    now: &Part,
    accepts_fixed_text: bool,
) -> Option<Difference> {
    let has_same_values = then.has_same_values(now);
    if then.text == now.text || (has_same_values && accepts_fixed_text) {
        return None;
    }
    let name = name.as_str();
    let description = match (then.text.is_empty(), now.text.is_empty()) {
        (true, _) => format!("the part `{name}` is new"),
        (_, true) => format!("the part `{name}` is gone"),
        _ if has_same_values => format!("the fixed text of `{name}` changed"),
        _ => format!("the values shown in `{name}` changed"),
    };
    let text = |part: &Part| {
        if accepts_fixed_text { part.values.join("\n") } else { part.text.clone() }
    };
    Some(Difference { description, then: text(then), now: text(now) })
}

/// The text of a part of a prompt, and the values in it.
#[derive(Default)]
struct Part {
    text: String,
    /// The values; adjacent ones are joined.
    values: Vec<String>,
}

impl Part {
    fn from_pieces(pieces: &[Piece], name: Option<PartName>) -> Self {
        let mut part = Self::default();
        let mut follows_value = false;
        let pieces = pieces.iter().filter(|piece| piece.part == name && !piece.text.is_empty());
        for Piece { stability, text, .. } in pieces {
            part.text.push_str(text);
            let varies = *stability != Stability::Fixed;
            match part.values.last_mut() {
                Some(last) if varies && follows_value => last.push_str(text),
                _ if varies => part.values.push(text.clone()),
                _ => {}
            }
            follows_value = varies;
        }
        part
    }

    /// Returns whether two parts contain the same values. Where fixed text between two values was added or
    /// removed, the values are joined on one side only.
    fn has_same_values(&self, other: &Self) -> bool {
        if self.values.len() == other.values.len() {
            self.values == other.values
        } else {
            self.values.concat() == other.values.concat()
        }
    }
}

/// Compares the examples and the earlier turns of the conversation.
fn turns_change(call: &Call, request: &ModelRequest, scrub: &Scrubber) -> Option<Difference> {
    let text = |turns: &[Turn], scrub: &Scrubber| {
        let line = |turn: &Turn| format!("{}: {}", Role::from(turn.role), scrub.text(&turn.text));
        turns.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let (then, now) = (text(&call.turns, &scrub.without_functions()), text(&request.turns, scrub));
    let description = "the turns before the prompt changed".to_owned();
    (then != now).then_some(Difference { description, then, now })
}

fn schema_change(call: &Call, request: &ModelRequest, scrub: &Scrubber) -> Option<Difference> {
    let then = call.schema.as_ref().map(|schema| match serde_json::from_str(schema.json.get()) {
        Ok(json) => scrub.without_functions().value(&json),
        // A schema that is nested too deeply to be parsed differs from any present schema.
        Err(_) => Value::String(scrub.without_functions().text(schema.json.get())),
    });
    let now = request.schema.as_ref().map(|schema| scrub.value(&schema.json));
    if then == now {
        return None;
    }
    let description = match (&then, &now) {
        (None, _) => "the captured request has no schema",
        (_, None) => "the present request has no schema",
        _ => "the schema of the reply changed",
    };
    let text = |schema: Option<Value>| schema.map(|json| format!("{json:#}")).unwrap_or_default();
    Some(Difference { description: description.to_owned(), then: text(then), now: text(now) })
}
