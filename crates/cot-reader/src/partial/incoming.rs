//! A part of an output, as far as it has come.

/// A part of an output that is still coming in.
///
/// What is finished stays as it is, as long as the engine does not start over; a text that is not finished
/// only grows. Texts, lists and outputs within outputs come in bit by bit. Everything else (numbers, names of
/// variants, dates, types without [`CotOutput`](cot_schema::CotOutput)) is missing until all of it has come.
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
    /// Nothing of it has come, or not yet enough to tell what it is.
    #[default]
    Missing,
    /// What has come so far: the beginning of a text, the first items of a list.
    Unfinished(T),
    /// All of it.
    Finished(T),
}

impl<T> Incoming<T> {
    /// What has come so far.
    pub const fn get(&self) -> Option<&T> {
        match self {
            Self::Missing => None,
            Self::Unfinished(value) | Self::Finished(value) => Some(value),
        }
    }

    /// The value, once all of it has come.
    pub const fn finished(&self) -> Option<&T> {
        match self {
            Self::Finished(value) => Some(value),
            Self::Missing | Self::Unfinished(_) => None,
        }
    }

    /// Whether all of it has come.
    pub const fn is_finished(&self) -> bool {
        matches!(self, Self::Finished(_))
    }
}
