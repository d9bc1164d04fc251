//! Chance that is the same on every machine.

/// Random numbers from a seed. Nothing here depends on the width of `usize`, on time, or on a hash.
#[derive(Debug, Clone)]
pub(super) struct Random(fastrand::Rng);

impl Random {
    pub(super) fn seeded(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A seed of its own for each of several streams of a run.
    pub(super) const fn seed_of(seed: u64, run: u64, stream: u64) -> u64 {
        mixed(mixed(mixed(seed).wrapping_add(run)).wrapping_add(stream))
    }

    /// A number below a bound; 0 below 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.0.u64(..bound) }
    }

    /// A number between two, both included; the lower one when they are the wrong way round.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        if high <= low { low } else { self.0.u64(low..=high) }
    }

    /// The same for numbers of any sign.
    pub(super) fn integer(&mut self, low: i128, high: i128) -> i128 {
        if high <= low { low } else { self.0.i128(low..=high) }
    }

    /// A position in a list of this length.
    pub(super) fn index(&mut self, length: usize) -> usize {
        // Lengths fit into 64 bits, and what is below a length fits into `usize`.
        self.below(length as u64) as usize
    }

    /// One of several; `None` of none.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.index(from.len()))
    }

    /// Yes, in so many cases of a hundred.
    pub(super) fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    /// A number from 0 on, below 1.
    pub(super) fn fraction(&mut self) -> f64 {
        self.0.f64()
    }
}

/// Makes numbers that have nothing to do with each other out of neighbours: the finalizer of
/// SplitMix64.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
