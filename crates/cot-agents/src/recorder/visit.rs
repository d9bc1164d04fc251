//! The visits of tasks that a trace is in the middle of.

use std::collections::BTreeMap;

use cot_engine::internal::VisitKey;
use serde_json::Value as Json;

/// A task in a run: its name, and the tasks that run the sub-processes around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TaskAt<'a> {
    /// The process that the task belongs to.
    pub(super) process: &'a str,
    /// The tasks that run the sub-processes, outermost first.
    pub(super) outer: &'a [Outer],
    pub(super) task: &'a str,
}

/// A task that runs a sub-process, with the number of the item if it does so for each item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outer {
    pub(super) task: String,
    pub(super) item: Option<usize>,
}

impl From<&VisitKey> for Outer {
    fn from(VisitKey { task, item, .. }: &VisitKey) -> Self {
        Self { task: task.clone().into_owned(), item: *item }
    }
}

/// One execution of a task.
#[derive(Debug)]
pub(super) struct Visit {
    process: String,
    outer: Vec<Outer>,
    pub(super) task: String,
    /// The number of the step in its process.
    pub(super) step: u64,
    /// The number of the todo item.
    pub(super) number: u64,
    /// The number of tags of results.
    pub(super) tags: u64,
    pub(super) question: Option<String>,
    /// Whether the todo item is satisfied.
    pub(super) is_done: bool,
    /// The calls of tools by the model, by number.
    pub(super) tools: BTreeMap<u32, ToolState>,
}

/// A call of a tool by a model.
#[derive(Debug)]
pub(super) enum ToolState {
    /// The call is not in the trace yet, since it is not known whether there is such a tool.
    Unwritten(UnwrittenCall),
    /// The call is in the trace, and has no result yet.
    Written,
    Answered,
}

/// A call of a tool that is not in the trace yet.
#[derive(Debug, Clone, Default)]
pub(super) struct UnwrittenCall {
    pub(super) tool: String,
    pub(super) arguments: String,
    /// The person's answer to the question whether to make the call.
    pub(super) approval: Option<Json>,
}

impl Visit {
    pub(super) fn new(at: TaskAt<'_>, step: u64, number: u64) -> Self {
        Self {
            process: at.process.to_owned(),
            outer: at.outer.to_vec(),
            task: at.task.to_owned(),
            step,
            number,
            tags: 0,
            question: None,
            is_done: false,
            tools: BTreeMap::new(),
        }
    }

    pub(super) fn is_of(&self, at: TaskAt<'_>) -> bool {
        self.task == at.task && self.outer == at.outer
    }

    /// Returns whether the visit belongs to the same process as the task, in the same place.
    pub(super) fn is_beside(&self, at: TaskAt<'_>) -> bool {
        self.outer == at.outer
    }

    pub(super) fn at(&self) -> TaskAt<'_> {
        TaskAt { process: &self.process, outer: &self.outer, task: &self.task }
    }

    /// Returns the tag of the next result. It is unique, since task names contain no hyphen.
    pub(super) fn new_tag(&mut self) -> String {
        self.tags += 1;
        match self.tags {
            1 => format!("{}-{}", self.task, self.number),
            tags => format!("{}-{}-{tags}", self.task, self.number),
        }
    }

    /// Returns the id of a call of a tool.
    pub(super) fn tool_call_id(&self, call: u32) -> String {
        format!("{}-{}-call-{call}", self.task, self.number)
    }
}

impl TaskAt<'_> {
    /// Returns whether the task runs the innermost of these sub-processes, or one around it, for any item or
    /// only for this one.
    pub(super) fn is_around(&self, outer: &[Outer], item: Option<usize>) -> bool {
        let this = outer.strip_prefix(self.outer).and_then(<[Outer]>::first);
        this.is_some_and(|this| this.task == self.task && (item.is_none() || this.item == item))
    }

    /// Returns the name of the task, after those of the tasks that run its sub-process: `nest[2]/improve`.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for Outer { task, item } in self.outer {
            path.push_str(task);
            if let Some(item) = item {
                path.push_str(&format!("[{item}]"));
            }
            path.push('/');
        }
        path + self.task
    }
}
