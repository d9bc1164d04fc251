//! Recognizes literals of JSON and of other languages.

use serde_json::Value;

use super::number::numeral;
use crate::repair::catalogue::RepairKind;

/// A literal.
pub(super) enum Literal {
    BorrowedJson(Value),
    Odd(Value, RepairKind),
    Lost,
}

/// Maximum length of a number or literal, in bytes.
const MAX_PLAIN: usize = 100;

/// Returns whether a word is a number or a literal.
pub(super) fn is_plain(word: &str) -> bool {
    word.len() <= MAX_PLAIN && (literal(word).is_some() || numeral(word).is_some())
}

/// Returns whether a word is a truncated number.
pub(super) fn is_half_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+']);
    let mantissa = digits.trim_end_matches(['-', '+']).trim_end_matches(['e', 'E']);
    digits.is_empty() || mantissa.len() < digits.len() && is_plain(mantissa)
}

/// Returns whether a text begins with the prefix of a Python string and its quote.
pub(super) fn is_prefix(text: &str) -> bool {
    let quoted = text.strip_prefix(['b', 'r', 'u', 'f', 'B', 'R', 'U']);
    quoted.is_some_and(|quoted| quoted.starts_with(['"', '\'']))
}

/// Parses a literal.
pub(super) fn literal(word: &str) -> Option<Literal> {
    Some(match word {
        "true" => Literal::BorrowedJson(Value::Bool(true)),
        "false" => Literal::BorrowedJson(Value::Bool(false)),
        "null" => Literal::BorrowedJson(Value::Null),
        "True" | "TRUE" => Literal::Odd(Value::Bool(true), RepairKind::PythonLiteral),
        "False" | "FALSE" => Literal::Odd(Value::Bool(false), RepairKind::PythonLiteral),
        "None" | "NONE" | "Null" | "NULL" => Literal::Odd(Value::Null, RepairKind::PythonLiteral),
        "undefined" => Literal::Odd(Value::Null, RepairKind::JavaScriptLiteral),
        "nil" => Literal::Odd(Value::Null, RepairKind::RubyLiteral),
        "NaN" | "nan" | "Infinity" | "-Infinity" | "+Infinity" => Literal::Lost,
        _ => return None,
    })
}
