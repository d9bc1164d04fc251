//! The names of runs.

use std::{
    fmt,
    str::FromStr,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

/// The name of a run in a store: 1 to 200 characters, each a letter, a digit, `.`, `-`, `_` or `:`.
///
/// ```
/// use cot_core::store::RunId;
///
/// let run: RunId = "order-17".parse()?;
/// assert_eq!(run.as_str(), "order-17");
/// assert!("no spaces".parse::<RunId>().is_err());
/// # Ok::<(), cot_core::store::ParseRunIdError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(Arc<str>);

/// The maximum length of a name.
const MAX_LENGTH: usize = 200;

/// The error of parsing a text that is not a valid name of a run.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a run can't be named {0:?}: a name has 1 to 200 letters, digits or any of `.`, `-`, `_`, `:`"
)]
pub struct ParseRunIdError(String);

cot_schema::debug_as_sentence!(ParseRunIdError);

impl RunId {
    /// Makes a name from the current time and a random number. Such names sort by time.
    #[doc(hidden)]
    #[must_use]
    pub fn fresh(at: SystemTime, chance: u64) -> Self {
        let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(format!("{:011x}-{chance:016x}", since.as_millis()).into())
    }

    /// Returns the name as a string slice.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RunId {
    type Err = ParseRunIdError;

    fn from_str(text: &str) -> Result<Self, ParseRunIdError> {
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
        if text.is_empty() || text.len() > MAX_LENGTH || !text.chars().all(is_good) {
            return Err(ParseRunIdError(text.chars().take(MAX_LENGTH).collect()));
        }
        Ok(Self(text.into()))
    }
}

impl AsRef<str> for RunId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RunId {
    type Error = ParseRunIdError;

    fn try_from(text: String) -> Result<Self, ParseRunIdError> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(run: RunId) -> Self {
        run.0.as_ref().to_owned()
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
