//! The kind of a task, told by what it declares.

use proc_macro2::Ident;

use crate::syntax::{Task, TaskItems};

/// What a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Asks a model.
    Ai,
    /// Asks a model for every item of a list.
    Each,
    /// Runs a function of the user's.
    Code,
    /// Asks a person.
    Human,
    /// Runs another process.
    Process,
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
            Self::Each => "a for-each task",
            Self::Code => "a code task",
            Self::Human => "a human task",
            Self::Process => "a sub-process",
            Self::Gateway => "a gateway",
            Self::End | Self::Fail => "a terminal",
            Self::Unknown => "a task of no kind",
        }
    }

    pub(crate) fn is_terminal(self) -> bool {
        matches!(self, Self::End | Self::Fail)
    }

    /// Whether a model is asked.
    pub(crate) fn asks_a_model(self) -> bool {
        matches!(self, Self::Ai | Self::Each)
    }

    /// Whether it does something, and so can fail at it.
    pub(crate) fn works(self) -> bool {
        self.asks_a_model() || matches!(self, Self::Code | Self::Human | Self::Process)
    }
}

/// The items that alone tell the kind of a task.
fn telling(items: &TaskItems) -> impl Iterator<Item = (Kind, &Ident)> {
    let telling = [
        (Kind::Code, items.run.as_ref().map(|item| &item.key)),
        (Kind::Human, items.ask.as_ref().map(|item| &item.key)),
        (Kind::Process, items.process.as_ref().map(|item| &item.key)),
        (Kind::Each, items.for_each.as_ref().map(|item| &item.key)),
        (Kind::End, items.end.as_ref().map(|item| &item.key)),
        (Kind::Fail, items.fail.as_ref().map(|item| &item.key)),
    ];
    telling.into_iter().filter_map(|(kind, key)| Some((kind, key?)))
}

pub(super) fn of(task: &Task) -> Kind {
    let items = &task.items;
    let asks = task.output.is_some()
        || items.prompt.is_some()
        || items.full_prompt.is_some()
        || items.transitions.is_some();
    match telling(items).next() {
        Some((kind, _)) => kind,
        None if asks => Kind::Ai,
        None if items.next.is_some() => Kind::Gateway,
        None => Kind::Unknown,
    }
}
