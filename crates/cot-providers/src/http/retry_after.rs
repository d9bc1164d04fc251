//! The `Retry-After` header.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// Parses `Retry-After`, a number of seconds or a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let asked = text(headers, RETRY_AFTER)?;
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
    let server_now = text(headers, DATE).and_then(|now| httpdate::parse_http_date(now).ok());
    let now = server_now.unwrap_or_else(SystemTime::now);
    Some(date.duration_since(now).unwrap_or_default())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    Some(headers.get(name)?.to_str().ok()?.trim())
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

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
}
