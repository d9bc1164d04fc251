//! The replies of the two stages.

use cot_macros::CotOutput;
use cot_model::{FinishReason, ModelReply, ToolCall};
use cot_reader::Reader;
use cot_schema::{Issues, internal::truncate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{action::Action, ending::Ending, text::value_text};
use crate::plan_execute::todo::list::TodoList;

/// A reply of a stage: the members of its JSON, and what was found in it.
///
/// A reply to [`Plan`](super::Plan) has a list of tasks, and one to [`Execute`](super::Execute) a task with its result:
///
/// ```json
/// { "todos": "- [ ] task 1\n- [ ] task 2", "action": "continue" }
/// ```
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(crate = crate::core)]
#[schemars(description = "The reply of a stage.")]
#[non_exhaustive]
pub struct StageReply {
    /// The task of the step; empty if the reply does not name it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(description = "The task of the step.")]
    pub current: String,
    /// The result of the task; empty if the reply has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(description = "The result of the task.")]
    pub result: String,
    /// The tasks as the model wrote them: the text, or the JSON of any other value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(description = "The tasks as the model wrote them.")]
    pub todos: String,
    /// The requested action.
    pub action: Action,
    /// The answer in the reply. It is final if the action is *stop*.
    #[serde(default, rename = "final", skip_serializing_if = "Option::is_none")]
    #[schemars(description = "The answer in the reply.")]
    pub answer: Option<String>,
    /// The requested calls of tools: that of `action`, and further ones of a model that calls natively.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub calls: Vec<ToolCall>,
    /// Why the reply is unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub issues: Option<Issues>,
}

impl StageReply {
    /// Parses a reply. Text around the JSON is ignored.
    ///
    /// The action accepts synonyms: `"STOP!"` and `"done"` are *stop*, `"proceed"` is *continue*. A reply
    /// with a `final` and no `action` means *stop*.
    ///
    /// # Errors
    ///
    /// Fails if the reply has no JSON object, or an object with neither an `action` nor a `final`.
    ///
    /// ```
    /// use cot_core::plan_execute::{Action, StageReply};
    ///
    /// let reply = r#"My plan: { "todos": "- [ ] look it up", "action": "continue" }"#;
    /// let plan = StageReply::read(reply)?;
    /// assert_eq!((plan.tasks().items.len(), plan.action), (1, Action::Continue));
    /// # Ok::<(), cot_core::Issues>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, Issues> {
        Self::read_text(text, None)
    }

    /// Returns the tasks; empty if the reply has none.
    #[must_use]
    pub fn tasks(&self) -> TodoList {
        TodoList::parse(&self.todos)
    }

    /// Reads the text of a reply, or returns why it ends a run. The action can name one of these tools, or any tool
    /// if `tools` is `None`. `template` is the prompt of the stage.
    pub(super) fn from_reply(
        reply: &ModelReply,
        tools: Option<&[String]>,
        template: &str,
    ) -> Result<Self, Ending> {
        match reply.finish {
            FinishReason::Stop => Self::read_text(&reply.text, tools)
                .and_then(|read| read.without_placeholders(template))
                .map_err(Ending::Unreadable),
            // A truncated reply may have lost the end of the answer.
            FinishReason::Length => {
                Self::read_complete(&reply.text, tools).ok_or(Ending::Truncated)
            }
            FinishReason::Refusal => Err(Ending::Refused),
        }
    }

    /// Reads a reply with native calls. The text beside them may be a reply in JSON.
    pub(super) fn calling(reply: &ModelReply, tools: &[String]) -> Self {
        let beside = Self::read_text(&reply.text, Some(tools)).unwrap_or_default();
        let first = reply.tool_calls.first().map(|call| Action::Tool(call.name.clone()));
        let action = first.unwrap_or_default();
        Self { action, calls: reply.tool_calls.clone(), ..beside }
    }

    /// Parses a text with JSON.
    fn read_text(text: &str, tools: Option<&[String]>) -> Result<Self, Issues> {
        let read = Reader::any().may_be_truncated(true).read(text);
        Self::from_value(read.map_err(|unreadable| unreadable.issues)?.value, tools)
    }

    /// Parses a truncated reply; `None` if a part of its JSON is missing.
    fn read_complete(text: &str, tools: Option<&[String]>) -> Option<Self> {
        let reading = Reader::any().read(text).ok()?;
        let is_whole = reading.repairs.is_empty();
        is_whole.then(|| Self::from_value(reading.value, tools).ok()).flatten()
    }

    /// Returns the reply, unless a text of it is one that the prompt of the stage shows as an example, or the
    /// name of its type.
    fn without_placeholders(self, template: &str) -> Result<Self, Issues> {
        let texts = [
            ("current", self.current.as_str()),
            ("result", self.result.as_str()),
            ("todos", self.todos.as_str()),
            ("final", self.answer.as_deref().unwrap_or_default()),
        ];
        if let Some((name, text)) = texts.iter().find(|(_, text)| is_form_text(text, template)) {
            let text = truncate(text, MAX_QUOTED_BYTES);
            let problem = format!("is a text of the form, and not your own: {text:?}");
            return Err(Issues::at(*name, problem));
        }
        Ok(self)
    }

    fn from_value(reply: Value, tools: Option<&[String]>) -> Result<Self, Issues> {
        let Value::Object(mut members) = reply else {
            return Err(Issues::at("$", "answer with one JSON object"));
        };
        let mut arguments = take_member(&mut members, "arguments");
        let action = take_member(&mut members, "action");
        let action = action.and_then(|action| parse_action(action, &mut arguments, tools));
        let answer = take_text(&mut members, "final").filter(|answer| !answer.trim().is_empty());
        let action = match (action, &answer) {
            // A word that names no tool, beside an answer, does not request a call.
            (Some(Action::Tool(word)), Some(_))
                if tools.is_some_and(|tools| !tools.contains(&word)) =>
            {
                Action::Stop
            }
            (Some(action), _) => action,
            (None, Some(_)) => Action::Stop,
            (None, None) => return Err(Issues::at("action", "is missing")),
        };
        let arguments = arguments.map_or_else(|| "{}".to_owned(), value_text);
        let call = action.tool_name().map(|name| ToolCall::new(name, arguments));
        let todos = take_member(&mut members, "todos");
        let todos = todos.filter(|todos| !todos.as_str().is_some_and(is_placeholder));
        Ok(Self {
            current: take_text(&mut members, "current").unwrap_or_default(),
            result: take_text(&mut members, "result").unwrap_or_default(),
            todos: todos.map(value_text).unwrap_or_default(),
            answer: answer.filter(|answer| action == Action::Stop || !is_placeholder(answer)),
            calls: call.into_iter().collect(),
            action,
            issues: None,
        })
    }
}

