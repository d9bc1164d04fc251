//! Decimal numbers of any precision, compared exactly.

use std::cmp::Ordering;

/// A decimal number of any precision: `0.digits` times ten to the power of `exponent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    is_negative: bool,
    /// ASCII digits without leading and trailing zeros; empty for zero.
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// Parses a number in the notation of JSON, or with a leading `+` or `.`. Returns `None` for any other
    /// text.
    pub fn parse(text: &str) -> Option<Self> {
        let (is_negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, i64::from(exponent.parse::<i32>().ok()?)),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        if all.is_empty() || !all.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let is_digit = |digit: &u8| *digit != b'0';
        let Some(first) = all.iter().position(is_digit) else {
            return Some(Self { is_negative: false, digits: Vec::new(), exponent: 0 });
        };
        let end = all.iter().rposition(is_digit).map_or(all.len(), |last| last + 1);
        let point = i64::try_from(whole.len()).ok()? - i64::try_from(first).ok()?;
        let digits = all.get(first..end)?.to_vec();
        Some(Self { is_negative, digits, exponent: exponent + point })
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |it: &Self| match (it.digits.is_empty(), it.is_negative) {
            (true, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        let size =
            || self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            0 => Ordering::Equal,
            1 => size(),
            _ => size().reverse(),
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_compared_by_their_digits() {
        let rising = [
            "-1e3",
            "-999.99",
            "-5",
            "-0.50000000000000000001",
            "-.5",
            "-1e-9",
            "0",
            "1e-30",
            "0.09",
            "0.1",
            "0.10000000000000000001",
            "9",
            "10",
            "1000000",
            "1000000.00000000000000000001",
            "1e9",
        ];
        for pair in rising.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
        for (left, right) in
            [("-0", "0.000"), ("12.10", "12.1"), ("1e2", "+100.0"), ("0.01", "1e-2")]
        {
            assert_eq!(number(left), number(right));
        }
    }

    #[test]
    fn rejects_invalid_numbers() {
        for text in ["", "-", ".", "1.2.3", "1,5", "1e", "ten", "1 000", "0x10", "1e99999999999"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
