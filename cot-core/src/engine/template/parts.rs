//! The parts of a prompt, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::engine::{
    process::{process::Process, scope::Scope, tables::Template},
    template::writer::PromptWriter,
};

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

/// What stands between parts that are put together by [`Scope::prompt_part`].
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

impl<P: Process> Scope<'_, P> {
    /// Parts of the prompt, put together in the order in which they are named: `intro`, `goal`,
    /// `history`, `errors`, `prompt` (the task's own), `transitions`, `output`, and those of
    /// `prompts`. Each has its primer; one that has nothing to say is empty. The goal alone is
    /// [`goal`](Scope::goal).
    ///
    /// # Errors
    ///
    /// When no part has such a name, when a part would contain itself, when its template fails, or
    /// when no prompt is being written.
    ///
    /// ```
    /// # #![allow(dead_code, reason = "no process is declared here")]
    /// use cot_core::{Newlines, Process, Scope};
    ///
    /// fn opening<P: Process>(scope: &Scope<P>) -> String {
    ///     let parts = scope.prompt_part(&["intro", "goal"], Newlines::Keep);
    ///     parts.unwrap_or_else(|error| format!("({error})"))
    /// }
    /// ```
    pub fn prompt_part(&self, names: &[&str], newlines: Newlines) -> Result<String, PartError> {
        let source = self.parts.ok_or(PartError::NoPrompt)?;
        let mut writer = source.writer();
        for name in names {
            let before = writer.len();
            if before > 0 && newlines == Newlines::Keep {
                writer.write_text("\n\n");
            }
            let start = writer.len();
            source.write_part(name, &mut writer)?;
            if writer.len() == start {
                writer.truncate(before);
            }
        }
        Ok(writer.finish())
    }
}

/// `part(name)` of a standard part, in a template.
///
/// # Errors
///
/// When the part can't be written.
pub fn standard_part<P: Process>(
    scope: &Scope<'_, P>,
    out: &mut PromptWriter,
    name: &str,
) -> fmt::Result {
    let written = match scope.parts {
        Some(source) => source.write_part(name, out),
        None => Err(PartError::NoPrompt),
    };
    written.map_err(|error| out.fail(error.to_string()))
}

/// `part(name)` of a part of `prompts`, in a template.
///
/// # Errors
///
/// When the part can't be written.
pub fn own_part<P: Process>(
    scope: &Scope<'_, P>,
    out: &mut PromptWriter,
    name: &str,
    write: Template<P>,
) -> fmt::Result {
    if out.begins_part(name) { write(scope, out) } else { Ok(()) }
}

pub(crate) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(": did you mean `{name}`?")).unwrap_or_default()
}
