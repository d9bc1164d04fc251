//! Finds the ranges of a text that can be copied: from the old text, or from an earlier part of the new
//! text.

use std::{iter::zip, ops::Range};

/// A range of the new text that occurs elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CopyRange {
    /// Where to copy it from: an offset in the known text, or past its end in the new text.
    pub(super) from: usize,
    /// Its offset in the new text.
    pub(super) to: usize,
    /// Its length in bytes.
    pub(super) length: usize,
}

impl CopyRange {
    pub(super) const fn end(&self) -> usize {
        self.to + self.length
    }
}

/// The minimum number of equal bytes of a copy.
const WINDOW: usize = 16;
/// The distance between the indexed windows of the old text. A copy that is longer than a window and this
/// distance together is always found.
const OLD_STRIDE: usize = 8;
/// The distance between the indexed windows of the new text.
const NEW_STRIDE: usize = 4;
/// How far a copy may be extended backwards over the copies found before it. Bounded, since otherwise a
/// repetitive text would be compared again and again.
const REACH: usize = 256;

/// Returns the ranges of the new text that are copies, in order and without overlaps. The first `old_length` bytes of
/// `known` are the old text, which the new one resembles. Both texts must be shorter than 2^31 bytes.
pub(super) fn find_copies(known: &[u8], old_length: usize, new: &[u8]) -> Vec<CopyRange> {
    let old = &known[..old_length];
    let prefix = common_prefix(old, new);
    let suffix = common_suffix(&old[prefix..], &new[prefix..]);
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    let mut search = Search::new(known, new);
    search.add_copy(CopyRange { from: 0, to: 0, length: prefix });
    if new_end - prefix >= WINDOW {
        search.index_old_text([prefix..old_end, old_length..known.len()], new_end - prefix);
        search.find_in(prefix, new_end);
    }
    search.add_copy(CopyRange { from: old_end, to: new_end, length: suffix });
    search.copies
}

struct Search<'a> {
    old: &'a [u8],
    new: &'a [u8],
    /// The offset of an indexed window plus one, by its hash. Of windows with the same hash, the last one
    /// counts.
    offsets: Vec<u32>,
    shift: u32,
    copies: Vec<CopyRange>,
}

impl<'a> Search<'a> {
    const fn new(old: &'a [u8], new: &'a [u8]) -> Self {
        Self { old, new, offsets: Vec::new(), shift: 0, copies: Vec::new() }
    }

    /// Indexes the windows of the old text in these ranges, for so many bytes of the new text.
    fn index_old_text(&mut self, ranges: [Range<usize>; 2], new: usize) {
        let old: usize = ranges.iter().map(Range::len).sum();
        let windows = old / OLD_STRIDE + new / NEW_STRIDE / 4;
        let bits = windows.max(64).next_power_of_two().trailing_zeros();
        self.offsets = vec![0; 1 << bits];
        self.shift = u64::BITS - bits;
        for range in ranges {
            let start = range.start;
            let windows = self.old[range].windows(WINDOW).step_by(OLD_STRIDE);
            for (window, at) in zip(windows, (start..).step_by(OLD_STRIDE)) {
                self.index_window(hash(window), at);
            }
        }
    }

    fn index_window(&mut self, hash: u64, at: usize) {
        let slot = self.slot(hash);
        if let (Some(offset), Ok(at)) = (self.offsets.get_mut(slot), u32::try_from(at + 1)) {
            *offset = at;
        }
    }

    fn slot(&self, hash: u64) -> usize {
        usize::try_from(hash >> self.shift).unwrap_or_default()
    }

    /// Finds the copies in a range of the new text.
    fn find_in(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at + WINDOW <= end {
            let hash = hash(&self.new[at..at + WINDOW]);
            if let Some(range) = self.longest_copy(hash, at, end) {
                self.add_copy(self.extend_backwards(range));
                at = range.end();
                continue;
            }
            if at.is_multiple_of(NEW_STRIDE) {
                self.index_window(hash, self.old.len() + at);
            }
            at += 1;
        }
    }

    /// Returns the longest copy that starts with the window at `at`.
    fn longest_copy(&self, hash: u64, at: usize, end: usize) -> Option<CopyRange> {
        let offset = *self.offsets.get(self.slot(hash))?;
        let from = usize::try_from(offset).ok()?.checked_sub(1)?;
        // The new text can be copied only up to the current offset.
        let source = match from.checked_sub(self.old.len()) {
            None => &self.old[from..],
            Some(from) => &self.new[from..at],
        };
        let length = common_prefix(source, &self.new[at..end]);
        (length >= WINDOW).then_some(CopyRange { from, to: at, length })
    }

    /// Extends a copy backwards over equal bytes.
    fn extend_backwards(&self, CopyRange { from, to, length }: CopyRange) -> CopyRange {
        let unclaimed = self.copies.last().map_or(0, CopyRange::end);
        let reach = to - unclaimed.saturating_sub(REACH);
        let (source, reach) = match from.checked_sub(self.old.len()) {
            None => (&self.old[..from], reach),
            Some(from) => (&self.new[..from], reach.min(to - from - length)),
        };
        let before = &self.new[to - reach.min(to)..to];
        let more = common_suffix(source, before);
        CopyRange { from: from - more, to: to - more, length: length + more }
    }

    /// Adds a copy; it takes precedence over earlier copies that it overlaps.
    fn add_copy(&mut self, range: CopyRange) {
        while self.copies.pop_if(|last| last.to >= range.to).is_some() {}
        if let Some(last) = self.copies.last_mut() {
            last.length = last.length.min(range.to - last.to);
            let is_adjacent = last.end() == range.to && last.from + last.length == range.from;
            if is_adjacent && range.from != self.old.len() {
                last.length += range.length;
                return;
            }
        }
        if range.length > 0 {
            self.copies.push(range);
        }
    }
}

/// Hashes a window. The upper bits are well distributed.
fn hash(window: &[u8]) -> u64 {
    let words = window.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
    words.fold(0, |hash: u64, word| {
        (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// The number of bytes that are compared at once.
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
