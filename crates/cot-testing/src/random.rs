//! Random numbers that are the same on every platform.

/// A seeded generator of random numbers, independent of the width of `usize`, of time and of hashes.
#[derive(Debug, Clone)]
pub(super) struct Random(fastrand::Rng);

impl Random {
    pub(super) fn seeded(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Derives the seed of one of several independent streams of a run.
    pub(super) const fn derive_seed(seed: u64, run: u64, stream: u64) -> u64 {
        mix(mix(mix(seed).wrapping_add(run)).wrapping_add(stream))
    }

    /// Draws a number below a bound; 0 if the bound is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.0.u64(..bound) }
    }

    /// Draws a number between two bounds, both inclusive. Returns `low` if they are reversed.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        if high <= low { low } else { self.0.u64(low..=high) }
    }

    /// Like [`between`](Self::between), for signed numbers.
    pub(super) fn integer(&mut self, low: i128, high: i128) -> i128 {
        if high <= low { low } else { self.0.i128(low..=high) }
    }

    /// Draws an index of a list with this length.
    pub(super) fn index(&mut self, length: usize) -> usize {
        // Lengths fit into 64 bits, and an index fits into `usize`.
        self.below(length as u64) as usize
    }

    /// Draws an item; `None` if the list is empty.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.index(from.len()))
    }

    /// Returns true with this probability in percent.
    pub(super) fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    /// Draws a number from 0 (inclusive) to 1 (exclusive).
    pub(super) fn fraction(&mut self) -> f64 {
        self.0.f64()
    }
}

/// Maps successive numbers to unrelated ones, with the finalizer of SplitMix64.
const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
