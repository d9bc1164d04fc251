//! Words that are values of their own: literals of JSON and of other languages, and numbers.

use serde_json::Value;

use super::number::numeral;
use crate::repair::catalogue::RepairKind;

/// How a word that is a literal is read.
pub(super) enum Literal {
    Plain(Value),
    Odd(Value, RepairKind),
    Lost,
}

/// Longest number that is looked for within a word, in bytes.
const MAX_PLAIN: usize = 100;

/// Whether a word is a number or a literal.
pub(super) fn is_plain(word: &str) -> bool {
    word.len() <= MAX_PLAIN && (literal(word).is_some() || numeral(word).is_some())
}

/// Whether a word begins like a number and ends before it is one.
pub(super) fn is_half_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+']);
    let mantissa = digits.trim_end_matches(['-', '+']).trim_end_matches(['e', 'E']);
    digits.is_empty() || mantissa.len() < digits.len() && is_plain(mantissa)
}

/// A word as a literal.
pub(super) fn literal(word: &str) -> Option<Literal> {
    Some(match word {
        "true" => Literal::Plain(Value::Bool(true)),
        "false" => Literal::Plain(Value::Bool(false)),
        "null" => Literal::Plain(Value::Null),
        "True" | "TRUE" => Literal::Odd(Value::Bool(true), RepairKind::PythonLiteral),
        "False" | "FALSE" => Literal::Odd(Value::Bool(false), RepairKind::PythonLiteral),
        "None" | "NONE" | "Null" | "NULL" => Literal::Odd(Value::Null, RepairKind::PythonLiteral),
        "undefined" => Literal::Odd(Value::Null, RepairKind::JavaScriptLiteral),
        "nil" => Literal::Odd(Value::Null, RepairKind::RubyLiteral),
        "NaN" | "nan" | "Infinity" | "-Infinity" | "+Infinity" => Literal::Lost,
        _ => return None,
    })
}
