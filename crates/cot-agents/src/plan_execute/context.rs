//! What is known of one run.

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

/// What is known of one run: the question, the plan, the work so far and, in the end, the answer.
///
/// It serializes, so that a run that stopped half-way can go on elsewhere: [`ChainOfThought::run`] begins
/// where the context stands.
///
/// [`ChainOfThought::run`]: super::ChainOfThought::run
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Context {
    /// The question.
    pub question: String,
    /// The plan, as the last reply had it.
    pub todos: TodoList,
    /// The plan as the last reply wrote it: what `todos` was read from.
    pub todos_text: String,
    /// What was done so far.
    pub work: Vec<Work>,
    /// What the last reply wants to happen next; `None` before the plan.
    pub action: Option<Action>,
    /// What a tool is to be called with, while the action is one.
    pub arguments: Option<Value>,
    /// The answer: the final one where the run has ended, before that the latest that a reply had.
    pub answer: Option<String>,
    /// Why the run stopped.
    pub ending: Option<Ending>,
    /// What was wrong with the last reply, which the next request tells the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues: Option<Issues>,
    /// What the calls of models consumed.
    pub usage: Usage,
    /// What the replies look like, given the tools of the run.
    #[serde(skip)]
    pub(super) formats: Option<Arc<Formats>>,
}

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Work {
    /// A task, done by the model.
    Task {
        /// The task.
        current: String,
        /// What came of it.
        result: String,
    },
    /// A tool, called for the model.
    Tool {
        /// Its name.
        name: String,
        /// What it was called with.
        arguments: Value,
        /// What it gave, or why it failed.
        result: Result<String, String>,
    },
}

/// Why a run stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// The model said *stop*, and there is an answer.
    Stopped,
    /// A reply could not be used: it could not be read, or said *stop* when there was no answer.
    Unreadable(Issues),
    /// A reply was cut off by the limit of tokens before its end.
    Truncated,
    /// The model refused to answer.
    Refused,
}

impl Context {
    /// The context of a question.
    #[must_use]
    pub fn new(question: impl Into<String>) -> Self {
        Self { question: question.into(), ..Self::default() }
    }

    /// The plan and the work so far, in words, as `{context}` shows them to the model.
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

    /// A request with this system message, filled, and this message of the user.
    pub(super) fn ask(
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
        let mut request = ModelRequest::new(message);
        request.system = Some(system.into());
        request.schema = Some(Arc::clone(schema(formats)));
        request
    }

    /// Takes up what a reply says, and goes where it wants to. An answer is kept whatever the action is; a
    /// *stop* without any ends the run as a reply that can't be used.
    pub(super) fn take_up(&mut self, reply: ExecuteReply) -> Action {
        let ExecuteReply { current, result, todos, todos_text, action, arguments, answer } = reply;
        let is_done = !todos.is_empty() && todos.is_done();
        if !todos.is_empty() {
            (self.todos, self.todos_text) = (todos, todos_text);
        }
        let work = Work::Task { current, result };
        // A reply to an issue says it again.
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

    /// Begins a stage again after a reply that could not be used, and lets the model know why.
    pub(super) fn begin_again(&mut self, action: Option<Action>, issues: Issues) {
        self.ending = None;
        self.action = action;
        self.issues = Some(issues);
    }

    /// The names of the tools that the model can call; `None` for a stage that stands alone.
    pub(super) fn tool_names(&self) -> Option<&[String]> {
        self.formats.as_ref().map(|formats| &*formats.names)
    }

    /// Whether the last reply said something.
    pub(super) fn was_read(&self) -> bool {
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

/// How much of one result is shown to the model.
const MAX_SHOWN_BYTES: usize = 8_000;

impl Work {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Task { current, result } if current.is_empty() && result.is_empty())
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Task { current, result } => write!(f, "{}: {}", Cut(current), Cut(result)),
            Self::Tool { name, arguments, result } => {
                let arguments = arguments.to_string();
                write!(f, "tool `{}` with {} ", Cut(name), Cut(&arguments))?;
                match result {
                    Ok(result) => write!(f, "gave: {}", Cut(result)),
                    Err(error) => write!(f, "failed: {}", Cut(error)),
                }
            }
        }
    }
}

/// A text, cut if it is long.
struct Cut<'t>(&'t str);

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = truncate(self.0, MAX_SHOWN_BYTES);
        f.write_str(shown)?;
        if shown.len() < self.0.len() {
            write!(f, "… ({} bytes more)", self.0.len() - shown.len())?;
        }
        Ok(())
    }
}
