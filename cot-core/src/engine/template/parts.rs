//! The parts of a prompt, by name.

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
    pub(crate) const IN_PROMPT: [Self; 7] = [
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

/// What stands between parts that are put together by [`Scope::prompt_part`](crate::Scope::prompt_part).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Newlines {
    /// An empty line, as in an assembled prompt.
    Keep,
    /// Nothing: each part begins where the one before it ends.
    Omit,
}

/// Why a part of a prompt could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// No part has this name.
    #[error("there is no part `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The name that was probably meant.
        suggestion: Option<String>,
    },
    /// The part is being written already.
    #[error("part `{name}` contains itself")]
    Recursive {
        /// The part's name.
        name: String,
    },
    /// The part's template failed.
    #[error("part `{name}` can't be written: {why}")]
    Failed {
        /// The part's name.
        name: String,
        /// Why it failed, in words.
        why: String,
    },
    /// No prompt is being written, as in a guard, a goal or a mock.
    #[error("parts are only there while a prompt is written")]
    NoPrompt,
}

pub(crate) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(": did you mean `{name}`?")).unwrap_or_default()
}
