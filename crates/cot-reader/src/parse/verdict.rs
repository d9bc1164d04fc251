//! What a quote within a string is.

/// What a quote is, judged by what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It ends the string.
    End,
    /// It is inside the string.
    Inner,
    /// It is inside the string, and so is the one right after it: both are meant as one.
    Twice,
    /// It may be either.
    Unsure,
}
