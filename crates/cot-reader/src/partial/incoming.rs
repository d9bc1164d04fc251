//! A part of an incomplete output.

/// A part of an output that is still being received.
///
/// A finished part no longer changes, and an unfinished text only grows, unless the engine restarts the
/// reply. Texts, lists and nested outputs are received incrementally. All other values (numbers, names of
/// variants, dates and types without [`CotOutput`](cot_schema::CotOutput)) are missing until they are
/// complete.
///
/// ```
/// use cot_core::Incoming;
///
/// let title = Incoming::Unfinished("A short hist".to_owned());
/// assert_eq!(title.get().map(String::as_str), Some("A short hist"));
/// assert_eq!(title.finished(), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Incoming<T> {
    /// Nothing was received yet, or too little to be used.
    #[default]
    Missing,
    /// The value received so far: the beginning of a text, the first items of a list.
    Unfinished(T),
    /// The complete value.
    Finished(T),
}

impl<T> Incoming<T> {
    /// Returns the value received so far.
    pub const fn get(&self) -> Option<&T> {
        match self {
            Self::Missing => None,
            Self::Unfinished(value) | Self::Finished(value) => Some(value),
        }
    }

    /// Returns the value if it is complete.
    pub const fn finished(&self) -> Option<&T> {
        match self {
            Self::Finished(value) => Some(value),
            Self::Missing | Self::Unfinished(_) => None,
        }
    }

    /// Returns whether the value is complete.
    pub const fn is_finished(&self) -> bool {
        matches!(self, Self::Finished(_))
    }
}
