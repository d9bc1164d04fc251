//! The tasks of a plan.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{item::Todo, json, line};
use crate::plan_execute::text::words;

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

    /// Returns whether no task is open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.open().next().is_none()
    }

    /// Returns the tasks that are not done.
    pub fn open(&self) -> impl Iterator<Item = &Todo> {
        self.items.iter().filter(|todo| !todo.done)
    }

    /// Marks the open task with this description as done: the one that is most like it.
    pub(in crate::plan_execute) fn tick(&mut self, task: &str) {
        let (task, open) = (words(task), self.items.iter_mut().filter(|todo| !todo.done));
        // The first of several equal ones.
        let likest = open.rev().max_by_key(|todo| likeness(&task, &words(&todo.text)));
        if let Some(todo) = likest.filter(|todo| likeness(&task, &words(&todo.text)) >= LIKE) {
            (todo.done, todo.mark) = (true, None);
        }
    }

    /// Returns whether a task of one list is in the other, perhaps in other words. Lists that are too long to be
    /// compared count as if they had one.
    pub(in crate::plan_execute) fn shares_a_task(&self, other: &Self) -> bool {
        let [own, others] = [self, other]
            .map(|list| list.items.iter().map(|todo| words(&todo.text)).collect::<Vec<_>>());
        let is_like = |task: &Vec<String>| others.iter().any(|it| likeness(task, it) >= LIKE);
        own.len().max(others.len()) > MAX_COMPARED || own.iter().any(is_like)
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

/// The length of a list up to which each of its tasks is compared with another list.
const MAX_COMPARED: usize = 200;

/// The likeness from which two descriptions are of the same task.
const LIKE: usize = 50;

/// Returns the percentage of the words that two texts have in common.
fn likeness(one: &[String], other: &[String]) -> usize {
    let shared = one.iter().filter(|word| other.contains(word)).count();
    match one.len() + other.len() {
        _ if one == other => 100,
        words => 200 * shared / words,
    }
}
