//! The state of one run.

use cot_model::{ToolCall, Usage};
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    action::Action,
    reply::ExecuteReply,
    settings::ChainSettings,
    text::value_text,
    todo::list::TodoList,
    tool::read_json,
    window::{self, show_todos, show_work},
    work::Work,
};
use crate::tools::{Tool, ToolSet};

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
    /// The plan as the model wrote it, or with the tasks ticked that it did since; `todos` is parsed from this
    /// text.
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
    /// The calls that the last reply requests beside that of `action`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_calls: Vec<ToolCall>,
    /// How many of the requested calls are made next.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) next_calls: u64,
    /// Whether the run was dropped during a call that is made once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) was_calling: bool,
    /// The steps of the present run.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) steps: u64,
    /// The unusable replies since the last usable one.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) rejections: u64,
    /// Whether the run has reached its limit of steps.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_limited: bool,
    /// Whether the tools are only described in prompts: vendors refuse one of their names.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) hides_tools: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
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

    /// Returns the plan, within 8 KiB, and the work so far, within 32 KiB, as text: the newest work whole, and
    /// older work in a line each. It replaces `{context}` in prompts.
    #[must_use]
    pub fn progress(&self) -> String {
        self.progress_within(window::BUDGET)
    }

    /// Returns the plan and the work so far as text, with at most so many bytes of work.
    pub(super) fn progress_within(&self, budget: usize) -> String {
        let none = || "(none yet)".to_owned();
        let todos = if self.todos.is_empty() { none() } else { show_todos(&self.todos, budget) };
        let work = if self.work.is_empty() { none() } else { show_work(&self.work, budget) };
        format!("The tasks:\n{todos}\n\nThe work so far:\n{work}")
    }

    /// Takes over a later state of the same run, to whose work pieces were only added.
    pub(super) fn catch_up(&mut self, later: &Self) {
        let mut work = std::mem::take(&mut self.work);
        work.extend(later.work.iter().skip(work.len()).cloned());
        *self = Self {
            work,
            question: later.question.clone(),
            todos: later.todos.clone(),
            todos_text: later.todos_text.clone(),
            action: later.action.clone(),
            arguments: later.arguments.clone(),
            answer: later.answer.clone(),
            ending: later.ending.clone(),
            issues: later.issues.clone(),
            further_calls: later.further_calls.clone(),
            ..*later
        };
    }

    /// Resets what is counted in each run, and answers a call during which the last run was dropped.
    pub(super) fn begin_run(&mut self, hides_tools: bool, settings: &ChainSettings) {
        (self.steps, self.rejections, self.hides_tools) = (0, 0, hides_tools);
        self.count_steps(0, settings.max_steps);
        self.count_next_calls(settings.tools());
        if std::mem::take(&mut self.was_calling) && self.requests_call() {
            self.interrupt_calls(settings.tools());
        }
    }

    /// Applies a usable reply. An answer is stored whatever the action is.
    ///
    /// # Errors
    ///
    /// Fails if the reply requests *stop*, and there is no answer, or if its tasks have nothing in common with
    /// the plan. The action is then unchanged.
    pub(super) fn apply(&mut self, reply: ExecuteReply) -> Result<(), Issues> {
        let ExecuteReply { current, result, todos, todos_text, action, arguments, answer } = reply;
        let is_done = !todos.is_empty() && todos.is_done();
        let is_last =
            action == Action::Stop || (action == Action::Continue && is_done && answer.is_some());
        let is_kept = todos.is_empty() || self.todos.is_empty() || todos.shares_a_task(&self.todos);
        if !is_last && !is_kept {
            return Err(Issues::at("todos", OTHER_TASKS));
        }
        if !todos.is_empty() {
            (self.todos, self.todos_text) = (todos, todos_text);
        } else if !result.is_empty() && action.tool_name().is_none() {
            self.todos.tick(&current);
            self.todos_text = self.todos.to_string();
        }
        let work = Work::Task { current, result };
        // A reply to an issue repeats the last work.
        if !work.is_empty() && (self.issues.is_none() || self.work.last() != Some(&work)) {
            self.work.push(work);
        }
        self.answer = answer.or_else(|| self.answer.take());
        if is_last && self.answer.is_none() {
            return Err(Issues::at("final", NO_ANSWER));
        }
        (self.issues, self.arguments, self.rejections) = (None, arguments, 0);
        self.further_calls.clear();
        if is_last {
            self.end(Ending::Stopped);
        } else {
            self.action = Some(action);
        }
        Ok(())
    }

    /// Rejects an unusable reply: the next request contains the issues. Ends the run if no retries are left.
    pub(super) fn reject(&mut self, issues: Issues, max_retries: u32) {
        self.arguments = None;
        if self.rejections >= u64::from(max_retries) {
            self.issues = None;
            return self.end(Ending::Unreadable(issues));
        }
        self.rejections += 1;
        self.issues = Some(issues);
    }

    /// Counts steps of the present run.
    pub(super) fn count_steps(&mut self, steps: u64, max: u64) {
        self.steps += steps;
        self.is_limited = self.steps >= max;
    }

    /// Returns whether the last reply requests calls of tools.
    pub(super) fn requests_call(&self) -> bool {
        matches!(self.action, Some(Action::Tool(_)))
    }

    /// Returns the calls of tools that the last reply requests.
    pub(super) fn requested_calls(&self) -> Vec<ToolCall> {
        let Some(name) = self.action.as_ref().and_then(Action::tool_name) else {
            return Vec::new();
        };
        let arguments = self.arguments.clone().unwrap_or_else(|| Value::Object(Map::new()));
        let first = ToolCall::new(name, value_text(arguments));
        [first].into_iter().chain(self.further_calls.iter().cloned()).collect()
    }

    /// Returns the calls that are made next: those up to one that is made once, which is made alone.
    pub(super) fn next_calls(&self) -> Vec<ToolCall> {
        let mut calls = self.requested_calls();
        calls.truncate(usize::try_from(self.next_calls).unwrap_or(usize::MAX));
        calls
    }

    fn count_next_calls(&mut self, tools: &ToolSet) {
        let is_once = |call: &ToolCall| tools.find(&call.name).is_some_and(Tool::is_once);
        let calls = self.requested_calls();
        let repeatable = calls.iter().take_while(|call| !is_once(call)).count();
        self.next_calls = repeatable.max(usize::from(!calls.is_empty())) as u64;
    }

    /// Stores the calls that a reply requests beside that of its action.
    pub(super) fn request_calls(&mut self, further: &[ToolCall], tools: &ToolSet) {
        self.further_calls = further.to_vec();
        self.count_next_calls(tools);
    }

    /// Adds the results of the calls that were made, and proceeds to the rest.
    pub(super) fn add_calls(&mut self, calls: impl IntoIterator<Item = Work>, tools: &ToolSet) {
        let left = self.requested_calls().split_off(self.next_calls().len());
        self.work.extend(calls);
        let mut left = left.into_iter();
        (self.action, self.arguments) = match left.next() {
            Some(call) => (Some(Action::Tool(call.name)), Some(read_json(&call.arguments))),
            None => (Some(Action::Continue), None),
        };
        self.request_calls(left.as_slice(), tools);
    }

    /// Answers the next calls without their results, so that they are not made again.
    pub(super) fn interrupt_calls(&mut self, tools: &ToolSet) {
        let calls = self.next_calls().into_iter().map(|call| Work::Tool {
            name: call.name,
            arguments: read_json(&call.arguments),
            result: Err(INTERRUPTED.to_owned()),
        });
        self.add_calls(calls, tools);
    }

    /// Ends the run.
    pub(super) fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.action = Some(Action::Stop);
    }
}

/// The result of a call for which it is not known whether it took effect.
const INTERRUPTED: &str = "it is not known whether the call took effect";

/// The issue of a list that replaces the plan.
const OTHER_TASKS: &str = "has none of the tasks of the plan: repeat them, with \"- [x] \" before those that are done, or leave \"todos\" out";

/// The issue of a *stop* without an answer.
const NO_ANSWER: &str = "is missing: with \"stop\" it holds the whole answer to the question; while tasks are left, the action is \"continue\"";
