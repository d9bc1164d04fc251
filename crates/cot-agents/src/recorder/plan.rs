//! The plans of a trace: which tasks start, and why.

use cot_engine::internal::VisitKey;
use cot_task_format::{Block, BlockKind, Expr, Object};

use super::visit::TaskAt;

/// A plan that no other block follows yet. Tasks that start one after the other share a plan.
#[derive(Debug, Clone)]
pub(super) struct PlanDraft {
    todo: Object,
    rationale: String,
}

impl PlanDraft {
    pub(super) fn new(number: u64, todo: String, rationale: &str) -> Self {
        let todo = Object::default().with(number.to_string(), todo);
        Self { todo, rationale: rationale.to_owned() }
    }

    /// Adds another item.
    pub(super) fn add(&mut self, number: u64, todo: String, rationale: &str) {
        let all = std::mem::take(&mut self.todo);
        self.todo = all.with(number.to_string(), todo);
        self.rationale.push_str("; ");
        self.rationale.push_str(rationale);
    }

    pub(super) fn into_block(self) -> Block {
        let plan = Object::default().with("todo", Expr::from(self.todo));
        Block::new(BlockKind::Plan, plan.with("rationale", self.rationale))
    }
}

/// The reasons why tasks are about to start.
#[derive(Debug, Default)]
pub(super) struct Reasons(Vec<Reason>);

#[derive(Debug)]
struct Reason {
    outer: Vec<VisitKey>,
    task: String,
    text: String,
}

impl Reasons {
    /// Adds the reason for a task to start.
    pub(super) fn add(&mut self, at: TaskAt<'_>, text: String) {
        self.0.push(Reason { outer: at.outer.to_vec(), task: at.task.to_owned(), text });
    }

    /// Makes the reasons for a task that does nothing itself, such as a gateway, those for the next task.
    pub(super) fn forward(&mut self, at: TaskAt<'_>, next: &str) {
        for reason in self.0.iter_mut().filter(|reason| reason.is_for(at)) {
            next.clone_into(&mut reason.task);
        }
    }

    /// Takes the reasons for a task.
    pub(super) fn take(&mut self, at: TaskAt<'_>) -> Vec<String> {
        let reasons = self.0.extract_if(.., |reason| reason.is_for(at));
        reasons.map(|reason| reason.text).collect()
    }

    /// Removes the reasons for tasks in other places than these.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&[VisitKey]) -> bool) {
        self.0.retain(|reason| is_kept(&reason.outer));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Reason {
    fn is_for(&self, at: TaskAt<'_>) -> bool {
        self.task == at.task && self.outer == at.outer
    }
}