impl From<Issues> for StageReply {
    fn from(issues: Issues) -> Self {
        Self { issues: Some(issues), ..Self::default() }
    }
}

/// Parses the action from a value, together with arguments inside the value.
fn parse_action(
    value: Value,
    arguments: &mut Option<Value>,
    tools: Option<&[String]>,
) -> Option<Action> {
    match value {
        Value::Array(mut values) if values.len() == 1 => {
            parse_action(values.remove(0), arguments, tools)
        }
        Value::Object(mut members) => {
            let name = ["tool", "name", "action", "type"]
                .into_iter()
                .find_map(|name| members.get(name)?.as_str().map(str::to_owned));
            let Some(name) = name else {
                return Some(Action::Tool(Value::Object(members).to_string()));
            };
            let given = ["arguments", "args", "parameters", "params", "input"];
            let given = given.into_iter().find_map(|name| take_member(&mut members, name));
            *arguments = arguments.take().or(given);
            Some(Action::parse_word(&name, tools.unwrap_or_default()))
        }
        value => {
            let word = value_text(value);
            (!word.trim().is_empty()).then(|| Action::parse_word(&word, tools.unwrap_or_default()))
        }
    }
}

/// The limit up to which an issue quotes a text of a reply.
const MAX_QUOTED_BYTES: usize = 80;

/// Returns whether a text is the name of its type, a description in pointed brackets, or a value that a prompt
/// shows in quotes.
fn is_form_text(text: &str, template: &str) -> bool {
    let text = text.trim();
    let is_described = text.starts_with('<') && text.find('>') == Some(text.len() - 1);
    let is_shown = || template.contains(&Value::from(text).to_string());
    !text.is_empty() && (text == "string" || is_described || is_shown())
}

/// Returns whether a text is a placeholder for a missing answer.
fn is_placeholder(answer: &str) -> bool {
    let answer = answer
        .trim()
        .trim_end_matches(['.', '…', ')', '>', ']'])
        .trim_start_matches(['(', '<', '[']);
    let words = ["", "-", "—", "n/a", "na", "none", "null", "tbd", "pending", "not yet", "unknown"];
    words.iter().any(|word| answer.eq_ignore_ascii_case(word))
}

fn take_member(members: &mut Map<String, Value>, name: &str) -> Option<Value> {
    members.shift_remove(name).filter(|value| !value.is_null())
}

