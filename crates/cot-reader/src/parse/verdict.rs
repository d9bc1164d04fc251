//! The classification of a quote within a string.

/// The classification of a quote by the following text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The quote ends the string.
    End,
    /// The quote is part of the string.
    Inner,
    /// The quote and the one after it are part of the string, as a single quote.
    Twice,
    /// Ambiguous.
    Unsure,
}
