//! Errors and separators of prompt parts that are written by name.

/// The separator between parts that `Scope::prompt_part` joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Newlines {
    /// An empty line, as in an assembled prompt.
    Keep,
    /// Nothing: each part follows the previous one directly.
    Omit,
}

/// The error of writing a part of a prompt.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// No part has this name.
    #[error("there is no part `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar name.
        suggestion: Option<String>,
    },
    /// The part contains itself.
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
        /// The reason, in words.
        why: String,
    },
    /// No prompt is being written: parts are not available in a guard, a goal or a mock.
    #[error("parts are available only while a prompt is written")]
    NoPrompt,
}

/// Returns what an error adds about the most similar name.
#[doc(hidden)]
#[must_use]
pub fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(": did you mean `{name}`?")).unwrap_or_default()
}
