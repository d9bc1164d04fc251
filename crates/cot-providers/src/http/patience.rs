//! How often a failed call is made again, and after which pauses.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};

use super::Failure;

/// How often a failed call is made again, and after which pauses.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    pub(crate) max_retries: u32,
    pub(crate) first_pause: Duration,
    pub(crate) longest_pause: Duration,
    pub(crate) max_retry_after: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            max_retries: 3,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(10),
            max_retry_after: Duration::from_secs(60),
        }
    }
}

impl Patience {
    /// Tries until it works, or there is no hope.
    pub(crate) async fn try_repeatedly<T, F>(
        &self,
        mut try_once: impl FnMut() -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let mut tries = 0;
        let counted = || {
            tries += 1;
            try_once()
        };
        counted
            .retry(self.pauses())
            .when(Failure::is_retryable)
            .adjust(|failure, pause| polite(pause?, failure.retry_after(), self.max_retry_after))
            .await
            .map_err(|failure| failure.after(tries))
    }

    fn pauses(&self) -> ExponentialBuilder {
        ExponentialBuilder::new()
            .with_min_delay(self.first_pause)
            .with_max_delay(self.longest_pause)
            .with_max_times(self.max_retries as usize)
            .with_jitter()
    }
}

// Coming back sooner than the server asks would be rude, so too long a wait is given up.
fn polite(pause: Duration, asked: Option<Duration>, longest: Duration) -> Option<Duration> {
    let asked = asked.unwrap_or_default();
    (asked <= longest).then(|| pause.max(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_as_long_as_the_server_asks() {
        let seconds = Duration::from_secs;
        let pause = |asked| polite(seconds(2), asked, seconds(60));
        assert_eq!(pause(None), Some(seconds(2)));
        assert_eq!(pause(Some(seconds(1))), Some(seconds(2)));
        assert_eq!(pause(Some(seconds(60))), Some(seconds(60)));
        assert_eq!(pause(Some(seconds(61))), None);
    }
}
