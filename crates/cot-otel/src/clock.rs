//! The only file that reads a clock.
#![expect(clippy::disallowed_methods, reason = "the one file that may use clocks")]

use std::time::{Duration, Instant};

/// Measures the time since its start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
