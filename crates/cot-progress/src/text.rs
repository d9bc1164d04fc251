//! Texts from outside, made safe for a terminal and cut to a width.

use std::time::Duration;

use cot_model::Usage;
use unicode_width::UnicodeWidthChar;

/// Returns a text on one line: whitespace becomes a blank, and characters that control a terminal, change the
/// writing direction or are invisible are left out.
pub(crate) fn clean(text: &str) -> String {
    let shown = text.chars().filter(|c| c.is_whitespace() || !is_hidden(*c));
    let mut line = String::with_capacity(text.len());
    for c in shown.map(|c| if c.is_whitespace() { ' ' } else { c }) {
        if c != ' ' || !line.ends_with(' ') {
            line.push(c);
        }
    }
    line
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the beginning of a line that fits into so many columns.
pub(crate) fn fit(line: &str, columns: usize) -> String {
    if width(line) <= columns {
        return line.to_owned();
    }
    let mut text = String::new();
    let mut left = columns.saturating_sub(1);
    for c in line.chars() {
        let Some(rest) = left.checked_sub(c.width().unwrap_or(0)) else { break };
        left = rest;
        text.push(c);
    }
    if columns > 0 {
        text.push('…');
    }
    text
}

/// Returns the end of a line that fits into so many columns.
pub(crate) fn tail(line: &str, columns: usize) -> String {
    if width(line) <= columns {
        return line.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let mut from = line.len();
    for (start, c) in line.char_indices().rev() {
        let Some(rest) = left.checked_sub(c.width().unwrap_or(0)) else { break };
        (left, from) = (rest, start);
    }
    let end = line.get(from..).unwrap_or_default();
    if columns > 0 { format!("…{end}") } else { String::new() }
}

/// Returns the number of columns that a line takes.
pub(crate) fn width(line: &str) -> usize {
    line.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Formats usage: calls, tokens, calls whose tokens are not known, and the cost if a price is known. Empty for none.
pub(crate) fn usage(usage: &Usage) -> String {
    if usage.calls == 0 && usage.total_tokens() == 0 {
        return String::new();
    }
    let calls = count(usage.calls, "call", "calls");
    let mut text = format!("{calls}, {} tokens", tokens(usage.total_tokens()));
    if usage.uncounted_calls > 0 {
        let unknown = count(usage.uncounted_calls, "call", "calls");
        text.push_str(&format!(", those of {unknown} unknown"));
    }
    if usage.cost > 0.0 {
        text.push_str(&format!(", cost {:.4}", usage.cost));
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
fn tokens(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{:.1}k", number as f64 / 1e3),
        _ => format!("{:.1}M", number as f64 / 1e6),
    }
}

/// Formats a number with its noun in the singular or plural.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats a duration: `0.3s`, `12s`, `3m 20s`, `2h 5m`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1}s", time.as_secs_f64()),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        _ => format!("{}h {}m", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_left_out() {
        assert_eq!(clean("a\u{1b}[31m\u{9b}b\r\n\t c\u{202e}\u{200b}\u{7f}日"), "a[31mb c日");
    }

    #[test]
    fn lines_are_cut_by_columns() {
        assert_eq!((fit("abc", 3), fit("abcd", 3)), ("abc".to_owned(), "ab…".to_owned()));
        assert_eq!((tail("abc", 3), tail("abcd", 3)), ("abc".to_owned(), "…cd".to_owned()));
        assert_eq!((fit("日本語", 4), tail("日本語", 4)), ("日…".to_owned(), "…語".to_owned()));
        assert_eq!((fit("ab", 0), tail("ab", 0)), (String::new(), String::new()));
        for columns in 0..9 {
            assert!(width(&fit("a日b本c", columns)) <= columns);
            assert!(width(&tail("a日b本c", columns)) <= columns);
        }
    }

    #[test]
    fn usage_is_short() {
        assert_eq!(
            usage(&Usage::for_call(1200, 50).cost(0.25)),
            "1 call, 1.2k tokens, cost 0.2500"
        );
        let partly_known = Usage::for_call(1200, 50) + Usage::uncounted_call();
        assert_eq!(usage(&partly_known), "2 calls, 1.2k tokens, those of 1 call unknown");
        assert_eq!(usage(&Usage::default()), "");
        assert_eq!(tokens(2_500_000), "2.5M");
        assert_eq!(duration(Duration::from_millis(7_540)), "7.5s");
        assert_eq!(duration(Duration::from_secs(200)), "3m 20s");
    }
}
