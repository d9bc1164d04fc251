//! Finds what of a text is a copy: of the text before it, or of what it says itself before.

use std::iter::zip;

/// A stretch of the new text that is found elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Where it is found: in the old text, or beyond its end in the new one.
    pub(super) from: usize,
    /// Where it stands in the new text.
    pub(super) to: usize,
    /// How long it is.
    pub(super) length: usize,
}

impl Stretch {
    pub(super) const fn end(&self) -> usize {
        self.to + self.length
    }
}

/// How many bytes have to be the same for a stretch to be found.
const WINDOW: usize = 16;
/// The old text is known by a window at every so many bytes. A stretch that is longer than both together is
/// found for sure.
const OLD_STRIDE: usize = 8;
/// The same for what is new in the new text.
const NEW_STRIDE: usize = 4;
/// How far a stretch may reach back into those found before it, which it may make superfluous. Bounded, since
/// a text that repeats itself would be compared over and over.
const REACH: usize = 256;

/// The stretches of the new text that are copies, in order and apart from each other. Both texts have
/// less than 2^31 bytes.
pub(super) fn copies(old: &[u8], new: &[u8]) -> Vec<Stretch> {
    let prefix = common_prefix(old, new);
    let suffix = common_suffix(&old[prefix..], &new[prefix..]);
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    let mut search = Search::new(old, new);
    search.found(Stretch { from: 0, to: 0, length: prefix });
    if new_end - prefix >= WINDOW {
        search.learn(prefix, old_end, new_end);
        search.scan(prefix, new_end);
    }
    search.found(Stretch { from: old_end, to: new_end, length: suffix });
    search.found
}

struct Search<'a> {
    old: &'a [u8],
    new: &'a [u8],
    /// Where a window is found, plus one; by its hash, the last of those with the same hash.
    places: Vec<u32>,
    shift: u32,
    found: Vec<Stretch>,
}

impl<'a> Search<'a> {
    const fn new(old: &'a [u8], new: &'a [u8]) -> Self {
        Self { old, new, places: Vec::new(), shift: 0, found: Vec::new() }
    }

    /// Learns where what is in the old text.
    fn learn(&mut self, start: usize, old_end: usize, new_end: usize) {
        let windows = (old_end - start) / OLD_STRIDE + (new_end - start) / NEW_STRIDE / 4;
        let bits = windows.max(64).next_power_of_two().trailing_zeros();
        self.places = vec![0; 1 << bits];
        self.shift = u64::BITS - bits;
        let windows = self.old[start..old_end].windows(WINDOW).step_by(OLD_STRIDE);
        for (window, at) in zip(windows, (start..).step_by(OLD_STRIDE)) {
            self.remember(hash(window), at);
        }
    }

    fn remember(&mut self, hash: u64, at: usize) {
        let slot = self.slot(hash);
        if let (Some(place), Ok(at)) = (self.places.get_mut(slot), u32::try_from(at + 1)) {
            *place = at;
        }
    }

    fn slot(&self, hash: u64) -> usize {
        usize::try_from(hash >> self.shift).unwrap_or_default()
    }

    /// Goes through the new text.
    fn scan(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at + WINDOW <= end {
            let hash = hash(&self.new[at..at + WINDOW]);
            if let Some(stretch) = self.longest(hash, at, end) {
                self.found(self.reaching_back(stretch));
                at = stretch.end();
                continue;
            }
            if at.is_multiple_of(NEW_STRIDE) {
                self.remember(hash, self.old.len() + at);
            }
            at += 1;
        }
    }

    /// What begins with this window and is found before.
    fn longest(&self, hash: u64, at: usize, end: usize) -> Option<Stretch> {
        let place = *self.places.get(self.slot(hash))?;
        let from = usize::try_from(place).ok()?.checked_sub(1)?;
        // A copy of the new text ends where it has been written so far.
        let source = match from.checked_sub(self.old.len()) {
            None => &self.old[from..],
            Some(from) => &self.new[from..at],
        };
        let length = common_prefix(source, &self.new[at..end]);
        (length >= WINDOW).then_some(Stretch { from, to: at, length })
    }

    /// The same stretch with what is the same before it too.
    fn reaching_back(&self, Stretch { from, to, length }: Stretch) -> Stretch {
        let unclaimed = self.found.last().map_or(0, Stretch::end);
        let reach = to - unclaimed.saturating_sub(REACH);
        let (source, reach) = match from.checked_sub(self.old.len()) {
            None => (&self.old[..from], reach),
            Some(from) => (&self.new[..from], reach.min(to - from - length)),
        };
        let before = &self.new[to - reach.min(to)..to];
        let more = common_suffix(source, before);
        Stretch { from: from - more, to: to - more, length: length + more }
    }

    /// Adds a stretch, which wins over those before it.
    fn found(&mut self, stretch: Stretch) {
        while self.found.pop_if(|last| last.to >= stretch.to).is_some() {}
        if let Some(last) = self.found.last_mut() {
            last.length = last.length.min(stretch.to - last.to);
            let goes_on = last.end() == stretch.to && last.from + last.length == stretch.from;
            if goes_on && stretch.from != self.old.len() {
                last.length += stretch.length;
                return;
            }
        }
        if stretch.length > 0 {
            self.found.push(stretch);
        }
    }
}

/// A hash whose upper bits are good.
fn hash(window: &[u8]) -> u64 {
    let words = window.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
    words.fold(0, |hash: u64, word| {
        (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// How many bytes are compared at once.
const CHUNK: usize = 32;

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let chunks = zip(a.as_chunks::<CHUNK>().0, b.as_chunks::<CHUNK>().0);
    let same = CHUNK * chunks.take_while(|(a, b)| a == b).count();
    same + zip(&a[same..], &b[same..]).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let chunks =
        zip(a.as_rchunks::<CHUNK>().1.iter().rev(), b.as_rchunks::<CHUNK>().1.iter().rev());
    let same = CHUNK * chunks.take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    same + zip(a.iter().rev(), b.iter().rev()).take_while(|(a, b)| a == b).count()
}
