//! Numbers and times as the columns of the tables hold them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The id of an entry. A run has room for 2^32 entries; one more finds its id taken, and is refused.
pub(crate) fn place(run: i64, number: u64) -> i64 {
    (run << 32) | i64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The nearest that SQLite can hold.
pub(crate) fn signed(number: u64) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// Milliseconds since 1970. A time before counts as 1970.
pub(crate) fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(i64::MAX)
}

/// The time that is so many milliseconds after 1970.
pub(crate) fn time(millis: i64) -> SystemTime {
    let since = Duration::from_millis(millis.try_into().unwrap_or_default());
    UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
}
