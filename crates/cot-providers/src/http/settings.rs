//! The setters that the builders share.

/// Defines the setters of a builder whose `options` have `limits`, `retry` and `explain_format`.
macro_rules! settings {
    () => {
        /// Sets the time limit of one attempt, from connecting to the last byte. Default: none.
        ///
        /// It also ends a reply that is still being received. Such a reply is paid for and is not requested again, so
        /// that [`first_piece_timeout`](Self::first_piece_timeout) and [`piece_timeout`](Self::piece_timeout)
        /// are mostly better limits.
        pub fn timeout(mut self, timeout: Duration) -> Self {
            self.options.limits.total = Some(timeout);
            self
        }

        /// Sets the time limit of connecting. Default: 10 seconds.
        pub fn connect_timeout(mut self, timeout: Duration) -> Self {
            self.options.limits.connect = timeout;
            self
        }

        /// Sets the time limit of the wait for the first piece of a streamed reply, or for a reply in one piece.
        /// A call that exceeds it is retried. Default: 300 seconds.
        pub fn first_piece_timeout(mut self, timeout: Duration) -> Self {
            self.options.limits.first = timeout;
            self
        }

        /// Sets the time limit of the wait for each further piece. What a server sends to keep the connection alive
        /// is a piece, too. Default: 120 seconds.
        ///
        /// A reply that exceeds it is paid for, and may exceed it again: the client does not retry the call, and
        /// returns an error of the kind [`Unfinished`](cot_model::ModelErrorKind::Unfinished).
        pub fn piece_timeout(mut self, timeout: Duration) -> Self {
            self.options.limits.between = timeout;
            self
        }

        /// Sets how often a failed call is retried. Default: 3; 0 disables retries.
        pub fn max_retries(mut self, retries: u32) -> Self {
            self.options.retry.max_retries = retries;
            self
        }

        /// Sets the first and the longest delay between retries. Delays double up to the longest, and
        /// each is extended by a random part of itself. Default: 500 ms and 10 s.
        pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
            self.options.retry.first_delay = first;
            self.options.retry.max_delay = longest;
            self
        }

        /// Sets the longest `Retry-After` that is honoured; the call fails if a server asks for more.
        /// Default: 60 seconds.
        pub fn max_retry_after(mut self, longest: Duration) -> Self {
            self.options.retry.max_retry_after = longest;
            self
        }

        /// Sets whether the prompt explains the format of the reply even if the server gets its schema.
        ///
        /// Default: false for the services of OpenAI, Anthropic, Google and Mistral, which show the schema to the model;
        /// true for any other server. A server that uses the schema for a grammar alone hides the names of members, their
        /// meaning and their units from the model, which then guesses.
        pub fn explain_format(mut self, explain: bool) -> Self {
            self.options.explain_format = Some(explain);
            self
        }
    };
}

pub(crate) use settings;
