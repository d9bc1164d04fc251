//! The replies of the two stages.

use serde_json::{Map, Value};

use super::{Action, Todo, TodoList};
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
        Self::of(read.map_err(|unreadable| unreadable.issues)?.value)
    }

    /// Reads a reply that may lack its end, if nothing of the JSON is missing.
    pub(super) fn read_whole(text: &str) -> Option<Self> {
        let reading = Reader::any().read(text).ok()?;
        let is_whole = reading.repairs.is_empty();
        is_whole.then(|| Self::of(reading.value).ok()).flatten()
    }

    fn of(reply: Value) -> Result<Self, Issues> {
        let Value::Object(mut members) = reply else {
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

/// The todo list, a text or a list of tasks.
fn todos_of(members: &mut Map<String, Value>) -> TodoList {
    match member(members, "todos") {
        Some(Value::Array(items)) => {
            let texts = items.into_iter().filter(|item| !item.is_null()).map(shown);
            TodoList { items: texts.filter_map(|text| Todo::of(&text)).collect() }
        }
        Some(text) => TodoList::parse(&shown(text)),
        None => TodoList::default(),
    }
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
        assert_eq!(reply.todos.to_string(), "- [ ] a\n- [x] b\n- [ ] c");
        let plan = PlanReply::read(r#"{ "todos": ["a", "1. b"], "action": "stop", "final": " " }"#);
        let plan = plan.unwrap();
        assert_eq!((plan.todos.to_string().as_str(), plan.answer), ("- [ ] a\n- [ ] b", None));
    }

    #[test]
    fn each_item_of_a_list_is_a_task() {
        let reply = serde_json::json!({ "action": "stop", "todos": [
            "**bold** a", "- [ ] b", "[link](x) c", "• d", "- [x] e\n  goes on", "", null, "-", 7,
        ] });
        let plan = PlanReply::read(&reply.to_string()).unwrap();
        let expected =
            "- [ ] **bold** a\n- [ ] b\n- [ ] [link](x) c\n- [ ] d\n- [x] e goes on\n- [ ] 7";
        assert_eq!(plan.todos.to_string(), expected);
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
