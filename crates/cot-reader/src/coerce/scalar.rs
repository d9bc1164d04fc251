//! Converts between strings, numbers, booleans and null.

use cot_schema::internal::{Node, QUOTES, Types, strip_marks, truncate};
use serde_json::{Number, Value};

use super::{
    number::{self, ParsedNumber, Style},
    outcome::{Form, Outcome},
};
use crate::repair::catalogue::RepairKind;

/// Converts a scalar to a type that the node accepts.
pub(super) fn scalar(node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
    match value {
        Value::String(text) => convert_text(node, text, lossy),
        Value::Number(number) => convert_number(node, number, lossy),
        _ => None,
    }
}

fn convert_text(node: &Node, text: &str, lossy: bool) -> Option<Outcome> {
    let types = node.types;
    if types.contains(Types::TEXT) {
        return trimmed(node, text);
    }
    if types.contains(Types::INTEGER)
        && let Some(outcome) = number_of_text(node, text, lossy)
    {
        return Some(outcome);
    }
    if types.contains(Types::BOOL)
        && let Some(value) = boolean(text)
    {
        let is_bit = matches!(text.trim(), "1" | "0");
        let kind = if is_bit { RepairKind::BitAsText } else { RepairKind::BooleanAsText };
        return Some(coerced(Value::Bool(value), kind));
    }
    if types.contains(Types::NULL) && is_null(text) {
        return Some(coerced(Value::Null, RepairKind::NullAsText));
    }
    None
}

fn trimmed(node: &Node, text: &str) -> Option<Outcome> {
    let value = Value::String(text.trim().to_owned());
    let is_better =
        node.has_text_form && text.trim().len() < text.len() && node.satisfies_checks(&value);
    is_better.then(|| coerced(value, RepairKind::SpaceAround))
}

fn number_of_text(node: &Node, text: &str, lossy: bool) -> Option<Outcome> {
    let text = unquoted(text);
    let written = number::parse_number(text);
    if let Some(doubt) = written.as_ref().and_then(|written| thousands(node, written, text)) {
        return Some(doubt);
    }
    let written = if lossy { written.or_else(|| number::parse_with_unit(text)) } else { written }?;
    let (number, is_rounded) = fitting(node, &written, lossy)?;
    let kind = match written.style {
        _ if is_rounded => RepairKind::NumberRounded,
        Style::Unit => RepairKind::NumberUnit,
        Style::Plain => RepairKind::NumberAsText,
        Style::Separated => RepairKind::NumberSeparators,
        Style::Percent => RepairKind::NumberPercent,
    };
    Some(bounded(node, Value::Number(number), kind))
}

/// Returns a doubt if an integer is expected and the number is ambiguous: `1.000` can be 1 or, in many
/// countries, 1000.
fn thousands(node: &Node, written: &ParsedNumber, text: &str) -> Option<Outcome> {
    let is_unsure = !node.types.contains(Types::NUMBER) && written.may_be_thousands();
    let text = truncate(text.trim(), MAX_WORD_BYTES);
    is_unsure.then(|| {
        Outcome::doubt(format!(
            "`{text}` could be a number with three decimals or one of thousands; write it as digits alone"
        ))
    })
}

/// Converts a parsed number to the type and range of the node. Also returns whether it was rounded.
fn fitting(node: &Node, written: &ParsedNumber, lossy: bool) -> Option<(Number, bool)> {
    if !node.types.contains(Types::NUMBER) {
        let rounded = || number::rounded(&written.number()?).filter(|_| lossy);
        return match written.integer() {
            Some(whole) => Some((whole, false)),
            None => rounded().map(|rounded| (rounded, true)),
        };
    }
    let number = written.number()?;
    let passes = |number: &Number| node.satisfies_checks(&Value::Number(number.clone()));
    if written.style == Style::Percent
        && is_part(node)
        && let Some(part) = written.hundredth().filter(passes)
    {
        return Some((part, false));
    }
    Some((number, false))
}

/// Returns whether the bounds of the node are those of a ratio between 0 and 1, in which 1% is 0.01.
fn is_part(node: &Node) -> bool {
    node.satisfies_checks(&0.5.into()) && !node.satisfies_checks(&2.into())
}

fn convert_number(node: &Node, number: &Number, lossy: bool) -> Option<Outcome> {
    let types = node.types;
    if types.contains(Types::INTEGER) && !types.contains(Types::NUMBER) {
        if let Some(whole) = number::whole(number).filter(|whole| whole != number) {
            return Some(bounded(node, Value::Number(whole), RepairKind::WholeWithFraction));
        }
        if number::is_beyond(number) {
            return Some(Outcome::doubt(BEYOND.to_owned()));
        }
        if let Some(rounded) = number::rounded(number).filter(|rounded| lossy && rounded != number)
        {
            return Some(bounded(node, Value::Number(rounded), RepairKind::NumberRounded));
        }
    }
    if types.contains(Types::INTEGER) {
        return None;
    }
    if types.contains(Types::TEXT) {
        return as_text(node, &Value::Number(number.clone()));
    }
    let bit = number
        .as_f64()
        .filter(|bit| types.contains(Types::BOOL) && (*bit == 0.0 || *bit == 1.0))?;
    Some(coerced(Value::Bool(bit == 1.0), RepairKind::BooleanAsNumber))
}

/// The issue of an integer of which not all digits are known.
const BEYOND: &str = "is beyond the whole numbers of 64 bits, and would lose digits";

fn as_text(node: &Node, value: &Value) -> Option<Outcome> {
    let text = Value::String(value.to_string());
    node.satisfies_checks(&text).then(|| coerced(text, RepairKind::TextAsNumber))
}

/// Returns the outcome of a number that becomes a string of its digits.
pub(super) fn as_digits(digits: Value) -> Outcome {
    coerced(digits, RepairKind::NumberAsDigits)
}

fn coerced(value: Value, kind: RepairKind) -> Outcome {
    Outcome::repaired(Form::New(value), kind)
}

/// Returns the outcome of a number of the right type. It is a misfit if it is out of bounds.
fn bounded(node: &Node, value: Value, kind: RepairKind) -> Outcome {
    let misfits = u32::from(!node.satisfies_checks(&value));
    Outcome { misfits, ..Outcome::repaired(Form::New(value), kind) }
}

/// Parses a boolean from a word, a letter or a bit.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match strip_marks(word(text)).to_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "t" | "1" => Some(true),
        "false" | "no" | "off" | "n" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// Returns whether a text is empty or stands for null.
pub(super) fn is_null(text: &str) -> bool {
    let word = word(text).to_lowercase();
    matches!(word.as_str(), "" | "null" | "none" | "nil" | "undefined" | "n/a")
}

/// Removes pairs of quotes or marks around a number. A single mark may be a unit.
fn unquoted(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let mut inner = QUOTES.chars().filter_map(|mark| {
            let inner = rest.strip_prefix(mark)?.strip_suffix(mark)?;
            Some(inner.trim())
        });
        match inner.next() {
            Some(inner) => rest = inner,
            None => return rest,
        }
    }
}

/// Trims a text and truncates a long one, which can't be a recognized word.
fn word(text: &str) -> &str {
    let word = text.trim();
    word.get(..MAX_WORD_BYTES).unwrap_or(word)
}

const MAX_WORD_BYTES: usize = 32;
