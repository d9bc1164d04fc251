//! Parses numbers of JSON and of other languages.

use crate::repair::catalogue::RepairKind;
use serde_json::{Number, Value};

/// A word that was recognized as a number.
#[derive(Debug, PartialEq)]
pub(super) enum Numeral {
    BorrowedJson(Value),
    /// A number that is not valid JSON.
    Odd(Value, RepairKind),
    /// A number that can't be represented.
    Extreme,
}

/// Parses a number. Digits with a leading zero are codes such as `007`, not numbers.
pub(super) fn numeral(word: &str) -> Option<Numeral> {
    let first = word.bytes().next()?;
    if !matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.') {
        return None;
    }
    if let Some(value) = small(word) {
        return Some(Numeral::BorrowedJson(value));
    }
    if let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = is_hex.then(|| u64::from_str_radix(hex, 16).ok()).flatten()?;
        return Some(Numeral::Odd(value.into(), RepairKind::HexadecimalNumber));
    }
    if let Some(value) = word.strip_suffix(['n', 'L']).and_then(small) {
        return Some(Numeral::Odd(value, RepairKind::NumberSuffix));
    }
    let joined = without_underscores(word)?;
    let text = joined.as_deref().unwrap_or(word);
    let parts = Parts::parse(text)?;
    let normal = parts.normal();
    let Some(value) = exact(&normal) else { return Some(Numeral::Extreme) };
    Some(match (joined.is_some(), normal == word) {
        (true, _) => Numeral::Odd(value, RepairKind::NumberUnderscores),
        (false, false) => Numeral::Odd(value, RepairKind::OddNumber),
        (false, true) => Numeral::BorrowedJson(value),
    })
}

/// Parses a non-negative integer with few digits. This is the fast path for most numbers.
fn small(word: &str) -> Option<Value> {
    let is_whole = word.len() <= MAX_SMALL && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_code = word.len() > 1 && word.starts_with('0');
    (is_whole && !is_code).then(|| word.parse::<u64>().ok().map(Value::from)).flatten()
}

/// Maximum number of digits of an integer that always fits into a `u64`.
const MAX_SMALL: usize = 18;

/// Parses a normalized number unless it overflows or underflows.
fn exact(text: &str) -> Option<Value> {
    let float: f64 = text.parse().ok()?;
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = digits.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-'));
    if float.is_infinite() || float == 0.0 && !is_zero {
        return None;
    }
    text.parse::<Number>().ok().map(Value::Number)
}

/// Removes underscores between digits. Returns `None` if there are underscores elsewhere, and `Some(None)`
/// if there are none.
fn without_underscores(word: &str) -> Option<Option<String>> {
    if !word.contains('_') {
        return Some(None);
    }
    let bytes = word.as_bytes();
    let is_digit =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_between = |at: usize| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    let all = word.match_indices('_').all(|(at, _)| is_between(at));
    all.then(|| Some(word.replace('_', "")))
}

/// The components of a decimal number.
struct Parts<'w> {
    is_negative: bool,
    whole: &'w str,
    fraction: Option<&'w str>,
    exponent: &'w str,
}

impl<'w> Parts<'w> {
    fn parse(word: &'w str) -> Option<Self> {
        let is_negative = word.starts_with('-');
        let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
        let mantissa_end = unsigned.find(['e', 'E']).unwrap_or(unsigned.len());
        let (mantissa, exponent) = unsigned.split_at(mantissa_end);
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_code = whole.len() > 1 && whole.starts_with('0');
        let is_empty = whole.is_empty() && fraction.is_none_or(str::is_empty);
        let power = exponent.get(1..).unwrap_or_default();
        let power = power.strip_prefix(['-', '+']).unwrap_or(power);
        let is_power = exponent.is_empty() || !power.is_empty() && digits(power);
        let is_number = digits(whole) && fraction.is_none_or(digits) && is_power;
        (is_number && !is_code && !is_empty).then_some(Self {
            is_negative,
            whole,
            fraction,
            exponent,
        })
    }

    fn normal(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        let whole = if self.whole.is_empty() { "0" } else { self.whole };
        let exponent = self.exponent;
        match self.fraction {
            None => format!("{sign}{whole}{exponent}"),
            Some("") => format!("{sign}{whole}.0{exponent}"),
            Some(fraction) => format!("{sign}{whole}.{fraction}{exponent}"),
        }
    }
}
