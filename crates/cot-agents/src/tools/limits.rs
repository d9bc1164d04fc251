//! The limits of calls.

use std::{future, sync::Arc, time::Duration};

use cot_engine::{EffectError, FunctionError};
use cot_runtime::internal::with_timeout;
use cot_schema::internal::truncate;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::{function::ToolCall, tool::Tool};

/// The limits of the calls of a set; `None` where the set has none of its own.
#[derive(Debug, Clone, Default)]
pub(super) struct CallLimits {
    pub(super) timeout: Option<Duration>,
    /// How many calls may be in progress, and as many permits.
    pub(super) permits: Option<(usize, Arc<Semaphore>)>,
    pub(super) max_result_bytes: Option<usize>,
}

/// The length of arguments as JSON above which the engine refuses a call.
pub(crate) const MAX_ARGUMENT_BYTES: usize = 64 << 10;

/// The default limit of results as JSON.
const DEFAULT_RESULT_BYTES: usize = 60 << 10;

/// The highest limit of results. With the note about the rest, they are within the engine's limit of 64 KiB.
const MAX_RESULT_BYTES: usize = (64 << 10) - 64;

/// The pause before the first retry, and the longest pause.
const PAUSES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(10));

impl CallLimits {
    /// Performs a call with its retries.
    pub(super) async fn perform(
        &self,
        tool: &Tool,
        arguments: Value,
        key: &str,
    ) -> Result<Value, FunctionError> {
        let limit = tool.timeout.or(self.timeout);
        let mut pause = PAUSES.0;
        for _ in 0..tool.max_retries {
            let ended = self.attempt(tool, start(tool, &arguments, key)?, limit).await;
            match ended {
                Err(error) if can_retry(tool, &error) => {}
                ended => return ended,
            }
            with_timeout(Some(pause), future::pending::<()>()).await;
            pause = (pause * 2).min(PAUSES.1);
        }
        self.attempt(tool, start(tool, &arguments, key)?, limit).await
    }

    async fn attempt(
        &self,
        tool: &Tool,
        call: ToolCall,
        limit: Option<Duration>,
    ) -> Result<Value, FunctionError> {
        // A call that is made once is announced by now, and runs alone.
        let _permit = match &self.permits {
            Some((_, permits)) if !tool.is_once() => {
                Some(permits.acquire().await.map_err(FunctionError::not_done)?)
            }
            _ => None,
        };
        let max_bytes = self.max_result_bytes.unwrap_or(DEFAULT_RESULT_BYTES);
        match with_timeout(limit, call).await {
            Some(ended) => Ok(shorten(ended?, max_bytes.min(MAX_RESULT_BYTES))),
            None => {
                let limit = limit.unwrap_or_default();
                Err(FunctionError::unknown(format!("it took longer than {limit:?}")))
            }
        }
    }
}

/// Starts a call with arguments that match the schema. Others are an error for the model.
fn start(tool: &Tool, arguments: &Value, key: &str) -> Result<ToolCall, FunctionError> {
    tool.start(arguments.clone(), key)
        .map_err(|issues| FunctionError::not_done(format!("the arguments are wrong: {issues}")))
}

/// Returns whether a failed call may be repeated: one that is made once only if its function says that nothing was done.
fn can_retry(tool: &Tool, error: &FunctionError) -> bool {
    match error.outcome() {
        EffectError::NotDone => true,
        EffectError::Done => false,
        EffectError::Unknown => !tool.is_once(),
    }
}

/// Shortens a result whose JSON is longer than the limit to the beginning of its text.
fn shorten(result: Value, max: usize) -> Value {
    let json = result.to_string();
    if json.len() <= max {
        return result;
    }
    let text = if let Value::String(text) = &result { text } else { &json };
    let end = fitting(text, max);
    Value::String(format!("{}… ({} bytes more)", &text[..end], text.len() - end))
}

/// Returns the length of the longest beginning of a text that has at most `max` bytes as a JSON string.
fn fitting(text: &str, max: usize) -> usize {
    let shown = truncate(text, max);
    let mut bytes = 0;
    for (index, char) in shown.char_indices() {
        bytes += match char {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            '\0'..='\u{1f}' => 6,
            char => char.len_utf8(),
        };
        if bytes > max {
            return index;
        }
    }
    shown.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_result_is_its_beginning() {
        assert_eq!(shorten(json!({ "a": 1 }), 7), json!({ "a": 1 }));
        assert_eq!(shorten(json!({ "a": 1 }), 6), json!("{\"a\"… (3 bytes more)"));
        assert_eq!(shorten(json!("üüü"), 5), json!("üü… (2 bytes more)"));
        assert_eq!(shorten(json!("\u{1}\u{1}\n"), 12), json!("\u{1}\u{1}… (1 bytes more)"));
    }
}
