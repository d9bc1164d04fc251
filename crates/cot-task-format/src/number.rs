//! Numbers: the number literals of JavaScript, and their exact texts.

use std::{borrow::Cow, fmt};

/// A number with the text that it was read from.
///
/// Whole numbers from -2⁶³ to 2⁶⁴-1 are exact; all others are rounded to an `f64`. `5.0` and `5` are
/// equal, and so are `-0` and `0`. A number that was read keeps its [text](Self::text) and is written
/// with it.
///
/// ```
/// use cot_core::task_format::Number;
///
/// for text in ["255", "0xFF", "0b1111_1111", "2.55e2", "255n"] {
///     assert_eq!(Number::parse(text), Some(Number::from(255)));
/// }
/// let number = Number::parse("1_000e18").unwrap();
/// assert_eq!((&*number.text(), &*number.to_string()), ("1_000e18", "1e+21"));
/// assert_eq!(Number::parse("02139"), None);
/// ```
#[derive(Clone, Debug)]
pub struct Number {
    kind: Kind,
    /// The text that the number was read from, if JavaScript formats the number differently.
    text: Option<Box<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Natural(u64),
    /// Negative.
    Negative(i64),
    /// Finite, and not representable by the other variants.
    Float(f64),
}

impl Number {
    /// Converts an `f64`; `None` for infinities and NaN.
    #[must_use]
    pub fn from_f64(float: f64) -> Option<Self> {
        if !float.is_finite() {
            return None;
        }
        if float.fract() != 0.0 {
            return Some(Kind::Float(float).into());
        }
        // Uses the digits that JavaScript writes, so that the written number is read back unchanged.
        Some(whole_or_float(ryu_js::Buffer::new().format_finite(float), float).into())
    }

    /// Parses a number literal: decimal, hexadecimal, octal or binary, with an optional sign,
    /// underscores between digits, or the `n` of a large integer. Leading zeros of a decimal number are
    /// not allowed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, body) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        if !body.as_bytes().first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
            return None;
        }
        let number = parse_radix(body).unwrap_or_else(|| parse_decimal(body))?;
        let mut number = if negative { number.negated() } else { Some(number) }?;
        if !number.is_written_as(text) {
            number.text = Some(text.into());
        }
        Some(number)
    }

    /// Parses the number of a todo item, which may have leading zeros.
    pub(super) fn parse_item(text: &str) -> Option<Self> {
        let mut number = Self::from(item_number(text)?);
        if number.to_string() != text {
            number.text = Some(text.into());
        }
        Some(number)
    }

    /// Returns the text that the number was read from, if the value lost digits of it.
    pub(super) fn exact_text(&self) -> Option<&str> {
        let text = self.text.as_deref()?;
        let is_exact = match digits_and_exponent(text) {
            Some(written) => Some(written) == digits_and_exponent(&self.to_string()),
            // With a radix prefix, only numbers that do not fit are rounded.
            None => !matches!(self.kind, Kind::Float(_)),
        };
        (!is_exact).then_some(text)
    }

    /// Returns the text that the number was read from, or else the JavaScript formatting, as `Display`
    /// does.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.text.as_deref().map_or_else(|| self.to_string().into(), Cow::Borrowed)
    }

    /// Returns the nearest `f64`.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        match self.kind {
            Kind::Natural(number) => number as f64,
            Kind::Negative(number) => number as f64,
            Kind::Float(number) => number,
        }
    }

    /// Returns the number if it is whole, not negative, and fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        if let Kind::Natural(number) = self.kind { Some(number) } else { None }
    }

    /// Returns whether the number has no fractional part.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        if let Kind::Float(number) = self.kind { number.fract() == 0.0 } else { true }
    }

    /// Returns whether JavaScript formats the number as `text`. Short digit strings take a fast path.
    fn is_written_as(&self, text: &str) -> bool {
        let is_plain = || text.bytes().all(|byte| byte.is_ascii_digit());
        matches!(self.kind, Kind::Natural(_)) && is_plain() || self.to_string() == text
    }

    fn negated(self) -> Option<Self> {
        match self.kind {
            Kind::Natural(number) => match i64::try_from(-i128::from(number)) {
                Ok(0) => Some(self),
                Ok(number) => Some(Kind::Negative(number).into()),
                Err(_) => Self::from_f64(-(number as f64)),
            },
            Kind::Negative(number) => Some(Kind::Natural(number.unsigned_abs()).into()),
            Kind::Float(number) => Self::from_f64(-number),
        }
    }
}

