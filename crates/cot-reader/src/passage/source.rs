//! A text in which values are looked up.

use std::{cell::OnceCell, collections::HashMap, ops::Range};

use fnv::FnvBuildHasher;
use memchr::memmem::Finder;

use super::normal::{Hyphens, Normal};

/// How often the bytes of a source are compared at most for one value.
const MAX_ROUNDS: usize = 8;
/// The length of the beginning of a value by which the nearest passage is looked up.
const MAX_NEAR_BYTES: usize = 400;
/// The largest extension of the nearest passage to the ends of its words.
const MAX_WORD_BYTES: usize = 40;
/// The length of the pieces that two similar texts have in common.
const PIECE: usize = 3;

/// A text in which values are looked up.
#[derive(Debug)]
pub(super) struct Source<'s> {
    pub(super) text: &'s str,
    joined: Normal,
    spaced: OnceCell<Normal>,
}

impl<'s> Source<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self { text, joined: Normal::new(text, Hyphens::Joined), spaced: OnceCell::new() }
    }

    /// Returns the place of a value as whole words; the first one. `None` also if the value has no text.
    pub(super) fn find(&self, value: &str) -> Option<Range<usize>> {
        let find = |value: &str| {
            find_in(&self.joined, self.text, &Normal::new(value, Hyphens::Joined)).or_else(|| {
                let spaced = self.spaced.get_or_init(|| Normal::new(self.text, Hyphens::Spaced));
                find_in(spaced, self.text, &Normal::new(value, Hyphens::Spaced))
            })
        };
        find(value).or_else(|| {
            // A sentence that was quoted may end with a mark of its own.
            let bare = value.trim_matches(|c: char| c.is_whitespace() || ".,;:!?\"'“”".contains(c));
            find(Some(bare).filter(|bare| bare.len() < value.len())?)
        })
    }

    /// Returns the passage that has most in common with a value, if there is one that has much. The work is linear
    /// in the length of the text.
    pub(super) fn nearest(&self, value: &str) -> Option<Range<usize>> {
        let value = Normal::new(value, Hyphens::Joined).text;
        let value = &value.as_bytes()[..value.len().min(MAX_NEAR_BYTES)];
        let text = &self.joined;
        let shared = Window::best(value, text.text.as_bytes())?;
        let is_end = |at: &usize| text.is_boundary(*at);
        let words = shared.start.saturating_sub(MAX_WORD_BYTES)..=shared.start;
        let start = words.rev().find(is_end).unwrap_or(shared.start);
        let words = shared.end..=shared.end.saturating_add(MAX_WORD_BYTES);
        let end = words.into_iter().find(is_end).unwrap_or(shared.end);
        Some(text.origin(&(start..end), self.text))
    }
}

fn find_in(source: &Normal, original: &str, value: &Normal) -> Option<Range<usize>> {
    let (text, length) = (source.text.as_bytes(), value.text.len());
    if length == 0 {
        return None;
    }
    let finder = Finder::new(value.text.as_bytes());
    let (mut from, mut work) = (0, 0);
    // Each match that is no whole word is compared in full, so that their number has a bound.
    while work <= text.len().saturating_mul(MAX_ROUNDS) {
        let start = from + finder.find(text.get(from..)?)?;
        let end = start + length;
        if source.is_boundary(start) && source.is_boundary(end) {
            return Some(source.origin(&(start..end), original));
        }
        work += start - from + length;
        from = start + 1;
    }
    None
}

/// A window that moves over a text, with the number of pieces that it has in common with a value.
struct Window {
    /// How often the value has each piece, and the window.
    counts: HashMap<[u8; PIECE], (u32, u32), FnvBuildHasher>,
    score: usize,
}

impl Window {
    /// Returns the part of a text that has most pieces in common with a value, if these are at least a third of them.
    fn best(value: &[u8], text: &[u8]) -> Option<Range<usize>> {
        // The number of pieces within a window.
        let width = (value.len() + 1).checked_sub(PIECE).filter(|width| *width > 0)?;
        let mut window = Self { counts: HashMap::default(), score: 0 };
        for piece in pieces(value) {
            window.counts.entry(piece).or_default().0 += 1;
        }
        let (mut best, mut most) = (0, 0);
        let mut leaving = pieces(text);
        for (index, piece) in pieces(text).enumerate() {
            if index >= width {
                leaving.next().into_iter().for_each(|piece| window.leave(piece));
            }
            window.enter(piece);
            if window.score > most {
                (best, most) = ((index + 1).saturating_sub(width), window.score);
            }
        }
        let in_best = pieces(text).enumerate().skip(best).take(width);
        let shared = in_best.filter(|(_, piece)| window.counts.contains_key(piece));
        let mut shared = shared.map(|(at, _)| at).filter(|_| most * 3 >= width);
        let first = shared.next()?;
        Some(first..shared.last().unwrap_or(first) + PIECE)
    }

    fn enter(&mut self, piece: [u8; PIECE]) {
        if let Some((needed, there)) = self.counts.get_mut(&piece) {
            *there += 1;
            self.score += usize::from(there <= needed);
        }
    }

    fn leave(&mut self, piece: [u8; PIECE]) {
        if let Some((needed, there)) = self.counts.get_mut(&piece) {
            self.score -= usize::from(there <= needed);
            *there -= 1;
        }
    }
}

fn pieces(text: &[u8]) -> impl Iterator<Item = [u8; PIECE]> + '_ {
    text.windows(PIECE).filter_map(|piece| piece.try_into().ok())
}
