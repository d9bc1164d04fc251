//! What the process declares about trust.

use cot_syntax::{ClearsValue, StateField, TrustValue};

use crate::model::{Model, Task};

/// Returns whether the process says where untrusted values come from, so that they are followed. Without that, nothing
/// is untrusted.
pub(crate) fn is_followed(model: &Model<'_>) -> bool {
    model.syntax.items.trust.is_some()
        || model.state_fields().iter().any(StateField::is_untrusted)
        || model.tools.iter().any(|tool| tool.items.untrusted.is_some())
}

/// Returns whether it is an error that an untrusted value reaches an effect, not a warning.
pub(crate) fn is_strict(model: &Model<'_>) -> bool {
    model.syntax.items.trust.as_ref().is_some_and(|item| item.value == TrustValue::Strict)
}

/// A mark whose values are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Untrusted,
    Private,
}

impl Mark {
    /// Returns whether a field has the mark.
    pub(super) fn is_on(self, field: &StateField) -> bool {
        match self {
            Self::Untrusted => field.is_untrusted(),
            Self::Private => field.is_private(),
        }
    }

    /// Returns whether the output of a task does not have the mark, whatever the task was shown.
    pub(super) fn is_cleared_by(self, task: &Task<'_>) -> bool {
        let cleared = match self {
            Self::Untrusted => ClearsValue::Untrusted,
            Self::Private => ClearsValue::Private,
        };
        task.syntax.items.clears.as_ref().is_some_and(|item| item.value == cleared)
    }
}

impl Task<'_> {
    /// Returns whether the task says why untrusted values may reach what it does.
    pub(super) fn trusts(&self) -> bool {
        self.syntax.items.trusts.is_some()
    }
}
