//! The tasks of a plan.

use std::{convert::Infallible, fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{item::Todo, json, line};

/// The tasks of a plan, in order.
///
/// In replies it is a text with one line per task: `- [ ] open` or `- [x] done`.
///
/// ```
/// use cot_core::plan_execute::TodoList;
///
/// let todos = TodoList::parse("Plan:\n- [x] find the sources\n- [~] compare them\n- publish");
/// let open: Vec<_> = todos.open().map(|todo| (todo.mark.as_deref(), &*todo.text)).collect();
/// assert_eq!(open, [(Some("~"), "compare them"), (None, "publish")]);
/// assert_eq!(todos.to_string(), "- [x] find the sources\n- [~] compare them\n- [ ] publish");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TodoList {
    /// The tasks.
    pub items: Vec<Todo>,
}

impl TodoList {
    /// Parses the tasks of a text.
    ///
    /// Every line is a task, with or without a bullet, a number, and a box with its state. The exceptions
    /// are:
    ///
    /// - an indented line without bullet, number and box, which continues the task before it;
    /// - headings: a line that begins with `#`, and a line without bullet, number and box that ends with `:`
    ///   and has a task after it;
    /// - rules (`---`) and the lines of a code fence.
    ///
    /// A task is open unless its box is ticked or contains *done*. A list in JSON is accepted too.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let trimmed = text.trim();
        if trimmed.starts_with(['[', '{'])
            && let Ok(json @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(trimmed)
        {
            return Self::from_json(json);
        }
        Self { items: line::parse_tasks(text) }
    }

    /// Parses a list in JSON: a text, a list of texts or of objects with description and state, or an object
    /// with one member per task.
    pub(in crate::plan_execute) fn from_json(json: Value) -> Self {
        match json {
            Value::String(text) => Self::parse(&text),
            json => Self { items: json::parse_tasks(json) },
        }
    }

    /// Returns whether the list has no tasks.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns whether no task is open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.open().next().is_none()
    }

    /// Returns the tasks that are not done.
    pub fn open(&self) -> impl Iterator<Item = &Todo> {
        self.items.iter().filter(|todo| !todo.done)
    }
}

impl From<&str> for TodoList {
    fn from(text: &str) -> Self {
        Self::parse(text)
    }
}

impl FromStr for TodoList {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::parse(text))
    }
}

impl fmt::Display for TodoList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, todo) in self.items.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            write!(f, "{newline}{todo}")?;
        }
        Ok(())
    }
}
