//! What was searched ahead, so that it is searched once.

/// What was searched ahead for quotes.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    /// From this place on the next closing quote is known.
    pub(super) from: usize,
    pub(super) close: Option<Option<usize>>,
    /// Before this place no later quote closes a text.
    pub(super) no_later_before: usize,
    /// The closing quotes of other scripts that occur no more.
    pub(super) absent: u8,
}

/// What was searched ahead for special quotes.
#[derive(Debug, Default)]
pub(super) struct Specials {
    /// All opening quotes that nothing closes, once one was found.
    pub(super) unclosed: Option<Vec<usize>>,
    /// From the first place on, the next structure begins at the second.
    pub(super) next_head: Option<(usize, usize)>,
}
