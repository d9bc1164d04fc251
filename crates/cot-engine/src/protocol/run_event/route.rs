//! The reason for which a run goes from one task to the next.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::process::tables::OnRoutes;

/// The reason for which a run goes from one task to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Route {
    /// The model chose a transition.
    Transition,
    /// The only transition that was open, taken without a call.
    OnlyTransition,
    /// `process_output` chose the task.
    Choice,
    /// An arm of `next`, by its index.
    Next(usize),
    /// An arm of `next`, read from a journal, which does not contain the index.
    AnyNext,
    /// The next task of the sequence.
    Sequence,
    /// `default_return`.
    DefaultReturn,
    /// Back to the calling task. Without a calling task the run ends.
    Return,
    /// A route of `on`, by its name.
    On(&'static str),
    /// No next task: the run ends here, at a terminal or because it halts.
    End,
}

impl Route {
    /// The routes that are serialized as a fixed word.
    const PLAIN: [Self; 8] = [
        Self::Transition,
        Self::OnlyTransition,
        Self::Choice,
        Self::AnyNext,
        Self::Sequence,
        Self::DefaultReturn,
        Self::Return,
        Self::End,
    ];

    /// Returns the route as a word: `transition`, `only_transition`, `choice`, `next`, `sequence`,
    /// `default_return`, `return`, `end`, or the name of a route of `on`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Transition => "transition",
            Self::OnlyTransition => "only_transition",
            Self::Choice => "choice",
            Self::Next(_) | Self::AnyNext => "next",
            Self::Sequence => "sequence",
            Self::DefaultReturn => "default_return",
            Self::Return => "return",
            Self::On(name) => name,
            Self::End => "end",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        let on = || OnRoutes::NAMES.into_iter().find(|name| *name == word).map(Self::On);
        Self::PLAIN.into_iter().find(|route| route.word() == word).or_else(on)
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl Serialize for Route {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Route {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Self::from_word(&word).ok_or_else(|| D::Error::custom(format!("no route `{word}`")))
    }
}
