//! Differences between two texts, bounded in time and length.

mod lines;
mod words;

use std::time::Duration;

pub(crate) use lines::json_diff;
pub(crate) use words::word_diff;

/// The maximum length of a compared text, in bytes.
const MAX_COMPARED: usize = 200_000;
/// The maximum length of the shown difference, in bytes.
const MAX_SHOWN: usize = 20_000;
/// After this time, the rest is shown as changed.
const MAX_TIME: Duration = Duration::from_millis(40);
