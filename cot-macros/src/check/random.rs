//! Pseudo-random numbers for tests that generate processes.

/// A pseudo-random number generator that returns the same numbers in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new() -> Self {
        Self(1)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
