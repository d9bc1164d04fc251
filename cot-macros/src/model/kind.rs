//! The kind of a task, told by what it declares.

use crate::syntax::Task;

/// What a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Asks a model.
    Ai,
    /// Only routes.
    Gateway,
    /// Ends the process well.
    End,
    /// Ends the process badly.
    Fail,
    /// Nothing tells.
    Unknown,
}

impl Kind {
    /// The kind in words, for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Ai => "an AI task",
            Self::Gateway => "a gateway",
            Self::End | Self::Fail => "a terminal",
            Self::Unknown => "a task of no kind",
        }
    }

    pub(crate) fn is_terminal(self) -> bool {
        matches!(self, Self::End | Self::Fail)
    }
}

pub(super) fn of(task: &Task) -> Kind {
    let items = &task.items;
    let asks = task.output.is_some()
        || items.prompt.is_some()
        || items.full_prompt.is_some()
        || items.transitions.is_some();
    if items.end.is_some() {
        Kind::End
    } else if items.fail.is_some() {
        Kind::Fail
    } else if asks {
        Kind::Ai
    } else if items.next.is_some() {
        Kind::Gateway
    } else {
        Kind::Unknown
    }
}
