//! The action that a model requests next.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::text::words;

/// The action that a model requests next.
///
/// In replies it is a word: `continue`, `stop`, or the name of a tool.
///
/// ```
/// use cot_core::plan_execute::Action;
///
/// assert_eq!(Action::from(" Stop"), Action::Stop);
/// assert_eq!(Action::from("search"), Action::Tool("search".to_owned()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Action {
    /// Work on the next task of the list.
    #[default]
    Continue,
    /// End the run; the answer is complete.
    Stop,
    /// Call the tool of this name, then continue.
    Tool(String),
}

/// Synonyms of *continue*.
const CONTINUE: [&str; 9] = [
    "continue",
    "continuing",
    "proceed",
    "next",
    "go on",
    "keep going",
    "resume",
    "next step",
    "next task",
];

/// Synonyms of *stop*.
const STOP: [&str; 17] = [
    "stop",
    "stopped",
    "done",
    "finish",
    "finished",
    "complete",
    "completed",
    "end",
    "ended",
    "final",
    "final answer",
    "answer",
    "finalize",
    "conclude",
    "halt",
    "exit",
    "all done",
];

impl Action {
    /// Parses the action from a word of a reply. The name of a given tool takes precedence, then *continue*
    /// and *stop* with their synonyms; case and punctuation are ignored. Any other word becomes the name of
    /// a tool.
    pub(super) fn parse_word(word: &str, tools: &[String]) -> Self {
        let tool = |name: &str| tools.iter().find(|tool| tool.eq_ignore_ascii_case(name)).cloned();
        let exact = || tools.iter().find(|tool| *tool == word.trim()).cloned();
        let plain = normalize(word);
        let first = plain.split_whitespace().next().unwrap_or_default();
        let called = word.split('(').next().unwrap_or_default().trim();
        if let Some(name) = exact().or_else(|| tool(word.trim())).or_else(|| tool(called)) {
            return Self::Tool(name);
        }
        let is_plain = |tool: &&String| !plain.is_empty() && normalize(tool) == plain;
        if let Some(name) = tools.iter().find(is_plain) {
            return Self::Tool(name.clone());
        }
        if CONTINUE.contains(&&*plain) || first == "continue" {
            Self::Continue
        } else if STOP.contains(&&*plain) || first == "stop" {
            Self::Stop
        } else {
            Self::from(word)
        }
    }

    /// Returns the name of the tool, if the action is one.
    pub(super) fn tool_name(&self) -> Option<&str> {
        if let Self::Tool(name) = self { Some(name) } else { None }
    }
}

fn normalize(text: &str) -> String {
    words(text).join(" ")
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

impl JsonSchema for Action {
    fn schema_name() -> Cow<'static, str> {
        "Action".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`continue`, `stop`, or the name of a tool.",
            "anyOf": [{ "type": "string", "enum": ["continue", "stop"] }, { "type": "string" }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_towards_what_is_known() {
        let tools = ["search".to_owned(), "Next".to_owned(), "finish_order".to_owned()];
        let tool = |name: &str| Action::Tool(name.to_owned());
        for (word, action) in [
            ("STOP!", Action::Stop),
            ("continue.", Action::Continue),
            ("**Done**", Action::Stop),
            ("final_answer", Action::Stop),
            ("continue with task 2", Action::Continue),
            ("`continue_turn`", Action::Continue),
            ("search()", tool("search")),
            ("Search({\"for\": 1})", tool("search")),
            ("\"search\"", tool("search")),
            ("next", tool("Next")),
            ("finish order", tool("finish_order")),
            ("sleep", tool("sleep")),
            ("don't stop", tool("don't stop")),
            ("!", tool("!")),
        ] {
            assert_eq!(Action::parse_word(word, &tools), action, "{word}");
        }
        assert_eq!(Action::parse_word("next", &[]), Action::Continue);
    }

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
            assert_eq!(Action::from(action.to_string()), action);
            let json = serde_json::to_string(&action).unwrap();
            assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action);
        }
    }
}
