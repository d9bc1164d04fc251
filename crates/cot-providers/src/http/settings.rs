//! The settings that the builders of clients have in common.

/// Methods of a builder whose `options` have `connect`, `patience` and `explain_format`.
macro_rules! settings {
    () => {
        /// The most one try may take, from connecting to the last byte. Default: 120 seconds.
        pub fn timeout(mut self, timeout: Duration) -> Self {
            self.options.connect.timeout = timeout;
            self
        }

        /// The most that connecting may take. Default: 10 seconds.
        pub fn connect_timeout(mut self, timeout: Duration) -> Self {
            self.options.connect.connect_timeout = timeout;
            self
        }

        /// How often a failed call is made again. Default: 3; 0 disables.
        pub fn max_retries(mut self, retries: u32) -> Self {
            self.options.patience.max_retries = retries;
            self
        }

        /// The pause before the first retry and the longest one. Pauses double from the one to the
        /// other, and each is lengthened by a random part of itself. Default: 500 ms and 10 s.
        pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
            self.options.patience.first_pause = first;
            self.options.patience.longest_pause = longest;
            self
        }

        /// The longest `Retry-After` that is waited for; where a server asks for more, the call fails.
        /// Default: 60 seconds.
        pub fn max_retry_after(mut self, longest: Duration) -> Self {
            self.options.patience.max_retry_after = longest;
            self
        }

        /// Whether the prompt explains the format of the reply even where the server gets the schema.
        /// Costs tokens, and helps models that are weak under constrained decoding. Default: no.
        pub fn explain_format(mut self, explain: bool) -> Self {
            self.options.explain_format = explain;
            self
        }
    };
}

pub(crate) use settings;
