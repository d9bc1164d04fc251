//! The setters that the builders share.

/// Defines the setters of a builder whose `options` have `connect`, `retry` and `explain_format`.
macro_rules! settings {
    () => {
        /// Sets the time limit of one attempt, from connecting to the last byte. Default: 120 seconds.
        pub fn timeout(mut self, timeout: Duration) -> Self {
            self.options.connect.timeout = timeout;
            self
        }

        /// Sets the time limit of connecting. Default: 10 seconds.
        pub fn connect_timeout(mut self, timeout: Duration) -> Self {
            self.options.connect.connect_timeout = timeout;
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

        /// Sets whether the prompt explains the format of the reply even if the server gets the schema.
        /// Costs tokens, and helps models that are weak under constrained decoding. Default: false.
        pub fn explain_format(mut self, explain: bool) -> Self {
            self.options.explain_format = explain;
            self
        }
    };
}

pub(crate) use settings;
