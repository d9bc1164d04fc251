//! Parses step numbers in the digits of any script.

use super::step_number::StepNumber;

/// The zeros of decimal scripts. The digits 1 to 9 follow each of them.
const ZEROS: [u32; 37] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x1D7CE,
];

/// The Chinese numerals 1 to 9.
const HAN: &str = "一二三四五六七八九";
const HAN_TEN: char = '十';

/// Parses the number at the start of a text. Returns it with the text after it.
pub(super) fn number(text: &str) -> Option<(StepNumber, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let next = text.get(end..).and_then(|rest| rest.chars().next());
    if next.is_none_or(|c| c.is_ascii() || digit(c).is_none()) {
        let (digits, rest) = text.split_at(end);
        return Some((digits.parse().ok()?, rest));
    }
    let end = text.find(|c| digit(c).is_none()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let digits: String = digits.chars().filter_map(digit).collect();
    Some((digits.parse().ok()?, rest))
}

/// Parses a number up to 99 in Chinese numerals at the start of a text. Returns it with the text after it.
pub(super) fn han_number(text: &str) -> Option<(StepNumber, &str)> {
    let (tens, rest) = han_digit(text);
    let Some(rest_of_ten) = rest.strip_prefix(HAN_TEN) else {
        return tens.map(|number| (StepNumber::from(number), rest));
    };
    let (ones, rest) = han_digit(rest_of_ten);
    Some((StepNumber::from(tens.unwrap_or(1) * 10 + ones.unwrap_or(0)), rest))
}

fn han_digit(text: &str) -> (Option<u64>, &str) {
    let first = text.chars().next();
    let place = first.and_then(|first| HAN.chars().position(|sign| sign == first));
    match (place, first) {
        (Some(place), Some(sign)) => (Some(place as u64 + 1), &text[sign.len_utf8()..]),
        _ => (None, text),
    }
}

/// Converts a digit of any script to an ASCII digit.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let after = ZEROS.partition_point(|zero| *zero <= u32::from(c));
    let zero = ZEROS.get(after.checked_sub(1)?)?;
    char::from_digit(u32::from(c) - zero, 10)
}
