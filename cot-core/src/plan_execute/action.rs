//! What a model wants to happen next.

use std::{convert::Infallible, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// What a model wants to happen next.
///
/// In replies it is a word: `continue`, `stop`, or the name of a tool.
///
/// ```
/// use cot_core::plan_execute::Action;
///
/// assert_eq!(Action::from(" Stop"), Action::Stop);
/// assert_eq!(Action::from("search"), Action::Tool("search".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Action {
    /// Go on with the next task of the list.
    Continue,
    /// Everything is said.
    Stop,
    /// Call the tool of this name, and go on.
    Tool(String),
}

impl Action {
    /// The name of the tool, if it is one.
    pub(super) fn name(&self) -> Option<&str> {
        if let Self::Tool(name) = self { Some(name) } else { None }
    }
}

impl From<&str> for Action {
    fn from(word: &str) -> Self {
        let word = word.trim();
        if word.eq_ignore_ascii_case("continue") {
            Self::Continue
        } else if word.eq_ignore_ascii_case("stop") {
            Self::Stop
        } else {
            Self::Tool(word.to_owned())
        }
    }
}

impl From<String> for Action {
    fn from(word: String) -> Self {
        Self::from(word.as_str())
    }
}

impl FromStr for Action {
    type Err = Infallible;

    fn from_str(word: &str) -> Result<Self, Infallible> {
        Ok(word.into())
    }
}

impl From<Action> for String {
    fn from(action: Action) -> Self {
        match action {
            Action::Tool(name) => name,
            word => word.to_string(),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Continue => "continue",
            Self::Stop => "stop",
            Self::Tool(name) => name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for (word, action) in [
            ("continue", Action::Continue),
            ("\tCONTINUE\n", Action::Continue),
            ("Stop ", Action::Stop),
            ("web_search", Action::Tool("web_search".to_owned())),
            ("stopped", Action::Tool("stopped".to_owned())),
        ] {
            assert_eq!(Action::from(word), action);
            assert_eq!(action.to_string().parse::<Action>(), Ok(action.clone()));
            let json = serde_json::to_string(&action).unwrap();
            assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action);
        }
    }
}
