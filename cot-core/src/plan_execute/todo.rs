//! Todo lists.

use std::{convert::Infallible, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The tasks of a plan, in their order.
///
/// In replies it is a text with a line for each, `- [ ] open` or `- [x] done`.
///
/// ```
/// use cot_core::plan_execute::TodoList;
///
/// let todos = TodoList::parse("Plan:\n- [x] find the sources\n- [ ] compare them");
/// assert_eq!(todos.open().next().unwrap().text, "compare them");
/// assert_eq!(todos.to_string(), "- [x] find the sources\n- [ ] compare them");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TodoList {
    /// The tasks.
    pub items: Vec<Todo>,
}

/// One task of a todo list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Todo {
    /// Whether it is done.
    pub done: bool,
    /// What is to be done.
    pub text: String,
}

impl TodoList {
    /// The tasks in a text.
    ///
    /// A task is a line with a box, `[ ]` or `[x]`, after a bullet or a number or without one. An indented
    /// line without a box belongs to the task before it. Where no line has a box, lines with a bullet or a
    /// number are open tasks. What is left is no task.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let todos = collect(text, |line| boxed(unmarked(line).unwrap_or(line)));
        if !todos.is_empty() {
            return todos;
        }
        let unboxed = |line| unmarked(line).filter(|text| boxed(text).is_none());
        collect(text, |line| unboxed(line).map(|text| (false, text)))
    }

    /// Whether there are no tasks.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether no task is open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.open().next().is_none()
    }

    /// The open tasks.
    pub fn open(&self) -> impl Iterator<Item = &Todo> {
        self.items.iter().filter(|todo| !todo.done)
    }
}

impl Todo {
    /// The one task that a whole text is, open where it has no box.
    pub(super) fn of(text: &str) -> Option<Self> {
        let text = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let text = text.trim();
        let text = unmarked(text).unwrap_or(text);
        let (done, text) = boxed(text).unwrap_or((false, text));
        (!text.is_empty()).then(|| Self { done, text: text.to_owned() })
    }
}

fn collect<'t>(text: &'t str, task: impl Fn(&'t str) -> Option<(bool, &'t str)>) -> TodoList {
    let mut items: Vec<Todo> = Vec::new();
    for line in text.lines() {
        let content = line.trim();
        if let Some((done, text)) = task(content) {
            if !text.is_empty() {
                items.push(Todo { done, text: text.to_owned() });
            }
        } else if let Some(last) = items.last_mut()
            && !content.is_empty()
            && line.starts_with(char::is_whitespace)
        {
            last.text.push(' ');
            last.text.push_str(content);
        }
    }
    TodoList { items }
}

/// Whether the box that a line begins with is ticked, and what follows on it.
fn boxed(line: &str) -> Option<(bool, &str)> {
    let (mark, text) = line.strip_prefix('[')?.split_once(']')?;
    let done = match mark.trim() {
        "" => false,
        "x" | "X" | "✓" | "✔" | "✅" => true,
        _ => return None,
    };
    Some((done, text.trim()))
}

/// What follows on the bullet or number that a line begins with.
fn unmarked(line: &str) -> Option<&str> {
    let numbered = || line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match line.strip_prefix(['-', '*', '+', '•']) {
        Some(rest) => rest,
        None if numbered().len() < line.len() => numbered().strip_prefix(['.', ')'])?,
        None => return None,
    };
    let text = rest.trim_start();
    (text.len() < rest.len() || text.is_empty()).then_some(text)
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

impl fmt::Display for Todo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.done { "- [x]" } else { "- [ ]" })?;
        self.text.lines().try_for_each(|line| write!(f, " {}", line.trim()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(TodoList::parse(text).to_string(), expected, "{text:?}");
    }

    #[test]
    fn lines_with_a_box_are_tasks() {
        check("- [ ] a\n- [x] b\r\n- [X] c", "- [ ] a\n- [x] b\n- [x] c");
        check(
            "* [ ] a\n+ [x] b\n• [] c\n1. [x] d\n2) [ ] e\n[ ] f",
            "- [ ] a\n- [x] b\n- [ ] c\n- [x] d\n- [ ] e\n- [ ] f",
        );
        check("Plan:\n\n  - [ ] a\n    goes on\n- no box\n- [✓] 光", "- [ ] a goes on\n- [x] 光");
        check("- [ ]\n- [x]   \n[link](x)", "");
        check("- [y] a", "- [ ] [y] a");
        check("- [ ] see [1] and [x]", "- [ ] see [1] and [x]");
    }

    #[test]
    fn without_boxes_bullets_and_numbers_are_open_tasks() {
        check("To do:\n- a\n* b\n1. c\n20) d", "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d");
        check("a\nb -c\n-d\n3.5 apples\n---\n12", "");
        check("", "");
    }

    #[test]
    fn a_list_knows_what_is_open() {
        let todos = TodoList::parse("- [x] a\n- [ ] b");
        assert!(!todos.is_done() && !todos.is_empty());
        assert_eq!(todos.open().map(|todo| &*todo.text).collect::<Vec<_>>(), ["b"]);
        assert!(TodoList::parse("- [x] a").is_done() && TodoList::default().is_done());
        let many = Todo { done: true, text: "a\n  b".to_owned() };
        assert_eq!(many.to_string(), "- [x] a b");
    }

    proptest! {
        #[test]
        fn lists_come_back(items in prop::collection::vec((any::<bool>(), "\\PC{1,20}"), 0..6)) {
            let items: Vec<Todo> = items
                .into_iter()
                .map(|(done, text)| Todo { done, text: text.trim().to_owned() })
                .filter(|todo| !todo.text.is_empty())
                .collect();
            let todos = TodoList { items };
            prop_assert_eq!(TodoList::parse(&todos.to_string()), todos);
        }

        #[test]
        fn any_text_can_be_read(text in any::<String>()) {
            let todos = TodoList::parse(&text);
            prop_assert_eq!(TodoList::parse(&todos.to_string()), todos);
        }
    }
}
