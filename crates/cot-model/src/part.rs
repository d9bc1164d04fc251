//! The parts of what a model is sent, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A standard part of what a model is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PartName {
    /// The system message, which stands beside the prompt.
    System,
    /// The opening.
    Intro,
    /// The goal.
    Goal,
    /// What has been done so far.
    History,
    /// What was wrong with the last reply.
    Errors,
    /// The task's own guidance, with the optional parts that it shows.
    Prompt,
    /// Where the model may choose to go.
    Transitions,
    /// What the reply has to look like.
    Output,
}

impl PartName {
    /// The parts of a prompt, in their order.
    #[doc(hidden)]
    pub const IN_PROMPT: [Self; 7] = [
        Self::Intro,
        Self::Goal,
        Self::History,
        Self::Errors,
        Self::Prompt,
        Self::Transitions,
        Self::Output,
    ];

    /// The part's name: `intro`, `goal` and so on.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Intro => "intro",
            Self::Goal => "goal",
            Self::History => "history",
            Self::Errors => "errors",
            Self::Prompt => "prompt",
            Self::Transitions => "transitions",
            Self::Output => "output",
        }
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
