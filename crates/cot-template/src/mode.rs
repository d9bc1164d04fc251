//! Presets of partial prompts.

use std::{fmt, str::FromStr};

use cot_schema::internal::closest_name;

use super::{fragment::Fragment, parts::did_you_mean};

/// A preset of the fragments that a partial prompt keeps, named after its purpose.
///
/// Each mode has a camelCase name, which `Display` writes and `FromStr` parses.
///
/// ```
/// use cot_template::PromptMode;
///
/// assert_eq!("errorsOnly".parse(), Ok(PromptMode::ErrorsOnly));
/// assert_eq!(PromptMode::NoData.to_string(), "noData");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PromptMode {
    /// `full`: the complete prompt, as a model receives it.
    #[default]
    Full,
    /// `taskPromptOnly`: the task's own prompt. Shows why a task asks the wrong question.
    TaskPromptOnly,
    /// `transitionDebug`: everything except the intro and the history. Shows why a model chose a transition.
    TransitionDebug,
    /// `stateTracking`: the intro and the task's own prompt, which show the state, and the history. Shows
    /// where the value of a state field comes from.
    StateTracking,
    /// `historyOnly`: history and errors. Shows the steps that led here.
    HistoryOnly,
    /// `errorsOnly`: errors and the task's own prompt. Shows why validation fails.
    ErrorsOnly,
    /// `minimal`: the goal and the task's own prompt. An overview.
    Minimal,
    /// `noData`: the structure without the data. Omits large pieces that show state, and shortens history and
    /// errors.
    NoData,
}

impl PromptMode {
    /// All modes.
    pub const ALL: [Self; 8] = [
        Self::Full,
        Self::TaskPromptOnly,
        Self::TransitionDebug,
        Self::StateTracking,
        Self::HistoryOnly,
        Self::ErrorsOnly,
        Self::Minimal,
        Self::NoData,
    ];

    /// Returns the name of the mode.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::TaskPromptOnly => "taskPromptOnly",
            Self::TransitionDebug => "transitionDebug",
            Self::StateTracking => "stateTracking",
            Self::HistoryOnly => "historyOnly",
            Self::ErrorsOnly => "errorsOnly",
            Self::Minimal => "minimal",
            Self::NoData => "noData",
        }
    }

    /// Parses a mode. For an unknown name, returns the full prompt and the error to report.
    #[must_use]
    pub fn parse_or_full(name: &str) -> (Self, Option<ParsePromptModeError>) {
        match name.parse() {
            Ok(mode) => (mode, None),
            Err(unknown) => (Self::Full, Some(unknown)),
        }
    }

    /// Returns the standard fragments that the mode keeps.
    #[must_use]
    pub const fn fragments(self) -> &'static [Fragment<'static>] {
        use Fragment as F;
        match self {
            Self::Full | Self::NoData => &Fragment::STANDARD,
            Self::TaskPromptOnly => &[F::TaskPrompt],
            Self::TransitionDebug => &[
                F::Goal,
                F::GoalPrimer,
                F::Errors,
                F::ErrorsPrimer,
                F::TaskPrompt,
                F::Transitions,
                F::TransitionsPrimer,
                F::Output,
            ],
            Self::StateTracking => &[F::IntroPrompt, F::History, F::HistoryPrimer, F::TaskPrompt],
            Self::HistoryOnly => &[F::History, F::HistoryPrimer, F::Errors, F::ErrorsPrimer],
            Self::ErrorsOnly => &[F::Errors, F::ErrorsPrimer, F::TaskPrompt],
            Self::Minimal => &[F::Goal, F::GoalPrimer, F::TaskPrompt],
        }
    }
}

impl fmt::Display for PromptMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for PromptMode {
    type Err = ParsePromptModeError;

    fn from_str(name: &str) -> Result<Self, ParsePromptModeError> {
        let known = Self::ALL.into_iter().find(|mode| mode.as_str() == name);
        known.ok_or_else(|| ParsePromptModeError(name.to_owned()))
    }
}

/// The error of parsing a [`PromptMode`] from an unknown name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no prompt mode `{0}`{hint}", hint = suggested_mode(.0))]
pub struct ParsePromptModeError(String);

fn suggested_mode(name: &str) -> String {
    let names = PromptMode::ALL.map(PromptMode::as_str);
    let all = || format!(": the modes are `{}`", names.join("`, `"));
    closest_name(name, names).map_or_else(all, |name| did_you_mean(Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_read_by_the_names_they_print() {
        for mode in PromptMode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
    }

    #[test]
    fn an_unknown_mode_is_reported_and_stands_for_the_full_prompt() {
        let (mode, unknown) = PromptMode::parse_or_full("ErrorOnly");
        assert_eq!(mode, PromptMode::Full);
        let message = unknown.unwrap().to_string();
        assert_eq!(message, "there is no prompt mode `ErrorOnly`: did you mean `errorsOnly`?");
        let (_, unknown) = PromptMode::parse_or_full("");
        assert!(unknown.unwrap().to_string().contains("`minimal`, `noData`"));
        assert_eq!(PromptMode::parse_or_full("minimal"), (PromptMode::Minimal, None));
    }
}
