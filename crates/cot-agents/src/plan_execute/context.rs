//! The state of one run.

use cot_model::{ToolCall, Usage};
use cot_schema::Issues;
use serde::{Deserialize, Serialize};

use super::{
    action::Action,
    ending::Ending,
    reply::StageReply,
    todo::list::TodoList,
    window::{self, show_todos, show_work},
    work::Work,
};
use crate::{
    json_or_text,
    tools::{Tool, ToolSet},
};

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
    /// The plan of the last reply, with the tasks ticked that the model did since.
    pub todos: TodoList,
    /// The work so far.
    pub work: Vec<Work>,
    /// The next action that the last reply requests; `None` before planning.
    pub action: Option<Action>,
    /// The requested calls of tools that are made next: several, or one that is made once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// The requested calls of tools that are made after those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_calls: Vec<ToolCall>,
    /// The final answer; before the end, the latest answer in a reply.
    pub answer: Option<String>,
    /// Why the run ended; `None` while it is running.
    pub ending: Option<Ending>,
    /// Usage of all model calls.
    pub usage: Usage,
    /// Whether the run was dropped during a call that is made once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) was_calling: bool,
    /// The steps of the present run.
    pub(super) steps: u64,
    /// Whether the run has reached its limit of steps.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_limited: bool,
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
        let todos =
            if self.todos.items.is_empty() { none() } else { show_todos(&self.todos, budget) };
        let work = if self.work.is_empty() { none() } else { show_work(&self.work, budget) };
        format!("The tasks:\n{todos}\n\nThe work so far:\n{work}")
    }

    /// Resets what is counted in each run, and answers a call during which the last run was dropped.
    pub(super) fn begin_run(&mut self, max_steps: u64, tools: &ToolSet) {
        self.steps = 0;
        self.count_steps(0, max_steps);
        self.split_calls(tools);
        if std::mem::take(&mut self.was_calling) {
            self.interrupt_calls(tools);
        }
    }

    /// Checks that a reply can be used: that it could be read, keeps a task of the plan, and does not request
    /// *stop* without an answer.
    pub(super) fn check(&self, reply: &StageReply) -> Result<(), Issues> {
        if let Some(issues) = &reply.issues {
            return Err(issues.clone());
        }
        let todos = reply.tasks();
        let is_kept = todos.items.is_empty()
            || self.todos.items.is_empty()
            || todos.shares_a_task(&self.todos);
        match is_last(reply, &todos) {
            false if !is_kept => Err(Issues::at("todos", OTHER_TASKS)),
            true if reply.answer.is_none() && self.answer.is_none() => {
                Err(Issues::at("final", NO_ANSWER))
            }
            _ => Ok(()),
        }
    }

    /// Applies a reply. An answer is stored whatever the action is. An unusable reply ends the run.
    pub(super) fn take(&mut self, reply: &StageReply) {
        if let Err(issues) = self.check(reply) {
            return self.end(Ending::Unreadable(issues));
        }
        let StageReply { current, result, action, answer, calls, .. } = reply.clone();
        let todos = reply.tasks();
        let is_last = is_last(reply, &todos);
        if !todos.items.is_empty() {
            self.todos = todos;
        } else if !result.is_empty() && action.tool_name().is_none() {
            self.todos.tick(&current);
        }
        let work = Work::Task { current, result };
        if !work.is_empty() {
            self.work.push(work);
        }
        self.answer = answer.or_else(|| self.answer.take());
        if is_last {
            return self.end(Ending::Stopped);
        }
        (self.calls, self.further_calls) = (calls, Vec::new());
        self.action = Some(action);
    }

    /// Counts steps of the present run.
    pub(super) fn count_steps(&mut self, steps: u64, max: u64) {
        self.steps += steps;
        self.is_limited = self.steps >= max;
    }

    /// Splits the requested calls: those up to one that is made once are made next, or such a call alone. So the
    /// results before a call that is interrupted are kept.
    pub(super) fn split_calls(&mut self, tools: &ToolSet) {
        let is_once = |call: &ToolCall| tools.find(&call.name).is_some_and(Tool::is_once);
        self.calls.append(&mut self.further_calls);
        let next = self.calls.iter().take_while(|call| !is_once(call)).count().max(1);
        self.further_calls = self.calls.split_off(next.min(self.calls.len()));
    }

    /// Adds the results of the calls that were made, and proceeds to the rest.
    pub(super) fn add_calls(&mut self, calls: impl IntoIterator<Item = Work>, tools: &ToolSet) {
        self.work.extend(calls);
        self.calls.clear();
        self.split_calls(tools);
        self.action = Some(match self.calls.first() {
            Some(call) => Action::Tool(call.name.clone()),
            None => Action::Continue,
        });
    }

    /// Answers the next calls without their results, so that they are not made again.
    pub(super) fn interrupt_calls(&mut self, tools: &ToolSet) {
        let calls = std::mem::take(&mut self.calls).into_iter().map(|call| Work::Tool {
            arguments: json_or_text(&call.arguments),
            name: call.name,
            result: Err(INTERRUPTED.to_owned()),
        });
        self.add_calls(calls, tools);
    }

    /// Ends the run.
    pub(super) fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.action = Some(Action::Stop);
        self.calls.clear();
        self.further_calls.clear();
    }
}

/// Returns whether a reply ends the run: by its action, or with an answer and a list without open tasks.
fn is_last(reply: &StageReply, todos: &TodoList) -> bool {
    let is_done = !todos.items.is_empty() && todos.is_done();
    reply.action == Action::Stop
        || (reply.action == Action::Continue && is_done && reply.answer.is_some())
}

/// The result of a call for which it is not known whether it took effect.
const INTERRUPTED: &str = "it is not known whether the call took effect";

/// The issue of a list that replaces the plan.
const OTHER_TASKS: &str = "has none of the tasks of the plan: repeat them, with \"- [x] \" before those that are done, or leave \"todos\" out";

/// The issue of a *stop* without an answer.
const NO_ANSWER: &str = "is missing: with \"stop\" it holds the whole answer to the question; while tasks are left, the action is \"continue\"";
