//! Cached results of searching ahead, so that each part of a text is searched once.

/// The cached searches for quotes.
#[derive(Debug, Default)]
pub(super) struct QuoteSearch {
    /// The start of the last search for a closing quote; `close` is its result.
    pub(super) from: usize,
    pub(super) close: Option<Option<usize>>,
    /// The searches for a later closing quote found none before this offset.
    pub(super) no_later_before: usize,
    /// A bit for each pair of replaced quotes whose closing quote does not occur again.
    pub(super) absent: u8,
}

/// The cached searches for special quotes.
#[derive(Debug, Default)]
pub(super) struct SpecialQuoteSearch {
    /// The offsets of all unmatched opening quotes, computed when the first one is found.
    pub(super) unclosed: Option<Vec<usize>>,
    /// The start and the result of the last search for the next structure.
    pub(super) next_head: Option<(usize, usize)>,
}
