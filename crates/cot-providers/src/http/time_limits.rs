//! The time limits of one attempt.

use std::time::Duration;

use tokio::time::timeout;

use super::AttemptError;

/// The time limits of one attempt: of its whole, which is enforced elsewhere, and of each wait.
#[derive(Debug, Clone)]
pub(crate) struct TimeLimits {
    /// The limit from connecting to the last byte.
    pub(crate) total: Option<Duration>,
    pub(crate) connect: Duration,
    /// The limit of the wait for the first piece of a reply, or for a reply in one piece.
    pub(crate) first: Duration,
    /// The limit of the wait for each further piece.
    pub(crate) between: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { total: None, connect: seconds(10), first: seconds(300), between: seconds(120) }
    }
}

/// The waits of one attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waits<'a> {
    limits: &'a TimeLimits,
    /// Whether a piece of the reply was received.
    has_begun: bool,
}

impl<'a> Waits<'a> {
    pub(crate) const fn new(limits: &'a TimeLimits) -> Self {
        Self { limits, has_begun: false }
    }

    /// Waits for the response or for its next piece.
    ///
    /// # Errors
    ///
    /// If it does not come in time, or the connection breaks.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    pub(crate) async fn next<T>(
        &self,
        piece: impl Future<Output = Result<T, reqwest::Error>>,
    ) -> Result<T, AttemptError> {
        match self.within_limit(piece).await {
            Some(piece) => piece.map_err(|error| AttemptError::transport(error, self.has_begun)),
            None => Err(self.timed_out()),
        }
    }

    /// Waits for a future within the limit of this wait; `None` if it passes.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place of the clients that waits with a limit"
    )]
    pub(crate) async fn within_limit<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let limit = if self.has_begun { self.limits.between } else { self.limits.first };
        timeout(limit, future).await.ok()
    }

    /// Notes that a piece was received.
    pub(crate) const fn begin(&mut self) {
        self.has_begun = true;
    }

    #[cfg(feature = "genai")]
    pub(crate) const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Creates the error of a wait that took too long.
    pub(crate) fn timed_out(&self) -> AttemptError {
        AttemptError::timed_out(self.has_begun)
    }
}
