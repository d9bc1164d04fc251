//! Numbers: money, tokens, bytes.

use cot_model::Usage;
use maud::{Markup, html};

/// Formats a whole number with thin spaces between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of tokens in at most four digits: `950`, `12.3k`, `4.56M`.
pub(crate) fn tokens(tokens: u64) -> String {
    short(tokens, 1_000, ["", "k", "M", "G"])
}

/// Formats a number of bytes: `950 B`, `12.3 KB`.
pub(crate) fn bytes(bytes: u64) -> String {
    short(bytes, 1_000, [" B", " KB", " MB", " GB"])
}

#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn short(number: u64, step: u64, units: [&str; 4]) -> String {
    if number < step {
        return format!("{number}{}", units[0]);
    }
    let (mut value, step) = (number as f64, step as f64);
    let mut unit = units[0];
    for larger in &units[1..] {
        // What would be rounded to four digits has the next unit.
        if value < step - 0.5 {
            break;
        }
        (value, unit) = (value / step, larger);
    }
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$}{unit}")
}

/// Formats a cost in the currency of the prices; `–` if no price is known.
pub(crate) fn money(cost: f64) -> String {
    match cost {
        cost if cost <= 0.0 || cost.is_nan() => "–".to_owned(),
        cost if cost < 0.0001 => "< 0.0001".to_owned(),
        cost if cost < 1.0 => format!("{cost:.4}"),
        cost if cost < 1_000.0 => format!("{cost:.2}"),
        cost => format!("{cost:.0}"),
    }
}

/// Formats a number with its noun in the singular or plural.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// The usage of calls on one line: calls, tokens, cached ones, thoughts, calls whose tokens are not known, and the
/// cost.
pub(crate) fn usage(usage: &Usage) -> Markup {
    html! {
        span.usage {
            (count(usage.calls, "call", "calls"))
            " · "
            span title=(format!("{} tokens in, {} out", grouped(usage.input_tokens), grouped(usage.output_tokens))) {
                (tokens(usage.input_tokens)) " in, " (tokens(usage.output_tokens)) " out"
            }
            @for (number, what) in [
                (usage.cached_tokens, "cached"),
                (usage.cache_write_tokens, "written to the cache"),
                (usage.reasoning_tokens, "of thoughts"),
            ] {
                @if number > 0 { ", " (tokens(number)) " " (what) }
            }
            @if usage.uncounted_calls > 0 {
                ", those of " (count(usage.uncounted_calls, "call", "calls")) " unknown"
            }
            @if usage.cost > 0.0 { " · " span.money { (money(usage.cost)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0, 999, 1_000, 12_345, 999_700, 4_560_000].map(tokens),
            ["0", "999", "1.00k", "12.3k", "1.00M", "4.56M"]
        );
        assert_eq!(bytes(2_048), "2.05 KB");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(
            [0.0, f64::NAN, 0.00001, 0.0123, 12.5, 1234.5].map(money),
            ["–", "–", "< 0.0001", "0.0123", "12.50", "1234"]
        );
        assert_eq!(count(1, "run", "runs"), "1 run");
    }
}
