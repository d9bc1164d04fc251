//! The names of the parts of a request.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A standard part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PartName {
    /// The system message, which is separate from the prompt.
    System,
    /// The earlier turns of a conversation and the examples, between the system message and the prompt.
    Turns,
    /// The introduction of the prompt.
    Intro,
    /// The goal of the process.
    Goal,
    /// The history of completed tasks.
    History,
    /// The errors in the previous reply.
    Errors,
    /// The instructions of the task, including the optional parts that are visible.
    Prompt,
    /// The transitions among which the model can choose.
    Transitions,
    /// The required format of the reply.
    Output,
    /// The tools that the model can call, separate from the prompt.
    Tools,
    /// The calls of tools and their results, after the prompt.
    Rounds,
}

impl PartName {
    /// The parts of a prompt in the default order of parts of equal stability.
    #[doc(hidden)]
    pub const PROMPT_PARTS: [Self; 7] = [
        Self::Intro,
        Self::Goal,
        Self::Prompt,
        Self::Output,
        Self::History,
        Self::Transitions,
        Self::Errors,
    ];

    /// Returns the name of the part, such as `intro` or `goal`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Turns => "turns",
            Self::Intro => "intro",
            Self::Goal => "goal",
            Self::History => "history",
            Self::Errors => "errors",
            Self::Prompt => "prompt",
            Self::Transitions => "transitions",
            Self::Output => "output",
            Self::Tools => "tools",
            Self::Rounds => "rounds",
        }
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
