//! How long a server asks to wait before a retry.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// The header of OpenAI and Azure with milliseconds.
const RETRY_AFTER_MS: &str = "retry-after-ms";

/// The headers of Azure with the seconds until a limit is lifted. Other servers send them too, with units.
const RESETS: [&str; 2] = ["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];

/// Reads how long a server asks to wait: `retry-after-ms`, `Retry-After` as a number of seconds or a date, or the
/// time until the first of its limits is lifted.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let millis = text(headers, RETRY_AFTER_MS).and_then(|asked| asked.parse::<f64>().ok());
    let exact = millis.and_then(|millis| from_seconds(millis / 1000.0));
    exact.or_else(|| seconds_or_date(headers)).or_else(|| {
        let resets = RESETS.into_iter().filter_map(|name| text(headers, name)?.parse().ok());
        resets.filter_map(from_seconds).min()
    })
}

/// Reads how long an error of Google asks to wait, such as `"retryDelay": "34s"`.
pub(crate) fn retry_delay(error: &Value) -> Option<Duration> {
    let mut details = error["details"].as_array()?.iter();
    let asked = details.find_map(|detail| detail["retryDelay"].as_str())?;
    from_seconds(asked.strip_suffix('s')?.parse().ok()?)
}

fn seconds_or_date(headers: &HeaderMap) -> Option<Duration> {
    let asked = text(headers, RETRY_AFTER.as_str())?;
    match asked.parse() {
        Ok(seconds) => from_seconds(seconds),
        Err(_) => until(httpdate::parse_http_date(asked).ok()?, headers),
    }
}

// Some servers send fractions. Values too large for a `Duration` become its maximum.
fn from_seconds(seconds: f64) -> Option<Duration> {
    let usable = seconds >= 0.0;
    usable.then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

// The server's clock is used if it is sent, since the local one may be wrong.
#[expect(
    clippy::disallowed_methods,
    reason = "a date in a header says how long to wait only beside the wall clock"
)]
fn until(date: SystemTime, headers: &HeaderMap) -> Option<Duration> {
    let server_now =
        text(headers, DATE.as_str()).and_then(|now| httpdate::parse_http_date(now).ok());
    let now = server_now.unwrap_or_else(SystemTime::now);
    Some(date.duration_since(now).unwrap_or_default())
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    Some(headers.get(name)?.to_str().ok()?.trim())
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};
    use serde_json::json;

    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let now = "Sun, 06 Nov 1994 08:49:37 GMT";
        for (asked, expected) in [
            ("7", Some(Duration::from_secs(7))),
            (" 0.25 ", Some(Duration::from_millis(250))),
            ("0", Some(Duration::ZERO)),
            ("99999999999999999999999", Some(Duration::MAX)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(Duration::from_secs(60))),
            ("Sun, 06 Nov 1994 08:40:00 GMT", Some(Duration::ZERO)),
            ("-1", None),
            ("NaN", None),
            ("soon", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(asked));
            headers.insert(DATE, HeaderValue::from_static(now));
            assert_eq!(retry_after(&headers), expected, "{asked}");
        }
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }

    #[test]
    fn without_the_servers_clock_ours_counts() {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_static("Fri, 31 Dec 9999 23:59:59 GMT"));
        assert!(retry_after(&headers).is_some_and(|wait| wait > Duration::from_secs(1_000_000)));
    }

    #[test]
    fn the_most_exact_header_counts() {
        let read = |headers: &[(&'static str, &'static str)]| {
            let pairs = headers.iter().map(|(name, value)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            });
            retry_after(&pairs.collect())
        };
        let millis = |millis| Some(Duration::from_millis(millis));
        assert_eq!(read(&[("retry-after-ms", "1500"), ("retry-after", "2")]), millis(1500));
        assert_eq!(read(&[("retry-after-ms", "soon"), ("retry-after", "2")]), millis(2000));
        assert_eq!(read(&[("x-ratelimit-reset-tokens", "2")]), millis(2000));
        let both = [("x-ratelimit-reset-tokens", "2"), ("x-ratelimit-reset-requests", "3")];
        assert_eq!(read(&both), millis(2000));
        assert_eq!(read(&[("retry-after", "1"), both[0]]), millis(1000));
        assert_eq!(read(&[("x-ratelimit-reset-tokens", "6m0s")]), None);
        assert_eq!(read(&[("x-ratelimit-reset-tokens", "")]), None);
    }

    #[test]
    fn delays_in_errors_of_google_are_read() {
        let error =
            |delay: &str| json!({ "details": [{ "reason": "x" }, { "retryDelay": delay }] });
        assert_eq!(retry_delay(&error("34.5s")), Some(Duration::from_millis(34_500)));
        assert_eq!(retry_delay(&error("34")), None);
        assert_eq!(retry_delay(&json!({})), None);
    }
}
