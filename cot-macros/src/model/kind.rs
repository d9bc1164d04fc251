//! The kind of a task, told by what it declares.

use proc_macro2::Ident;

use cot_syntax::Task;

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

    /// The kind in words that tell it from every other.
    pub(crate) fn tell(self) -> &'static str {
        match self {
            Self::End => "a terminal that ends well",
            Self::Fail => "a terminal that fails",
            other => other.describe(),
        }
    }

    /// Whether a model or a person is asked.
    pub(crate) const fn asks(self) -> bool {
        matches!(self, Self::Ai | Self::Each | Self::Human)
    }

    pub(crate) fn is_terminal(self) -> bool {
        matches!(self, Self::End | Self::Fail)
    }
}

/// The items that tell the kind of a task.
const TELLING: &[(&str, Kind)] = &[
    ("run", Kind::Code),
    ("ask", Kind::Human),
    ("process", Kind::Process),
    ("for_each", Kind::Each),
    ("end", Kind::End),
    ("fail", Kind::Fail),
    ("prompt", Kind::Ai),
    ("full_prompt", Kind::Ai),
    ("reason", Kind::Ai),
    ("transitions", Kind::Ai),
];

/// The items of a task that tell its kind, in their order.
fn telling(task: &Task) -> impl Iterator<Item = (Kind, &Ident)> {
    task.keys.iter().filter_map(|key| {
        let (_, kind) = TELLING.iter().find(|(word, _)| key == word)?;
        Some((*kind, key))
    })
}

/// The first two items that tell different kinds, if there are such.
pub(super) fn told_twice(task: &Task) -> Option<[(Kind, &Ident); 2]> {
    let first = telling(task).next()?;
    let second = telling(task).find(|&second| !agree(first, second))?;
    Some([first, second])
}

fn agree((kind, key): (Kind, &Ident), (other, other_key): (Kind, &Ident)) -> bool {
    // A for-each task has a prompt, but no transitions.
    let prompts = |key: &Ident| key != "transitions";
    match (kind, other) {
        (Kind::Each, Kind::Ai) => prompts(other_key),
        (Kind::Ai, Kind::Each) => prompts(key),
        _ => kind == other,
    }
}

/// Whether an item that can't be read would tell the kind.
pub(super) fn is_hidden(task: &Task) -> bool {
    TELLING.iter().any(|(word, _)| task.broken.any(&[word]))
}

pub(super) fn of(task: &Task) -> Kind {
    // A for-each task is one whatever its list: what it gives is a list too.
    let can_be_read = |kind, key| kind == Kind::Each || !task.broken.has(key);
    let alone = telling(task).find(|&(kind, key)| kind != Kind::Ai && can_be_read(kind, key));
    let asks = task.output.is_some()
        || task.items.prompt.is_some()
        || task.items.full_prompt.is_some()
        || task.reason().is_some()
        || task.items.transitions.is_some();
    match alone {
        Some((kind, _)) => kind,
        None if asks => Kind::Ai,
        None if task.items.next.is_some() => Kind::Gateway,
        None => Kind::Unknown,
    }
}
