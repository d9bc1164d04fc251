//! The state of one run.

use std::{
    fmt::{self, Write},
    sync::Arc,
};

use cot_model::{ModelRequest, ReplySchema, Usage};
use cot_schema::{Issues, internal::truncate};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{format::Formats, prompt};
use crate::plan_execute::{action::Action, reply::ExecuteReply, todo::list::TodoList};

/// The state of one run: the question, the plan, the work so far and the answer.
///
/// A context can be serialized. [`ChainOfThought::run`] resumes an interrupted run from its context.
///
/// [`ChainOfThought::run`]: super::ChainOfThought::run
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Context {
    /// The question.
    pub question: String,
    /// The plan of the last reply.
    pub todos: TodoList,
    /// The plan as the model wrote it; `todos` is parsed from this text.
    pub todos_text: String,
    /// The work so far.
    pub work: Vec<Work>,
    /// The next action that the last reply requests; `None` before planning.
    pub action: Option<Action>,
    /// The arguments of the tool that `action` requests.
    pub arguments: Option<Value>,
    /// The final answer; before the end, the latest answer in a reply.
    pub answer: Option<String>,
    /// Why the run ended; `None` while it is running.
    pub ending: Option<Ending>,
    /// The issues of the last reply. The next request contains them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues: Option<Issues>,
    /// Usage of all model calls.
    pub usage: Usage,
    /// The formats of the replies, which list the tools of the run.
    #[serde(skip)]
    pub(super) formats: Option<Arc<Formats>>,
}

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Work {
    /// A task that the model completed.
    Task {
        /// The task.
        current: String,
        /// The result.
        result: String,
    },
    /// A tool that was called for the model.
    Tool {
        /// The name of the tool.
        name: String,
        /// The arguments.
        arguments: Value,
        /// The result or the error.
        result: Result<String, String>,
    },
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// The model replied *stop*, and there is an answer.
    Stopped,
    /// A reply was unusable: it could not be parsed, or requested *stop* without an answer.
    Unreadable(Issues),
    /// The token limit cut off a reply.
    Truncated,
    /// The model refused to answer.
    Refused,
}

impl Context {
    /// Creates the context of a question.
    #[must_use]
    pub fn new(question: impl Into<String>) -> Self {
        Self { question: question.into(), ..Self::default() }
    }

    /// Returns the plan and the work so far as text. It replaces `{context}` in prompts.
    #[must_use]
    pub fn progress(&self) -> String {
        let mut text = "The tasks:\n".to_owned();
        let todos =
            if self.todos.is_empty() { "(none yet)".to_owned() } else { self.todos.to_string() };
        text.push_str(&todos);
        text.push_str("\n\nThe work so far:\n");
        if self.work.is_empty() {
            text.push_str("(none yet)");
        }
        for (index, work) in self.work.iter().enumerate() {
            // Writing to a string can't fail.
            let _ = write!(text, "{}{}. {work}", if index == 0 { "" } else { "\n" }, index + 1);
        }
        text
    }

    /// Creates a request from a template of the system message and a user message.
    pub(super) fn request(
        &self,
        template: &str,
        message: &str,
        schema: impl Fn(&Formats) -> &Arc<ReplySchema>,
    ) -> ModelRequest {
        let formats = self.formats.as_ref().unwrap_or(Formats::without_tools());
        let mut system = prompt::fill(template, &self.question, &self.progress());
        system.push_str(&formats.tools);
        let mut message = message.to_owned();
        if let Some(issues) = &self.issues {
            message =
                format!("{message}\n\nYour last reply could not be used: {issues}\nReply again.");
        }
        let mut request = ModelRequest::new(message).with_system(system);
        request.schema = Some(Arc::clone(schema(formats)));
        request
    }

    /// Applies a reply and returns the action that it requests. An answer is stored whatever the action is;
    /// *stop* without an answer ends the run as [`Ending::Unreadable`].
    pub(super) fn apply(&mut self, reply: ExecuteReply) -> Action {
        let ExecuteReply { current, result, todos, todos_text, action, arguments, answer } = reply;
        let is_done = !todos.is_empty() && todos.is_done();
        if !todos.is_empty() {
            (self.todos, self.todos_text) = (todos, todos_text);
        }
        let work = Work::Task { current, result };
        // A reply to an issue repeats the last work.
        if !work.is_empty() && (self.issues.is_none() || self.work.last() != Some(&work)) {
            self.work.push(work);
        }
        self.issues = None;
        self.arguments = arguments;
        let is_last =
            action == Action::Stop || (action == Action::Continue && is_done && answer.is_some());
        self.answer = answer.or_else(|| self.answer.take());
        if !is_last {
            self.action = Some(action.clone());
            return action;
        }
        self.end(match &self.answer {
            Some(_) => Ending::Stopped,
            None => Ending::Unreadable(Issues::at("final", NO_ANSWER)),
        })
    }

    /// Resets the context for a retry after an unusable reply; the next request contains the issues.
    pub(super) fn retry_stage(&mut self, action: Option<Action>, issues: Issues) {
        self.ending = None;
        self.action = action;
        self.issues = Some(issues);
    }

    /// Returns the names of the callable tools; `None` for a stage that runs outside a chain.
    pub(super) fn tool_names(&self) -> Option<&[String]> {
        self.formats.as_ref().map(|formats| &*formats.names)
    }

    /// Returns whether the last reply was usable.
    pub(super) fn has_usable_reply(&self) -> bool {
        matches!(self.ending, None | Some(Ending::Stopped))
    }

    /// Ends the run.
    pub(super) fn end(&mut self, ending: Ending) -> Action {
        self.ending = Some(ending);
        self.action = Some(Action::Stop);
        Action::Stop
    }
}

/// The issue of a *stop* without an answer.
const NO_ANSWER: &str = "is missing: with \"stop\" it holds the whole answer to the question; while tasks are left, the action is \"continue\"";

/// The limit up to which a result is shown to the model.
const MAX_SHOWN_BYTES: usize = 8_000;

impl Work {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Task { current, result } if current.is_empty() && result.is_empty())
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Task { current, result } => {
                write!(f, "{}: {}", Truncated(current), Truncated(result))
            }
            Self::Tool { name, arguments, result } => {
                let arguments = arguments.to_string();
                write!(f, "tool `{}` with {} ", Truncated(name), Truncated(&arguments))?;
                match result {
                    Ok(result) => write!(f, "gave: {}", Truncated(result)),
                    Err(error) => write!(f, "failed: {}", Truncated(error)),
                }
            }
        }
    }
}

/// Displays a text, truncated to [`MAX_SHOWN_BYTES`].
struct Truncated<'t>(&'t str);

impl fmt::Display for Truncated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = truncate(self.0, MAX_SHOWN_BYTES);
        f.write_str(shown)?;
        if shown.len() < self.0.len() {
            write!(f, "… ({} bytes more)", self.0.len() - shown.len())?;
        }
        Ok(())
    }
}
