//! Writes the results of tasks: attempts, outputs, items and branches.

use cot_engine::{Attempt, BranchOutcome, Failure};
use cot_reader::Repair;
use cot_schema::Issues;
use cot_task_format::{BlockKind, Expr, Object};
use serde_json::Value as Json;

use super::{
    replies::answer_text,
    trace_writer::{TraceWriter, json_expr},
    visit::TaskAt,
};

impl TraceWriter {
    /// Records a remark about a task.
    pub(super) fn note(&mut self, at: TaskAt<'_>, text: impl Into<Expr>) {
        self.visit(at);
        self.push(BlockKind::Act, Object::default().with("think", text));
    }

    /// Records a failed attempt. In a journal, its engine and its reply are in the entry of the answer.
    pub(super) fn fail(&mut self, at: TaskAt<'_>, attempt: &Attempt, will_retry: bool) {
        let Attempt { number, item, failure, issues, .. } = attempt;
        let visit = (at, self.visit_number(at));
        let late = self.answers.take_below(visit, *item, Some(*number));
        self.write_late_answers(late);
        self.close_below(at, *item);
        let answer = self.answers.take_failed(visit, attempt);
        answer.iter().for_each(|answer| self.outline.learn_from(at, answer));
        let is_stored = answer.is_some();
        let (engine, reply) = match answer {
            Some(answer) => (answer.engine, answer_text(answer.answer.as_ref())),
            None => (attempt.engine.clone(), attempt.reply.clone()),
        };
        let what = describe_attempt((*number, *item, engine.as_deref()), *failure, issues, &reply);
        let is_shown = issues.is_empty() || (is_stored && issues.to_string().contains(&reply));
        let reply = if is_shown { "" } else { &reply };
        if self.is_tool(at) {
            let mut result = Object::default().with("error", what);
            if !reply.is_empty() {
                result = result.with("reply", reply);
            }
            self.call(at, *item, result, false);
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

    /// Records the output of a task.
    pub(super) fn commit(&mut self, at: TaskAt<'_>, output: &Json) {
        self.write_answers(at, None, Some(output));
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
        self.outline.learn(at, |task| task.chooses = true);
        self.write_answers(at, None, Some(choice));
        self.think(at, json_expr(choice));
    }

    /// Records the output of an item.
    pub(super) fn end_item(&mut self, at: TaskAt<'_>, item: usize, output: &Json) {
        self.outline.learn(at, |task| task.is_per_item = true);
        self.write_answers(at, Some(item), Some(output));
        let output = json_expr(output);
        if self.is_tool(at) {
            self.call(at, Some(item), Object::default().with("data", output), false);
            return;
        }
        let thought = Object::default().with("item", number(item)).with("output", output);
        self.note(at, Expr::from(thought));
    }

    /// Records that an item has no output.
    pub(super) fn fail_item(&mut self, at: TaskAt<'_>, item: usize, reason: &str) {
        self.outline.learn(at, |task| task.is_per_item = true);
        self.write_answers(at, Some(item), None);
        let text = format!("item {item} failed: {reason}");
        if self.is_tool(at) {
            self.call(at, Some(item), Object::default().with("error", text), false);
        } else {
            self.note(at, text);
        }
    }

    /// Records the end of a branch.
    pub(super) fn end_branch(&mut self, at: TaskAt<'_>, branch: &str, outcome: &BranchOutcome) {
        self.outline.learn_performer(at, || "Branches".to_owned());
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

/// Describes a failed attempt: its number, its item, and its engine.
fn describe_attempt(
    (number, item, engine): (u32, Option<usize>, Option<&str>),
    failure: Failure,
    issues: &Issues,
    reply: &str,
) -> String {
    let item = item.map(|item| format!(" at item {item}")).unwrap_or_default();
    let engine = engine.map(|engine| format!(" by {engine}")).unwrap_or_default();
    let wrong = if issues.is_empty() { reply.to_owned() } else { issues.to_string() };
    let how = failure.predicate();
    let colon = if wrong.is_empty() { "" } else { ": " };
    format!("attempt {number}{item}{engine} {how}{colon}{wrong}")
}

/// Describes the repairs of a reply: the number of its attempt, and its item.
pub(super) fn describe_repairs((number, item): (u32, Option<usize>), repairs: &[Repair]) -> String {
    let item = item.map(|item| format!(" at item {item}")).unwrap_or_default();
    let repairs: Vec<String> = repairs.iter().map(ToString::to_string).collect();
    format!("the reply of attempt {number}{item} was repaired: {}", repairs.join("; "))
}
