//! An incomplete value.

use serde_json::Value;

use super::not_yet::NotYetError;

/// A value that may be incomplete. It implements `Deserializer`.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartialValue<'de> {
    pub(super) value: &'de Value,
    /// The number of unfinished values on the path from this value to its last descendant.
    pub(super) open: usize,
    /// Whether to skip the last item or member, because it can't be deserialized yet.
    pub(super) leaves_last: bool,
    pub(super) context: Context,
}

/// The context of a value, which determines how an unfinished value is deserialized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// The whole output.
    Root,
    /// The value of an `Incoming`, which can represent unfinished values.
    Incoming,
    /// Directly inside an unfinished value. Unless it is read as an `Incoming`, the outer type must be
    /// complete.
    Unfinished,
    /// Inside a finished value.
    Finished,
}

impl<'de> PartialValue<'de> {
    /// Returns the value if it is complete.
    pub(super) fn whole(self) -> Result<&'de Value, NotYetError> {
        let is_whole = self.open == 0 && self.context != Context::Unfinished;
        if is_whole { Ok(self.value) } else { Err(NotYetError) }
    }

    /// Returns the number of items or members to deserialize, or an error if the value must be complete.
    pub(super) fn given(self, count: usize) -> Result<usize, NotYetError> {
        let given = count.saturating_sub(usize::from(self.leaves_last));
        match self.context {
            Context::Root => Ok(given),
            // An empty list does not show whether its type supports unfinished values.
            Context::Incoming if given > 0 => Ok(given),
            _ => self.whole().map(|_| count),
        }
    }

    /// Returns an item or member of this value.
    pub(super) fn inner(self, value: &'de Value, is_last: bool) -> Self {
        let open = if is_last { self.open.saturating_sub(1) } else { 0 };
        let context = if self.open == 0 { Context::Finished } else { Context::Unfinished };
        Self { value, open, leaves_last: false, context }
    }
}
