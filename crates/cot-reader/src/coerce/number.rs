//! Parses numbers in strings.

use serde_json::Number;

/// A number that was parsed from a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedNumber {
    /// The digits before the decimal point, with a `-` if the number is negative.
    whole: String,
    /// The digits after the decimal point.
    fraction: String,
    exponent: String,
    /// The notation of the number.
    pub(super) style: Style,
}

/// The notation of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    /// With group separators or a decimal comma.
    Separated,
    Percent,
    /// With a unit or a currency.
    Unit,
}

/// Maximum length of a unit, in characters.
const MAX_UNIT: usize = 12;
/// The largest integer up to which an `f64` represents all integers.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Parses a text that consists of a number, with an optional percent sign.
pub(super) fn parse_number(text: &str) -> Option<ParsedNumber> {
    let text = text.trim();
    match text.strip_suffix('%') {
        Some(number) => {
            let written = parse_plain(number.trim_end())?;
            Some(ParsedNumber { style: Style::Percent, ..written })
        }
        None => parse_plain(text),
    }
}

/// Parses a number with a unit or a currency.
pub(super) fn parse_with_unit(text: &str) -> Option<ParsedNumber> {
    let text = text.trim();
    let start = text.find(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))?;
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (before, number, after) = (text.get(..start)?, text.get(start..end)?, text.get(end..)?);
    let is_known = is_currency(before.trim()) && is_unit(after.trim());
    is_known
        .then(|| parse_plain(number))?
        .map(|written| ParsedNumber { style: Style::Unit, ..written })
}

fn is_currency(text: &str) -> bool {
    text.is_empty()
        || matches!(text, "$" | "€" | "£" | "¥" | "₹" | "US$" | "-$")
        || (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Returns whether a text is a unit. Factors such as "million" are not units.
fn is_unit(text: &str) -> bool {
    const FACTORS: [&str; 16] = [
        "k", "m", "b", "t", "mn", "bn", "tn", "mio", "mrd", "hundred", "thousand", "million",
        "billion", "trillion", "dozen", "percent",
    ];
    let lower = text.to_lowercase();
    text.chars().count() <= MAX_UNIT
        && text.chars().all(|c| {
            c.is_alphabetic() || matches!(c, ' ' | '°' | '€' | '$' | '£' | '/' | '²' | '³')
        })
        && !lower.split_whitespace().any(|word| FACTORS.contains(&word))
}

fn parse_plain(text: &str) -> Option<ParsedNumber> {
    let (sign, rest) = match text.chars().next()? {
        '-' | '−' => ("-", text.trim_start_matches(['-', '−'])),
        '+' => ("", text.trim_start_matches('+')),
        _ => ("", text),
    };
    // At most one sign.
    if text.chars().count() - rest.chars().count() > 1 {
        return None;
    }
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, ""));
    if rest.len() > mantissa.len() && !is_exponent(exponent) {
        return None;
    }
    let (whole, fraction, is_separated) = digits(mantissa)?;
    let style = if is_separated { Style::Separated } else { Style::Plain };
    let whole = match whole.trim_start_matches('0') {
        "" => format!("{sign}0"),
        whole => format!("{sign}{whole}"),
    };
    Some(ParsedNumber { whole, fraction, exponent: exponent.to_owned(), style })
}

fn is_exponent(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Splits a number at its decimal mark. Returns the digits before and after it, and whether there were
/// separators or a decimal comma.
fn digits(text: &str) -> Option<(String, String, bool)> {
    let mark = decimal_mark(text);
    let (whole, fraction) = match mark {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, ""),
    };
    let grouped = ungrouped(whole)?;
    let fraction_digits = fraction.replace('_', "");
    let is_digits = fraction_digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits || fraction.starts_with('_') || (grouped.is_empty() && fraction.is_empty()) {
        return None;
    }
    let has_comma = mark.is_some_and(|at| text.as_bytes().get(at) == Some(&b','));
    let is_separated =
        has_comma || grouped.len() != whole.len() || fraction_digits.len() != fraction.len();
    Some((grouped, fraction_digits, is_separated))
}