/// Removes a member and returns it as text: unchanged, or as JSON if it has another type.
fn take_text(members: &mut Map<String, Value>, name: &str) -> Option<String> {
    Some(value_text(take_member(members, name)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_of_the_form_are_no_reply() {
        let form = r#"{ "current": "the task", "todos": "- [x] done\n- [ ] remaining" }"#;
        for (name, text, is_own) in [
            ("current", "the task", false),
            ("todos", "- [x] done\n- [ ] remaining", false),
            ("result", "string", false),
            ("final", "<the answer>", false),
            ("current", "the task of today", true),
            ("result", "", true),
            ("final", "<b>42</b>", true),
        ] {
            let reply = json!({ "action": "continue", name: text }).to_string();
            let read = StageReply::read(&reply).unwrap().without_placeholders(form);
            let issue = read.map_err(|issues| issues.to_string());
            assert_eq!(issue.is_ok(), is_own, "{text}");
            assert!(is_own || issue.unwrap_err().contains(name), "{text}");
        }
    }

    #[test]
    fn a_word_for_no_list_leaves_the_plan_as_it_is() {
        for none in ["none", "None.", "n/a", "-", ""] {
            let reply =
                json!({ "action": "continue", "current": "a", "result": "b", "todos": none });
            let read = StageReply::read(&reply.to_string()).unwrap();
            assert!(read.todos.is_empty(), "{none}");
        }
    }

    #[test]
    fn both_formats_are_read() {
        let plan = r#"{ "todos": "- [ ] task 1\n- [ ] task 2", "action": "continue" }"#;
        let plan = StageReply::read(plan).unwrap();
        assert_eq!(plan.tasks().to_string(), "- [ ] task 1\n- [ ] task 2");
        assert_eq!((plan.action, plan.calls, plan.answer), (Action::Continue, vec![], None));

        let execute = "Done:\n```json\n{ \"current\": \"a\", \"result\": \"b\", \"todos\": \"- [x] a\", \
            \"action\": \"STOP\", \"final\": \"c\" }\n```";
        let execute = StageReply::read(execute).unwrap();
        assert_eq!((execute.current.as_str(), execute.result.as_str()), ("a", "b"));
        assert!(execute.tasks().is_done());
        assert_eq!((execute.action, execute.answer.as_deref()), (Action::Stop, Some("c")));
    }

    #[test]
    fn members_may_be_of_other_types() {
        let reply = StageReply::read(
            r#"{ "current": null, "result": { "sum": 4 }, "final": 42, "action": "add",
                "arguments": { "a": 1 }, "todos": ["a", "- [x] b", "[ ] c"] }"#,
        );
        let reply = reply.unwrap();
        assert_eq!((&*reply.current, &*reply.result), ("", r#"{"sum":4}"#));
        assert_eq!(reply.action, Action::Tool("add".to_owned()));
        assert_eq!(reply.calls[0].arguments, r#"{"a":1}"#);
        assert_eq!(reply.answer.as_deref(), Some("42"));
        assert_eq!(reply.tasks().to_string(), "- [ ] a\n- [x] b\n- [ ] c");
        let plan =
            StageReply::read(r#"{ "todos": ["a", "1. b"], "action": "stop", "final": " " }"#);
        let plan = plan.unwrap();
        assert_eq!((plan.tasks().to_string().as_str(), plan.answer), ("- [ ] a\n- [ ] b", None));
    }

    #[test]
    fn each_item_of_a_list_is_a_task() {
        let reply = serde_json::json!({ "action": "stop", "todos": [
            "**bold** a", "- [ ] b", "[link](x) c", "• d", "- [x] e\n  in two lines", "", null, "-", 7,
        ] });
        let plan = StageReply::read(&reply.to_string()).unwrap();
        let expected =
            "- [ ] **bold** a\n- [ ] b\n- [ ] [link](x) c\n- [ ] d\n- [x] e in two lines\n- [ ] 7";
        assert_eq!(plan.tasks().to_string(), expected);
    }

    #[test]
    fn what_has_no_action_is_unreadable() {
        for reply in
            ["", "I am done.", "[]", "{}", "4", r#"{ "action": " " }"#, r#"{ "final": " " }"#]
        {
            assert!(StageReply::read(reply).is_err(), "{reply}");
        }
    }

    #[test]
    fn an_answer_is_never_dropped() {
        for (reply, action) in [
            (json!({ "final": "42" }), Action::Stop),
            (json!({ "action": "done", "final": "42" }), Action::Stop),
            (json!({ "action": "hand_in", "final": "42" }), Action::Stop),
            (json!({ "action": "continue", "final": "42" }), Action::Continue),
            (json!({ "action": "add", "final": "42" }), Action::Tool("add".to_owned())),
        ] {
            let read =
                StageReply::read_text(&reply.to_string(), Some(&["add".to_owned()])).unwrap();
            assert_eq!((read.action, read.answer.as_deref()), (action, Some("42")), "{reply}");
        }
        for nothing in ["N/A", "null", "(none)", "TBD.", "…", "<pending>"] {
            let reply = json!({ "action": "continue", "final": nothing });
            assert_eq!(StageReply::read(&reply.to_string()).unwrap().answer, None, "{nothing}");
        }
    }

    #[test]
    fn an_action_may_hold_its_arguments() {
        for action in [
            json!({ "tool": "add", "arguments": { "a": 1 } }),
            json!([{ "name": "Add", "params": { "a": 1 } }]),
        ] {
            let reply = json!({ "action": action }).to_string();
            let reply = StageReply::read_text(&reply, Some(&["add".to_owned()])).unwrap();
            assert_eq!(reply.action, Action::Tool("add".to_owned()), "{action}");
            assert_eq!(reply.calls[0].arguments, r#"{"a":1}"#);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = StageReply::read(&text);
            let json = serde_json::json!({ "action": text, "todos": [text, [text]], "result": [text] });
            let _ = StageReply::read(&json.to_string());
        }
    }
}
