//! The retry policy.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use cot_model::{ModelReply, Usage};

use super::AttemptError;

/// The number of retries and the delays between them.
#[derive(Debug, Clone)]
pub(crate) struct RetryPolicy {
    pub(crate) max_retries: u32,
    pub(crate) first_delay: Duration,
    pub(crate) max_delay: Duration,
    pub(crate) max_retry_after: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 3,
            first_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(10),
            max_retry_after: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// Calls `try_once` until it succeeds, fails with a permanent error, or the retries are used up. The usage of
    /// the result is that of all attempts.
    pub(crate) async fn run<F>(
        &self,
        mut try_once: impl FnMut() -> F,
    ) -> Result<ModelReply, AttemptError>
    where
        F: Future<Output = Result<ModelReply, AttemptError>>,
    {
        let (mut attempts, mut spent) = (0, None);
        let counted = || {
            attempts += 1;
            try_once()
        };
        let result = counted
            .retry(self.delays())
            .when(|failure: &AttemptError| {
                spent = Some(together(spent, failure.usage()));
                failure.is_retryable()
            })
            .adjust(|failure, pause| {
                next_delay(pause?, failure.retry_after(), self.max_retry_after)
            })
            .await;
        match result {
            Ok(reply) => Ok(ModelReply { usage: together(spent, reply.usage), ..reply }),
            Err(failure) => Err(failure.after_attempts(attempts, spent.unwrap_or_default())),
        }
    }

    fn delays(&self) -> ExponentialBuilder {
        ExponentialBuilder::new()
            .with_min_delay(self.first_delay)
            .with_max_delay(self.max_delay)
            .with_max_times(self.max_retries as usize)
            .with_jitter()
    }
}

/// Adds the usage of another attempt of the same call. The attempts of a call are one call; its tokens are not known if
/// those of one attempt are not.
pub(crate) fn together(spent: Option<Usage>, usage: Usage) -> Usage {
    let sum = spent.unwrap_or_default() + usage;
    Usage { calls: usage.calls, uncounted_calls: sum.uncounted_calls.min(1), ..sum }
}

// A delay longer than the limit that the server asks for ends the retries: retrying earlier would be
// rejected.
fn next_delay(pause: Duration, asked: Option<Duration>, longest: Duration) -> Option<Duration> {
    let asked = asked.unwrap_or_default();
    (asked <= longest).then(|| pause.max(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_as_long_as_the_server_asks() {
        let seconds = Duration::from_secs;
        let pause = |asked| next_delay(seconds(2), asked, seconds(60));
        assert_eq!(pause(None), Some(seconds(2)));
        assert_eq!(pause(Some(seconds(1))), Some(seconds(2)));
        assert_eq!(pause(Some(seconds(60))), Some(seconds(60)));
        assert_eq!(pause(Some(seconds(61))), None);
    }
}
