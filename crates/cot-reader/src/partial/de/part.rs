//! A value of which a part may have come.

use serde_json::Value;

use super::not_yet::NotYet;

/// What has come of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'de> {
    pub(super) value: &'de Value,
    /// How many values along the way from this one to the last inside it are not finished.
    pub(super) open: usize,
    /// Whether the last item or member is passed over, as one that can't be read yet.
    pub(super) leaves_last: bool,
    pub(super) place: Place,
}

/// Where a value stands: that says how it may be read before it is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the whole output, made of parts that come in.
    Root,
    /// In an `Incoming`, which tells what is not finished.
    Incoming,
    /// In something that is not finished. If it is read as anything but an `Incoming`, then what it is in
    /// is a type that has to be there as a whole.
    Unfinished,
    /// In something that is finished.
    Finished,
}

impl<'de> Part<'de> {
    /// The value, of which all has come.
    pub(super) fn whole(self) -> Result<&'de Value, NotYet> {
        let is_whole = self.open == 0 && self.place != Place::Unfinished;
        if is_whole { Ok(self.value) } else { Err(NotYet) }
    }

    /// How many of the items or members of this value are given, if any may be.
    pub(super) fn given(self, count: usize) -> Result<usize, NotYet> {
        let given = count.saturating_sub(usize::from(self.leaves_last));
        match self.place {
            Place::Root => Ok(given),
            // Of an empty list nobody can tell whether its type can be given in part.
            Place::Incoming if given > 0 => Ok(given),
            _ => self.whole().map(|_| count),
        }
    }

    /// What is inside this value, at a number.
    pub(super) fn inner(self, value: &'de Value, is_last: bool) -> Self {
        let open = if is_last { self.open.saturating_sub(1) } else { 0 };
        let place = if self.open == 0 { Place::Finished } else { Place::Unfinished };
        Self { value, open, leaves_last: false, place }
    }
}
