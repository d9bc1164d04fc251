//! Times and durations.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cot_store::StepHistory;
use maud::{Markup, html};

/// A time relative to `now`, such as `3 min ago` or `in 2 h`, with the exact time in its title. The script of the page keeps it
/// current.
pub(crate) fn relative(time: SystemTime, now: SystemTime) -> Markup {
    let text = match now.duration_since(time) {
        Ok(since) if since < Duration::from_secs(1) => "just now".to_owned(),
        Ok(since) => format!("{} ago", rough(since)),
        Err(ahead) => format!("in {}", rough(ahead.duration())),
    };
    let exact = exact(time);
    html! { time datetime=(exact) title=(exact) data-relative { (text) } }
}

/// A time in UTC, to the second.
pub(crate) fn absolute(time: SystemTime) -> Markup {
    let exact = exact(time);
    html! { time datetime=(exact) { (exact.replace('T', " ").replace('Z', " UTC")) } }
}

/// Formats a time in UTC, to the second: `2026-11-23T22:14:37Z`.
pub(crate) fn exact(time: SystemTime) -> String {
    // Times beyond the calendar occur only in damaged stores, and can't be formatted.
    const LAST: u64 = 253_402_300_799;
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    if since.as_secs() > LAST {
        return "?".to_owned();
    }
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

/// Formats a duration roughly, in one unit: `3 s`, `12 min`, `5 h`, `9 d`.
pub(crate) fn rough(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Formats how long something took: `850 ms`, `3.2 s`, `4 min 5 s`, `2 h 10 min`.
pub(crate) fn took(duration: Duration) -> String {
    let (seconds, millis) = (duration.as_secs(), duration.as_millis());
    match seconds {
        0 => format!("{millis} ms"),
        1..60 => format!("{:.1} s", duration.as_secs_f64()),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600..172_800 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// How long the calls of a step took: the sum of their times, if there are several, which can be more than the time that passed.
pub(crate) fn calls_took(step: &StepHistory) -> Markup {
    let is_sum = step.attempts.len() + step.nested.len() > 1;
    html! {
        @if is_sum { span title="The sum of the times of its calls, some of which can run at once" { "Σ " (took(step.elapsed())) } }
        @else { (took(step.elapsed())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_readable_units() {
        let seconds = Duration::from_secs;
        assert_eq!(
            [0, 59, 60, 7_200, 200_000].map(seconds).map(rough),
            ["0 s", "59 s", "1 min", "2 h", "2 d"]
        );
        assert_eq!(took(Duration::from_millis(850)), "850 ms");
        assert_eq!([5, 245, 7_800].map(seconds).map(took), ["5.0 s", "4 min 5 s", "2 h 10 min"]);
    }

    #[test]
    fn times_are_machine_readable() {
        let time = UNIX_EPOCH + Duration::from_secs(1_795_472_077);
        assert_eq!(exact(time), "2026-11-23T22:14:37Z");
        let html = relative(time, time + Duration::from_secs(180)).into_string();
        assert!(
            html.contains(r#"datetime="2026-11-23T22:14:37Z""#) && html.contains(">3 min ago<"),
            "{html}"
        );
        assert!(
            relative(time + Duration::from_secs(61), time).into_string().contains(">in 1 min<")
        );
        assert_eq!(exact(UNIX_EPOCH + Duration::from_secs(1 << 40)), "?");
    }
}