/// Returns the position of the decimal point or comma.
fn decimal_mark(text: &str) -> Option<usize> {
    let count = |mark| text.matches(mark).count();
    match (count(','), count('.')) {
        (0, 0) => None,
        (0, 1) => text.find('.'),
        (1, 0) => text.find(',').filter(|at| !is_group(text, *at)),
        (_, 0) | (0, _) => None,
        (1, _) if text.rfind(',') > text.rfind('.') => text.rfind(','),
        (_, 1) if text.rfind('.') > text.rfind(',') => text.rfind('.'),
        _ => None,
    }
}

/// Returns whether a single comma separates a group of three digits: `1,234`, but not `1,5` or `0,123`.
fn is_group(text: &str, at: usize) -> bool {
    let (before, after) = (&text[..at], &text[at + 1..]);
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    after.len() == 3
        && (1..=3).contains(&before.len())
        && is_digits(before)
        && is_digits(after)
        && !before.starts_with('0')
}

/// Removes the group separators of an integer.
fn ungrouped(text: &str) -> Option<String> {
    let mut separators = text.chars().filter(|c| !c.is_ascii_digit());
    let Some(separator) = separators.next() else { return Some(text.to_owned()) };
    if !matches!(separator, ',' | '.' | '_' | ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}')
        || separators.any(|other| other != separator)
    {
        return None;
    }
    let mut groups = text.split(separator);
    let first = groups.next()?;
    // Python allows `_` anywhere between digits.
    let fits = |group: &str| group.len() == 3 || (separator == '_' && !group.is_empty());
    let is_first = !first.is_empty() && (first.len() <= 3 || separator == '_');
    (is_first && groups.all(fits)).then(|| text.replace(separator, ""))
}

impl ParsedNumber {
    /// Returns the number as an exact integer or else as a float, or `None` if it overflows or underflows.
    pub(super) fn number(&self) -> Option<Number> {
        if self.exponent.is_empty() && self.fraction.is_empty() {
            return exact(&self.whole).or_else(|| self.float());
        }
        self.float()
    }

    /// Returns the number if it is an integer.
    pub(super) fn integer(&self) -> Option<Number> {
        if self.exponent.is_empty() {
            let is_whole = self.fraction.bytes().all(|byte| byte == b'0');
            return is_whole.then(|| exact(&self.whole)).flatten();
        }
        self.number().as_ref().and_then(whole)
    }

    /// Returns whether a decimal point before three zeros may be a group separator: `1.000`.
    pub(super) fn may_be_thousands(&self) -> bool {
        let digits = self.whole.trim_start_matches('-');
        self.style == Style::Plain
            && self.exponent.is_empty()
            && self.fraction == "000"
            && (1..=3).contains(&digits.len())
            && digits != "0"
    }

    /// Returns the number divided by 100.
    pub(super) fn hundredth(&self) -> Option<Number> {
        Number::from_f64(self.number()?.as_f64()? / 100.0)
    }

    fn float(&self) -> Option<Number> {
        let Self { whole, fraction, exponent, .. } = self;
        let exponent = if exponent.is_empty() { "0" } else { exponent };
        let float: f64 = format!("{whole}.{fraction}e{exponent}").parse().ok()?;
        let is_zero =
            !whole.bytes().chain(fraction.bytes()).any(|byte| (b'1'..=b'9').contains(&byte));
        if float == 0.0 && !is_zero {
            return None;
        }
        Number::from_f64(float)
    }
}

/// Parses an integer without loss of digits.
fn exact(whole: &str) -> Option<Number> {
    if let Ok(small) = whole.parse::<i64>() {
        return Some(small.into());
    }
    let number: Number = whole.parse().ok()?;
    (number.to_string() == whole).then_some(number)
}

/// Converts a number without a fraction to an integer.
pub(super) fn whole(number: &Number) -> Option<Number> {
    let float = number.as_f64()?;
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    let is_exact = float.fract() == 0.0 && float.abs() <= MAX_EXACT;
    #[expect(clippy::cast_possible_truncation, reason = "within the range of exact floats")]
    is_exact.then(|| Number::from(float as i64))
}

/// Returns whether a number without a fraction is too large for 64 bits, so that it was rounded when it was parsed.
pub(super) fn is_beyond(number: &Number) -> bool {
    const LIMIT: f64 = 18_446_744_073_709_551_616.0;
    number.as_f64().is_some_and(|float| float.abs() >= LIMIT) && !number.is_u64()
}

/// Rounds a number to the nearest integer.
pub(super) fn rounded(number: &Number) -> Option<Number> {
    whole(&Number::from_f64(number.as_f64()?.round())?)
}
