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
    pub(super) outer: &'a [VisitKey],
    pub(super) task: &'a str,
}

/// A process in a run: its name, and the tasks that run the sub-processes down to it.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) process: &'a str,
    pub(super) outer: Vec<VisitKey>,
}

impl<'a> Place<'a> {
    pub(super) const fn root(process: &'a str) -> Self {
        Self { process, outer: Vec::new() }
    }

    /// Returns the place of the sub-process that a visit of a task runs.
    pub(super) fn inner<'b>(&self, visit: VisitKey, process: &'b str) -> Place<'b> {
        let mut outer = self.outer.clone();
        outer.push(visit);
        Place { process, outer }
    }

    pub(super) fn at<'b>(&'b self, task: &'b str) -> TaskAt<'b> {
        TaskAt { process: self.process, outer: &self.outer, task }
    }
}

/// One execution of a task.
#[derive(Debug)]
pub(super) struct Visit {
    process: String,
    outer: Vec<VisitKey>,
    pub(super) task: String,
    /// The number of the step in its process.
    pub(super) step: u64,
    /// The number of the visit of the task, as in the keys of its calls; 0 if it is not known.
    pub(super) visit: u32,
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
    pub(super) fn new(at: TaskAt<'_>, (step, visit): (u64, u32), number: u64) -> Self {
        Self {
            process: at.process.to_owned(),
            outer: at.outer.to_vec(),
            task: at.task.to_owned(),
            step,
            visit,
            number,
            tags: 0,
            question: None,
            is_done: false,
            tools: BTreeMap::new(),
        }
    }

    pub(super) fn is_of(&self, at: TaskAt<'_>) -> bool {
        self.task == at.task && are_same(&self.outer, at.outer)
    }

    /// Returns whether the visit belongs to the same process as the task, in the same place.
    pub(super) fn is_beside(&self, at: TaskAt<'_>) -> bool {
        are_same(&self.outer, at.outer)
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
    pub(super) fn is_around(&self, outer: &[VisitKey], item: Option<usize>) -> bool {
        let this = self.visit_in(outer);
        this.is_some_and(|this| item.is_none() || this.item == item)
    }

    /// Returns the visit of the task among these visits, each of which is in the sub-process of the one before it.
    pub(super) fn visit_in<'v>(&self, visits: &'v [VisitKey]) -> Option<&'v VisitKey> {
        let (outer, inner) = visits.split_at_checked(self.outer.len())?;
        let this = inner.first().filter(|this| this.task == self.task)?;
        are_same(outer, self.outer).then_some(this)
    }

    /// Returns the name of the task, after those of the tasks that run its sub-process: `nest[2]/improve`.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for VisitKey { task, item, .. } in self.outer {
            path.push_str(task);
            if let Some(item) = item {
                path.push_str(&format!("[{item}]"));
            }
            path.push('/');
        }
        path + self.task
    }
}

/// Returns whether visits are the same, as far as their numbers are known.
pub(super) fn are_same(some: &[VisitKey], others: &[VisitKey]) -> bool {
    let is_same = |(one, other): (&VisitKey, &VisitKey)| {
        (&one.task, one.item, one.attempt) == (&other.task, other.item, other.attempt)
            && (one.number == other.number || one.number == 0 || other.number == 0)
    };
    some.len() == others.len() && some.iter().zip(others).all(is_same)
}