/// Splits a decimal literal into its digits without outer zeros and the power of ten of the last digit.
/// Returns `None` for other literals.
fn digits_and_exponent(text: &str) -> Option<(String, i64)> {
    let body = text.trim_start_matches(['+', '-']).trim_end_matches('n').replace('_', "");
    let (mantissa, exponent) = body.split_once(['e', 'E']).unwrap_or((&body, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Some((String::new(), 0));
    }
    let zeros = (digits.len() - kept.len()) as i64 - fraction.len() as i64;
    let exponent = exponent.parse::<i64>().ok()?.saturating_add(zeros);
    Some((kept.trim_start_matches('0').to_owned(), exponent))
}

/// Parses digits as an exact integer; falls back to `float` if they are not digits alone or do not fit.
fn whole_or_float(digits: &str, float: f64) -> Kind {
    if let Ok(number) = digits.parse::<u64>() {
        Kind::Natural(number)
    } else if let Ok(number) = digits.parse::<i64>() {
        if number == 0 { Kind::Natural(0) } else { Kind::Negative(number) }
    } else {
        Kind::Float(float)
    }
}

/// Parses a literal with a radix prefix. The outer `None` means that it has no prefix, the inner `None`
/// that the digits are invalid.
fn parse_radix(body: &str) -> Option<Option<Number>> {
    let bits = match body.as_bytes().get(..2)? {
        b"0x" | b"0X" => 4,
        b"0o" | b"0O" => 3,
        b"0b" | b"0B" => 1,
        _ => return None,
    };
    let digits = &body[2..];
    Some(parse_digits(digits.strip_suffix('n').unwrap_or(digits), bits))
}

fn parse_digits(digits: &str, bits: u32) -> Option<Number> {
    if !is_digit_group(digits, |c| c.is_digit(1 << bits)) {
        return None;
    }
    let (mut mantissa, mut exponent, mut sticky) = (0_u128, 0_u32, false);
    for digit in digits.chars().filter_map(|c| c.to_digit(1 << bits)) {
        if mantissa >> 120 == 0 {
            mantissa = (mantissa << bits) | u128::from(digit);
        } else {
            exponent = exponent.saturating_add(bits);
            sticky |= digit != 0;
        }
    }
    if exponent == 0
        && let Ok(number) = u64::try_from(mantissa)
    {
        return Some(number.into());
    }
    // The discarded digits still decide how the number is rounded.
    let rounded = (mantissa | u128::from(sticky)) as f64;
    let exponent = i32::try_from(exponent.min(2_000)).unwrap_or(2_000);
    Number::from_f64(rounded * 2_f64.powi(exponent))
}

fn parse_decimal(body: &str) -> Option<Number> {
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    let (whole_part, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_large = fraction.is_none() && exponent.is_none() && whole_part.ends_with('n');
    let whole_part = if is_large { &whole_part[..whole_part.len() - 1] } else { whole_part };
    let is_digits = |text: &str| is_digit_group(text, |c| c.is_ascii_digit());
    let has_zeros = whole_part.len() > 1 && whole_part.starts_with('0');
    let is_right = match (whole_part.is_empty(), fraction) {
        (true, fraction) => fraction.is_some_and(is_digits),
        (false, None | Some("")) => is_digits(whole_part),
        (false, Some(fraction)) => is_digits(whole_part) && is_digits(fraction),
    };
    let signless = |text: &str| is_digits(text.strip_prefix(['+', '-']).unwrap_or(text));
    if has_zeros || !is_right || !exponent.is_none_or(signless) {
        return None;
    }
    let plain;
    let text = if body.contains('_') {
        plain = body.replace('_', "");
        plain.as_str()
    } else {
        body
    };
    let text = if is_large { text.trim_end_matches('n') } else { text };
    if let Ok(number) = text.parse::<u64>() {
        return Some(number.into());
    }
    Number::from_f64(text.parse().ok()?)
}

/// Returns whether a text consists of digits with single underscores between them.
fn is_digit_group(text: &str, is_digit: impl Fn(char) -> bool) -> bool {
    let is_known = text.chars().all(|c| c == '_' || is_digit(c));
    is_known
        && !text.is_empty()
        && !text.starts_with('_')
        && !text.ends_with('_')
        && !text.contains("__")
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// Formats the number as JavaScript does.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Natural(number) => number.fmt(f),
            Kind::Negative(number) => number.fmt(f),
            Kind::Float(number) => f.write_str(ryu_js::Buffer::new().format_finite(number)),
        }
    }
}

impl From<Kind> for Number {
    fn from(kind: Kind) -> Self {
        Self { kind, text: None }
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        Kind::Natural(number).into()
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        u64::try_from(number).map_or(Kind::Negative(number), Kind::Natural).into()
    }
}

impl From<i32> for Number {
    fn from(number: i32) -> Self {
        Self::from(i64::from(number))
    }
}

impl From<Number> for serde_json::Number {
    fn from(number: Number) -> Self {
        Self::from(&number)
    }
}

impl From<&Number> for serde_json::Number {
    fn from(number: &Number) -> Self {
        match number.kind {
            Kind::Natural(number) => number.into(),
            Kind::Negative(number) => number.into(),
            // Always finite.
            Kind::Float(number) => Self::from_f64(number).unwrap_or_else(|| 0.into()),
        }
    }
}

impl From<&serde_json::Number> for Number {
    fn from(number: &serde_json::Number) -> Self {
        if let Some(number) = number.as_u64() {
            return number.into();
        }
        if let Some(number) = number.as_i64() {
            return number.into();
        }
        number.as_f64().and_then(Self::from_f64).unwrap_or(Kind::Natural(0).into())
    }
}

/// Parses the number of a todo item.
pub(super) fn item_number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok());
    digits.flatten().or_else(|| Number::parse(text)?.as_u64())
}
