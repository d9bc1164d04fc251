//! Writes the results of tasks: attempts, outputs, items and branches.

use cot_engine::BranchOutcome;
use cot_task_format::{BlockKind, Expr, Object};
use serde_json::Value as Json;

use super::{
    trace_writer::{TraceWriter, json_expr},
    visit::TaskAt,
};

/// A failed attempt.
#[derive(Debug)]
pub(super) struct FailedAttempt<'a> {
    pub(super) item: Option<usize>,
    /// What happened, in words.
    pub(super) what: String,
    /// The reply that was not accepted, unless `what` contains it; else empty.
    pub(super) reply: &'a str,
    pub(super) will_retry: bool,
}

impl TraceWriter {
    /// Records a remark about a task.
    pub(super) fn note(&mut self, at: TaskAt<'_>, text: impl Into<Expr>) {
        self.visit(at);
        self.push(BlockKind::Act, Object::default().with("think", text));
    }

    /// Records a failed attempt.
    pub(super) fn fail(&mut self, at: TaskAt<'_>, failed: FailedAttempt<'_>) {
        let FailedAttempt { item, what, reply, will_retry } = failed;
        if self.is_tool(at) {
            let mut result = Object::default().with("error", what);
            if !reply.is_empty() {
                result = result.with("reply", reply);
            }
            self.call(at, item, result, false);
            return;
        }
        let then = if will_retry { "; it is asked again" } else { "" };
        self.visit(at);
        let mut act = Object::default();
        if !reply.is_empty() {
            act = act.with("think", reply);
        }
        self.push(BlockKind::Act, act.with("think", format!("{what}{then}")));
    }

    /// Records a reply that the output of the task does not show.
    pub(super) fn reply(&mut self, at: TaskAt<'_>, what: &str, reply: &Json) {
        let thought = Object::default().with(what, json_expr(reply));
        self.note(at, Expr::from(thought));
    }

    /// Records the output of a task.
    pub(super) fn commit(&mut self, at: TaskAt<'_>, output: &Json) {
        let output = json_expr(output);
        // The calls for the items are in the trace already.
        let is_list = self.outline(at).is_some_and(|task| task.is_per_item);
        let tag = match self.is_tool(at) && !(is_list && self.visit(at).tags > 0) {
            true => self.call(at, None, Object::default().with("data", output), true),
            false => self.think(at, output),
        };
        if at.outer.is_empty() {
            self.last_output = Some(tag);
        }
    }

    /// Records the transition that a model chose.
    pub(super) fn choose(&mut self, at: TaskAt<'_>, choice: &Json) {
        self.think(at, json_expr(choice));
    }

    /// Records the output of an item.
    pub(super) fn end_item(&mut self, at: TaskAt<'_>, item: usize, output: &Json) {
        let output = json_expr(output);
        if self.is_tool(at) {
            self.call(at, Some(item), Object::default().with("data", output), false);
            return;
        }
        let thought = Object::default().with("item", number(item)).with("output", output);
        self.note(at, Expr::from(thought));
    }

    /// Records that an item has no output.
    pub(super) fn fail_item(&mut self, at: TaskAt<'_>, item: usize, reason: Option<&str>) {
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let text = format!("item {item} failed{reason}");
        if self.is_tool(at) {
            self.call(at, Some(item), Object::default().with("error", text), false);
        } else {
            self.note(at, text);
        }
    }

    /// Records the end of a branch.
    pub(super) fn end_branch(&mut self, at: TaskAt<'_>, branch: &str, outcome: &BranchOutcome) {
        let how = match outcome {
            BranchOutcome::Joined => "joined".to_owned(),
            BranchOutcome::Failed(why) => format!("failed: {why}"),
            BranchOutcome::Cancelled => "was cancelled".to_owned(),
        };
        self.note(at, format!("the branch `{branch}` {how}"));
    }

    /// Writes an output or choice as a thought. Returns its tag.
    fn think(&mut self, at: TaskAt<'_>, thought: Expr) -> String {
        let visit = self.visit(at);
        visit.is_done = true;
        let (number, tag) = (visit.number, visit.new_tag());
        let thought = thought.tag(&tag).satisfy(number);
        self.push(BlockKind::Act, Object::default().with("think", thought));
        tag
    }

    /// Writes the call that a task is, with its result. Returns the id of the call.
    pub(super) fn call(
        &mut self,
        at: TaskAt<'_>,
        item: Option<usize>,
        result: Object,
        is_done: bool,
    ) -> String {
        let tool = self.outline.tool_name(at.process, at.task);
        let visit = self.visit(at);
        visit.is_done |= is_done;
        let id = visit.new_tag();
        let number_of_todo = visit.number;
        let mut call = Object::default().with("tool", tool);
        if let Some(item) = item {
            call = call.with("item", number(item));
        }
        if let Some(question) = &visit.question {
            call = call.with("question", question.as_str());
        }
        let mut call = Expr::from(call.with("id", id.as_str()));
        if is_done {
            call = call.satisfy(number_of_todo);
        }
        self.push(BlockKind::Act, Object::default().with("call", call));
        self.push(BlockKind::ToolResult, Expr::from(result).tag(&id));
        id
    }
}

fn number(item: usize) -> Expr {
    Expr::from_plain_json(&Json::from(item))
}
