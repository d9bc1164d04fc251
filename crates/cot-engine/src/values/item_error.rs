//! The error of an item of a for-each task that collects failures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{reply::bounds::truncate_reply, values::outcome::HaltReason};

/// Why an item of a for-each task with `collect: ok` has no output.
///
/// ```
/// use cot_core::{FunctionError, ItemError, prelude::*};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Clone, Default, Serialize, Deserialize)]
/// struct Numbers {
///     texts: Vec<String>,
///     numbers: Vec<Result<u32, ItemError>>,
/// }
///
/// cot_process! {
///     process Parse {
///         state: Numbers,
///         task parse -> u32 {
///             for_each: text in state.texts,
///             run: parse,
///             collect: ok,
///             update: numbers,
///             next: done,
///         }
///         task done { end }
///     }
/// }
///
/// async fn parse(_: &Numbers, text: &str) -> Result<u32, FunctionError> {
///     text.parse().map_err(FunctionError::new)
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let texts = ["7", "seven"].map(str::to_owned).to_vec();
/// let run = Parse::runner().run(Numbers { texts, ..Numbers::default() }).await?;
/// assert_eq!(run.state.numbers[0], Ok(7));
/// let error = run.state.numbers[1].as_ref().unwrap_err();
/// assert_eq!(error.item, 1);
/// assert!(error.reason.contains("invalid digit"));
/// # Ok::<_, RunError>(())
/// # }).unwrap();
/// ```
#[derive(
    Debug,
    Clone,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    thiserror::Error,
)]
#[error("item {item}: {reason}")]
#[schemars(description = "Why an item failed.")]
pub struct ItemError {
    /// The number of the item, from 0.
    pub item: usize,
    /// The reason in words, truncated if it is long.
    pub reason: String,
}

impl ItemError {
    pub(crate) fn new(item: usize, reason: &HaltReason) -> Self {
        Self { item, reason: truncate_reply(&reason.to_string()) }
    }
}
