//! Restores the notation of numbers that were coerced to strings.
//!
//! A parsed number no longer has its notation: `1.10` becomes 1.1, and `+41 44…` loses its sign. This
//! matters if the number is used as a string.

use cot_schema::{
    Issue, Issues,
    internal::{Decimal, PathSegment, format_path},
};
use serde_json::{Number, Value};

use super::{
    repair::{catalogue::RepairKind, class::RepairClass, repairs::Repairs},
    target::{CoercionResult, Target},
};

/// The issue of a number whose digits are ambiguous.
const UNCLEAR: &str = "has more digits than a number can hold; write it in quotes";
/// The issue of a number whose notation is lost.
const WRONG: &str = "is a number where a text is wanted, and loses digits so; write it in quotes";

/// The issue of two numbers that may be one with a separator.
const SEPARATED: &str = "may be a number with a comma, or two; write it in quotes";

/// Returns issues for the numbers that became strings although the reply writes them in another notation.
pub(super) fn lost_notation_issues(reply: &str, value: &Value, repairs: &Repairs) -> Issues {
    let mut as_text = repairs.iter_kind(RepairKind::TextAsNumber).peekable();
    if as_text.peek().is_none() {
        return Issues::new();
    }
    let odd = odd_numbers(reply);
    let mut issues = Issues::new();
    for (first, second) in as_text.clone().zip(as_text.clone().skip(1)) {
        if is_one_number(reply, value, first.path(), second.path()) {
            issues.extend([Issue::new(format_path(first.path()), SEPARATED)]);
        }
    }
    for repair in as_text {
        let text = value_at(value, repair.path()).and_then(Value::as_str).unwrap_or_default();
        let number = text.parse().ok().filter(|number: &f64| odd.contains(&number.to_bits()));
        if number.is_some() {
            issues.extend([Issue::new(format_path(repair.path()), WRONG)]);
        }
    }
    // Some repairs may have been omitted.
    if repairs.omitted(RepairClass::Coercion) > 0 && issues.is_empty() {
        issues.push("$", "has numbers where texts are wanted; write all texts in quotes");
    }
    issues
}

/// Returns whether two neighbours of a list that became strings may be groups of one number: `1,299` in a reply
/// whose other commas are before blanks.
fn is_one_number(
    reply: &str,
    value: &Value,
    first: &[PathSegment],
    second: &[PathSegment],
) -> bool {
    let (Some((PathSegment::Index(at), list)), Some((PathSegment::Index(next), other))) =
        (first.split_last(), second.split_last())
    else {
        return false;
    };
    let text = |path| value_at(value, path).and_then(Value::as_str).unwrap_or_default();
    let (first, second) = (text(first), text(second));
    list == other
        && at + 1 == *next
        && first.len() <= 3
        && second.split('.').next().is_some_and(|group| group.len() == 3)
        && reply.contains(&format!("{first},{second}"))
        && (reply.contains(", ") || reply.contains(",\n"))
}

/// Coerces a value of a reply to a target. Numbers that become strings keep the digits in the reply.
///
/// The issues name the numbers with ambiguous digits.
pub fn fit_keeping_digits(
    target: &dyn Target,
    value: Value,
    reply: &str,
) -> (CoercionResult, Issues) {
    let mut fit = target.fit(value);
    let (has_more_digits, unclear) = restore_digits(reply, &mut fit.value, &fit.repairs);
    if has_more_digits {
        fit = target.fit(fit.value).with_earlier_repairs(fit.repairs);
    }
    (fit, unclear)
}

/// Replaces the digits of numbers that became strings by the digits in the reply.
///
/// Returns whether any digits changed, and issues for numbers with ambiguous digits.
fn restore_digits(reply: &str, value: &mut Value, repairs: &Repairs) -> (bool, Issues) {
    let (mut is_changed, mut issues) = (false, Issues::new());
    let words: Vec<&str> = match repairs.contains(RepairKind::NumberAsDigits) {
        true => numbers(reply).collect(),
        false => return (false, issues),
    };
    for repair in repairs.iter_kind(RepairKind::NumberAsDigits) {
        let Some(Value::String(digits)) = at_mut(value, repair.path()) else { continue };
        let Ok(number) = digits.parse::<f64>() else { continue };
        let same =
            |word: &&&str| word.parse().is_ok_and(|it: f64| it.to_bits() == number.to_bits());
        let mut words = words.iter().filter(same);
        let Some(word) = words.next() else { continue };
        let meant = Decimal::parse(word);
        if words.any(|other| Decimal::parse(other) != meant) {
            issues.push(format_path(repair.path()), UNCLEAR);
        } else if word != digits {
            digits.clear();
            digits.push_str(word);
            is_changed = true;
        }
    }
    (is_changed, issues)
}

/// Returns the JSON numbers in a text.
fn numbers(reply: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_');
    let words = reply.split(move |c: char| !is_part(c));
    words.filter(|word| word.parse::<Number>().is_ok())
}

fn at_mut<'v>(value: &'v mut Value, path: &[PathSegment]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        PathSegment::Key(key) => value.get_mut(key),
        PathSegment::Index(index) => value.get_mut(index),
    })
}

/// Returns the values of the numbers in a text whose notation differs from the canonical one.
fn odd_numbers(reply: &str) -> fnv::FnvHashSet<u64> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_');
    let words = reply.split(|c: char| !is_part(c));
    let words = words.filter(|word| word.bytes().any(|byte| byte.is_ascii_digit()));
    words.filter_map(odd_number).collect()
}

fn odd_number(word: &str) -> Option<u64> {
    let plain = word.trim_end_matches(['n', 'L']).replace('_', "");
    let hex = plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X"));
    let number = match hex.map(|digits| u64::from_str_radix(digits, 16)) {
        #[expect(clippy::cast_precision_loss, reason = "only what is equal is looked for")]
        Some(Ok(number)) => number as f64,
        Some(Err(_)) => return None,
        None => plain.parse().ok()?,
    };
    let is_same = word.parse::<Number>().is_ok_and(|number| number.to_string() == word);
    (!is_same).then(|| number.to_bits())
}

/// Returns the value at a path.
fn value_at<'v>(value: &'v Value, path: &[PathSegment]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        PathSegment::Key(key) => value.get(key),
        PathSegment::Index(index) => value.get(index),
    })
}
