//! Parses durations, such as `1h30m`.

use std::time::Duration;

use quote::ToTokens;
use syn::{
    Lit, Result,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::error_at;

/// A duration: integers with the units `w`, `d`, `h`, `m`, `s` and `ms`, the largest first, as in `1h30m`.
#[derive(Debug, Clone, Copy)]
pub struct DurationValue(pub Duration);

/// The pause before a task. It is not zero.
#[derive(Debug, Clone, Copy)]
pub struct Wait(pub DurationValue);

/// The units in milliseconds, the largest first.
const UNITS: [(&str, u64); 6] = [
    ("w", 604_800_000),
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

impl Parse for DurationValue {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let zero = "a limit can't be 0";
        Self::read(input, zero, "give a longer duration, or leave the limit out")
    }
}

impl Parse for Wait {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let help = "give a longer duration, or remove `wait`";
        DurationValue::read(input, "a wait can't be 0", help).map(Self)
    }
}

impl DurationValue {
    fn read(input: ParseStream<'_>, zero: &str, help: &str) -> Result<Self> {
        let span = input.span();
        let literal: Lit = input.parse().map_err(|_| error_at(span, WRONG, HELP))?;
        let text = literal.to_token_stream().to_string().replace('_', "");
        let Some(milliseconds) = milliseconds(&text) else {
            let help = abbreviate_units(&text).map(|text| format!("write `{text}`"));
            return Err(error_at(span, WRONG, help.as_deref().unwrap_or(HELP)));
        };
        match milliseconds {
            0 => Err(error_at(span, zero, help)),
            _ => Ok(Self(Duration::from_millis(milliseconds))),
        }
    }
}

const WRONG: &str = "expected a duration";
const HELP: &str = "write a duration as `500ms`, `30s`, `10m`, `1h30m`, `2d` or `1w`";

/// Converts a duration to milliseconds. Returns `None` if it is malformed or too long.
fn milliseconds(text: &str) -> Option<u64> {
    let mut units = UNITS.iter();
    let mut total: u64 = 0;
    for (number, unit) in parts(text)? {
        let (_, milliseconds) = units.find(|(name, _)| *name == unit)?;
        let part = number.parse::<u64>().ok()?.checked_mul(*milliseconds)?;
        total = total.checked_add(part)?;
    }
    Some(total)
}

/// Rewrites a duration with spelled-out units, such as `10days`, as `10d`.
fn abbreviate_units(text: &str) -> Option<String> {
    let unit = |word: &str| {
        Some(match word {
            "week" | "weeks" => "w",
            "day" | "days" => "d",
            "hr" | "hrs" | "hour" | "hours" => "h",
            "min" | "mins" | "minute" | "minutes" => "m",
            "sec" | "secs" | "second" | "seconds" => "s",
            "msec" | "millis" | "milliseconds" => "ms",
            _ => return None,
        })
    };
    let parts = parts(text)?.into_iter();
    let text: Option<String> =
        parts.map(|(number, word)| Some(format!("{number}{}", unit(word)?))).collect();
    text.filter(|text| milliseconds(text).is_some())
}

/// Splits a duration into pairs of a number and its unit.
fn parts(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let unit = rest.find(|it: char| !it.is_ascii_digit())?;
        let (number, after) = rest.split_at(unit);
        let end = after.find(|it: char| it.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        parts.push((number, unit));
        rest = after;
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<u64> {
        let DurationValue(duration) = syn::parse_str(text).ok()?;
        u64::try_from(duration.as_millis()).ok()
    }

    #[test]
    fn durations_have_units_the_largest_first() {
        const HOUR: u64 = 3_600_000;
        for (text, milliseconds) in [
            ("500ms", 500),
            ("1_500ms", 1500),
            ("90m", 90 * 60_000),
            ("1h30m", 90 * 60_000),
            ("2d", 48 * HOUR),
            ("1w", 168 * HOUR),
            ("1w2d3h4m5s6ms", (168 + 48 + 3) * HOUR + 4 * 60_000 + 5006),
        ] {
            assert_eq!(read(text), Some(milliseconds), "{text}");
        }
        for text in
            ["30", "1.5h", "30m1h", "1h1h", "1h30", "0x1d", "0s", "1y", "\"1h\"", "'1'", "2 d"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("18446744073709551615w"), None);
    }

    #[test]
    fn words_for_units_are_written_shorter() {
        assert_eq!(abbreviate_units("10days").as_deref(), Some("10d"));
        assert_eq!(abbreviate_units("1hour30min").as_deref(), Some("1h30m"));
        assert_eq!(abbreviate_units("10moons"), None);
    }
}
