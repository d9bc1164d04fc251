//! A text in the form in which it is compared, with the positions in the original.

use std::ops::Range;

use super::characters::{Class, class, fold, is_boundary, is_joined};

/// What a hyphen between two letters counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hyphens {
    /// Nothing: `e-mail` is `email`, and a word that is split between two lines is whole.
    Joined,
    /// A space: `well-known` is `well known`.
    Spaced,
}

/// A text in the form in which it is compared.
#[derive(Debug)]
pub(super) struct Normal {
    pub(super) text: String,
    anchors: Vec<Anchor>,
}

/// A position from which on the two texts are parallel, up to the next anchor.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    at: usize,
    origin: usize,
    /// Whether one character of the original has this position and all that follow.
    is_one: bool,
}

/// What stands between two characters of a text.
#[derive(Debug, Default, Clone, Copy)]
struct Gap {
    has_space: bool,
    dash: Option<usize>,
}

impl Normal {
    pub(super) fn new(original: &str, hyphens: Hyphens) -> Self {
        let mut normal = Self { text: String::with_capacity(original.len()), anchors: Vec::new() };
        let (mut gap, mut last) = (Gap::default(), None);
        for (at, c) in original.char_indices() {
            match class(c) {
                Class::Nothing => {}
                Class::Space => gap.has_space = true,
                Class::Dash => gap.dash = gap.dash.or(Some(at)),
                Class::Mark => {
                    normal.close(std::mem::take(&mut gap), (last, Some(c)), hyphens);
                    normal.push(at, c);
                    last = Some(c);
                }
            }
        }
        normal.close(gap, (last, None), hyphens);
        normal
    }

    /// Returns the range of the original that has a range of the text, which is not empty.
    pub(super) fn origin(&self, range: &Range<usize>, original: &str) -> Range<usize> {
        let (start, last) = (self.origin_of(range.start), self.origin_of(range.end - 1));
        let end = original.ceil_char_boundary(last.saturating_add(1));
        original.floor_char_boundary(start)..end
    }

    /// Returns whether a word can end at a position.
    pub(super) fn is_boundary(&self, at: usize) -> bool {
        let (Some(before), Some(after)) = (self.text.get(..at), self.text.get(at..)) else {
            return false;
        };
        is_boundary(before.chars().next_back(), after.chars().next())
    }

    fn origin_of(&self, at: usize) -> usize {
        let next = self.anchors.partition_point(|anchor| anchor.at <= at);
        match next.checked_sub(1).and_then(|index| self.anchors.get(index)) {
            Some(anchor) if anchor.is_one => anchor.origin,
            Some(anchor) => anchor.origin + (at - anchor.at),
            None => at,
        }
    }

    /// Adds what a gap between two characters counts as.
    fn close(&mut self, gap: Gap, (before, after): (Option<char>, Option<char>), hyphens: Hyphens) {
        let between = before.zip(after);
        let is_in_word = between.is_some_and(|(a, b)| a.is_alphabetic() && b.is_alphabetic());
        let is_space = match gap.dash {
            Some(_) => is_in_word && hyphens == Hyphens::Spaced,
            None => gap.has_space && between.is_some_and(|(a, b)| is_joined(a, b)),
        };
        if is_space {
            self.text.push(' ');
        } else if let Some(at) = gap.dash.filter(|_| !is_in_word) {
            self.push(at, '-');
        }
    }

    fn push(&mut self, origin: usize, c: char) {
        let at = self.text.len();
        fold(c, &mut self.text);
        let is_one = self.text.len() - at != c.len_utf8();
        let is_parallel = self.anchors.last().map_or(at == origin, |last| {
            !last.is_one && at.wrapping_sub(last.at) == origin.wrapping_sub(last.origin)
        });
        if is_one || !is_parallel {
            self.anchors.push(Anchor { at, origin, is_one });
        }
    }
}
