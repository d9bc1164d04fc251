//! The replies of the two stages.

use serde_json::{Map, Value};

use super::{Action, TodoList};
use crate::{Issues, reader::Reader};

/// What a model answers to [`Plan`](super::Plan).
///
/// ```json
/// { "todos": "- [ ] task 1\n- [ ] task 2", "action": "continue" }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlanReply {
    /// The tasks.
    pub todos: TodoList,
    /// What to do next.
    pub action: Action,
    /// What a tool is called with, where the action is one.
    pub arguments: Option<Value>,
    /// The final answer, where there is nothing to do.
    pub answer: Option<String>,
}

/// What a model answers to [`Execute`](super::Execute).
///
/// ```json
/// {
///   "current": "task being worked on",
///   "result": "result of this task",
///   "todos": "- [x] done\n- [ ] remaining",
///   "action": "continue",
///   "final": "final answer, when the action is stop"
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ExecuteReply {
    /// The task that was worked on; empty where the model doesn't say.
    pub current: String,
    /// What came of it; empty where the model doesn't say.
    pub result: String,
    /// The tasks; empty where the model doesn't say.
    pub todos: TodoList,
    /// What to do next.
    pub action: Action,
    /// What a tool is called with, where the action is one.
    pub arguments: Option<Value>,
    /// The final answer, where the action is *stop*.
    pub answer: Option<String>,
}

impl PlanReply {
    /// Reads a reply, with the JSON anywhere in it.
    ///
    /// # Errors
    ///
    /// What is wrong with it: no JSON object, or one without an `action`.
    ///
    /// ```
    /// use cot_core::plan_execute::{Action, PlanReply};
    ///
    /// let reply = r#"My plan: { "todos": "- [ ] look it up", "action": "continue" }"#;
    /// let plan = PlanReply::read(reply)?;
    /// assert_eq!((plan.todos.items.len(), plan.action), (1, Action::Continue));
    /// # Ok::<(), cot_core::Issues>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, Issues> {
        let ExecuteReply { todos, action, arguments, answer, .. } = ExecuteReply::read(text)?;
        Ok(Self { todos, action, arguments, answer })
    }
}

impl ExecuteReply {
    /// Reads a reply, with the JSON anywhere in it.
    ///
    /// # Errors
    ///
    /// What is wrong with it: no JSON object, or one without an `action`.
    pub fn read(text: &str) -> Result<Self, Issues> {
        let read = Reader::any().may_be_cut(true).read(text);
        let Value::Object(mut members) = read.map_err(|unreadable| unreadable.issues)?.value else {
            return Err(Issues::at("$", "answer with one JSON object"));
        };
        let action = text_of(&mut members, "action");
        let action = action.filter(|word| !word.trim().is_empty());
        Ok(Self {
            action: action.ok_or_else(|| Issues::at("action", "is missing"))?.into(),
            current: text_of(&mut members, "current").unwrap_or_default(),
            result: text_of(&mut members, "result").unwrap_or_default(),
            todos: todos_of(&mut members),
            arguments: member(&mut members, "arguments"),
            answer: text_of(&mut members, "final").filter(|answer| !answer.trim().is_empty()),
        })
    }
}

fn member(members: &mut Map<String, Value>, name: &str) -> Option<Value> {
    members.remove(name).filter(|value| !value.is_null())
}

/// A member as text: as it is, or as the JSON that came instead.
fn text_of(members: &mut Map<String, Value>, name: &str) -> Option<String> {
    Some(shown(member(members, name)?))
}

/// A text, or the JSON of anything else.
pub(super) fn shown(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// The todo list, a text or a list of its lines.
fn todos_of(members: &mut Map<String, Value>) -> TodoList {
    match member(members, "todos") {
        Some(Value::Array(lines)) => {
            let lines: Vec<String> = lines.into_iter().map(line_of).collect();
            TodoList::parse(&lines.join("\n"))
        }
        Some(text) => TodoList::parse(&shown(text)),
        None => TodoList::default(),
    }
}

/// A line of a todo list, with a bullet where a list of JSON did without.
fn line_of(item: Value) -> String {
    let line = shown(item).replace('\n', " ");
    if line.trim_start().starts_with(['-', '*', '+', '[']) { line } else { format!("- {line}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_formats_are_read() {
        let plan = r#"{ "todos": "- [ ] task 1\n- [ ] task 2", "action": "continue" }"#;
        let plan = PlanReply::read(plan).unwrap();
        assert_eq!(plan.todos.to_string(), "- [ ] task 1\n- [ ] task 2");
        assert_eq!((plan.action, plan.arguments, plan.answer), (Action::Continue, None, None));

        let execute = "Done:\n```json\n{ \"current\": \"a\", \"result\": \"b\", \"todos\": \"- [x] a\", \
            \"action\": \"STOP\", \"final\": \"c\" }\n```";
        let execute = ExecuteReply::read(execute).unwrap();
        assert_eq!((execute.current.as_str(), execute.result.as_str()), ("a", "b"));
        assert_eq!((execute.action, execute.answer.as_deref()), (Action::Stop, Some("c")));
        assert!(execute.todos.is_done());
    }

    #[test]
    fn members_may_be_of_other_types() {
        let reply = ExecuteReply::read(
            r#"{ "current": null, "result": { "sum": 4 }, "final": 42, "action": "add",
                "arguments": { "a": 1 }, "todos": ["a", "- [x] b", "[ ] c"] }"#,
        );
        let reply = reply.unwrap();
        assert_eq!((&*reply.current, &*reply.result), ("", r#"{"sum":4}"#));
        assert_eq!(reply.action, Action::Tool("add".to_owned()));
        assert_eq!(reply.arguments.unwrap()["a"], 1);
        assert_eq!(reply.answer.as_deref(), Some("42"));
        assert_eq!(reply.todos.to_string(), "- [x] b\n- [ ] c");
        let plan = PlanReply::read(r#"{ "todos": ["a", "1. b"], "action": "stop", "final": " " }"#);
        let plan = plan.unwrap();
        assert_eq!((plan.todos.items.len(), plan.answer), (2, None));
    }

    #[test]
    fn what_has_no_action_is_unreadable() {
        for reply in
            ["", "I am done.", "[]", "{}", "4", r#"{ "action": " " }"#, r#"{ "final": "x" }"#]
        {
            assert!(PlanReply::read(reply).is_err(), "{reply}");
            assert!(ExecuteReply::read(reply).is_err(), "{reply}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = ExecuteReply::read(&text);
            let json = serde_json::json!({ "action": text, "todos": [text, [text]], "result": [text] });
            let _ = ExecuteReply::read(&json.to_string());
        }
    }
}
