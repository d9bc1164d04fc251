//! One task of a todo list.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One task of a todo list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Todo {
    /// Whether the task is done.
    pub done: bool,
    /// The state in its box, if that is neither *open* nor *done*: `~`, `-`, `in progress`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// The description of the task.
    pub text: String,
}

impl fmt::Display for Todo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match &self.mark {
            Some(mark) => mark,
            None if self.done => "x",
            None => " ",
        };
        write!(f, "- [{mark}]")?;
        self.text.lines().try_for_each(|line| write!(f, " {}", line.trim()))
    }
}
