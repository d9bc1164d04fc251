//! Texts, numbers and booleans that stand for each other.

use cot_schema::internal::{Node, QUOTES, Types, cut_text, strip_marks};
use serde_json::{Number, Value};

use super::{
    number::{self, Style, Written},
    outcome::{Form, Outcome},
};
use crate::repair::catalogue::RepairKind;

/// A scalar as one of a type that the node takes.
pub(super) fn scalar(node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
    match value {
        Value::String(text) => of_text(node, text, lossy),
        Value::Number(number) => of_number(node, number, lossy),
        _ => None,
    }
}

fn of_text(node: &Node, text: &str, lossy: bool) -> Option<Outcome> {
    let types = node.types;
    if types.have(Types::TEXT) {
        return trimmed(node, text);
    }
    if types.have(Types::INTEGER)
        && let Some(outcome) = number_of_text(node, text, lossy)
    {
        return Some(outcome);
    }
    if types.have(Types::BOOL)
        && let Some(value) = boolean(text)
    {
        let is_bit = matches!(text.trim(), "1" | "0");
        let kind = if is_bit { RepairKind::BitAsText } else { RepairKind::BooleanAsText };
        return Some(coerced(Value::Bool(value), kind));
    }
    if types.have(Types::NULL) && is_null(text) {
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
    let written = number::read(text);
    if let Some(doubt) = written.as_ref().and_then(|written| thousands(node, written, text)) {
        return Some(doubt);
    }
    let written = if lossy { written.or_else(|| number::read_with_unit(text)) } else { written }?;
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

/// Where a whole number is wanted, nobody writes `1.000` for 1 but in fun, and half the world writes it
/// for 1000.
fn thousands(node: &Node, written: &Written, text: &str) -> Option<Outcome> {
    let is_unsure = !node.types.have(Types::NUMBER) && written.may_be_thousands();
    let text = cut_text(text.trim(), MAX_WORD_BYTES);
    is_unsure.then(|| {
        Outcome::doubt(format!(
            "`{text}` could be a number with three decimals or one of thousands; write it as digits alone"
        ))
    })
}

/// The number in the form and the bounds of the node, and whether it had to be rounded.
fn fitting(node: &Node, written: &Written, lossy: bool) -> Option<(Number, bool)> {
    if !node.types.have(Types::NUMBER) {
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

/// Whether the bounds are those of a part of one, of which 1 is the whole: there 1% is 0.01.
fn is_part(node: &Node) -> bool {
    node.satisfies_checks(&0.5.into()) && !node.satisfies_checks(&2.into())
}

fn of_number(node: &Node, number: &Number, lossy: bool) -> Option<Outcome> {
    let types = node.types;
    if types.have(Types::INTEGER) && !types.have(Types::NUMBER) {
        if let Some(whole) = number::whole(number).filter(|whole| whole != number) {
            return Some(bounded(node, Value::Number(whole), RepairKind::WholeWithFraction));
        }
        if let Some(rounded) = number::rounded(number).filter(|rounded| lossy && rounded != number)
        {
            return Some(bounded(node, Value::Number(rounded), RepairKind::NumberRounded));
        }
    }
    if types.have(Types::INTEGER) {
        return None;
    }
    if types.have(Types::TEXT) {
        return as_text(node, &Value::Number(number.clone()));
    }
    let bit =
        number.as_f64().filter(|bit| types.have(Types::BOOL) && (*bit == 0.0 || *bit == 1.0))?;
    Some(coerced(Value::Bool(bit == 1.0), RepairKind::BooleanAsNumber))
}

fn as_text(node: &Node, value: &Value) -> Option<Outcome> {
    let text = Value::String(value.to_string());
    node.satisfies_checks(&text).then(|| coerced(text, RepairKind::TextAsNumber))
}

/// A number as its digits, for a type that takes both.
pub(super) fn as_digits(digits: Value) -> Outcome {
    coerced(digits, RepairKind::NumberAsDigits)
}

fn coerced(value: Value, kind: RepairKind) -> Outcome {
    Outcome::mended(Form::New(value), kind)
}

/// A number that is of the right type, even where it is out of its bounds: then that is what is wrong.
fn bounded(node: &Node, value: Value, kind: RepairKind) -> Outcome {
    let misfits = u32::from(!node.satisfies_checks(&value));
    Outcome { misfits, ..Outcome::mended(Form::New(value), kind) }
}

/// The boolean that a word is. One letter and the digits of a bit are read too: as a boolean they can
/// mean nothing else.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match strip_marks(word(text)).to_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "t" | "1" => Some(true),
        "false" | "no" | "off" | "n" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// Whether a text says that there is nothing.
pub(super) fn is_null(text: &str) -> bool {
    let word = word(text).to_lowercase();
    matches!(word.as_str(), "" | "null" | "none" | "nil" | "undefined" | "n/a")
}

/// A number without the pairs of quotes or marks around it. One mark alone may be a unit.
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

/// A text without white space around it; one that is too long for a word comes as it is.
fn word(text: &str) -> &str {
    let word = text.trim();
    word.get(..MAX_WORD_BYTES).unwrap_or(word)
}

const MAX_WORD_BYTES: usize = 32;
