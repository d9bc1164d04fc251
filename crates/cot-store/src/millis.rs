//! Serialization of times as milliseconds since 1970.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

pub(super) fn serialize<S: Serializer>(
    time: &SystemTime,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(to_millis(*time))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<SystemTime, D::Error> {
    from_millis(u64::deserialize(deserializer)?)
        .ok_or_else(|| D::Error::custom("a time out of range"))
}

/// Rounds a time down to the milliseconds that are stored.
pub(super) fn round_to_millis(at: SystemTime) -> SystemTime {
    // A time beyond the range of the clock stays as it is.
    from_millis(to_millis(at)).unwrap_or(at)
}

/// Returns the milliseconds since 1970; 0 for a time before 1970.
fn to_millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn from_millis(millis: u64) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_millis(millis))
}

pub(super) mod option {
    use std::time::SystemTime;

    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer>(
        time: &Option<SystemTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_some(&super::to_millis(*time)),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SystemTime>, D::Error> {
        let millis = Option::<u64>::deserialize(deserializer)?;
        let Some(millis) = millis else { return Ok(None) };
        super::from_millis(millis).map(Some).ok_or_else(|| D::Error::custom("a time out of range"))
    }
}
