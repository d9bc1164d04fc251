//! Conversions between numbers or times and the signed numbers of databases.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Converts to a signed number; saturates.
#[must_use]
pub fn signed(number: u64) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// Converts to milliseconds since 1970; earlier times become 0.
#[must_use]
pub fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(i64::MAX)
}

/// Converts from milliseconds since 1970.
#[must_use]
pub fn time(millis: i64) -> SystemTime {
    let since = Duration::from_millis(millis.try_into().unwrap_or_default());
    UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
}
