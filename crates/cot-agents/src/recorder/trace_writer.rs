//! Writes the trace of a run.

use std::time::Duration;

use cot_engine::internal::VisitKey;
use cot_model::Usage;
use cot_task_format::{Block, BlockKind, Expr, Object, Trace, internal::data};
use serde_json::Value as Json;

use super::{
    answers::Answers,
    outline::{Outline, TaskOutline},
    plan::{PlanDraft, Reasons},
    visit::{TaskAt, Visit, are_same},
};

/// A trace that is being written. Its last turn may have no response yet.
#[derive(Debug)]
pub(super) struct TraceWriter {
    goal: String,
    pub(super) outline: Outline,
    pub(super) answers: Answers,
    /// The turns, without the draft of a plan.
    blocks: Vec<Block>,
    plan: Option<PlanDraft>,
    /// Whether the current turn has a plan.
    has_plan: bool,
    /// Number of runs that have started.
    runs: u64,
    /// Number of tasks that have started.
    started: u64,
    /// The tasks that have started and not finished.
    pub(super) visits: Vec<Visit>,
    reasons: Reasons,
    /// The name of the task that ended last.
    last_task: Option<String>,
    /// The tag of the last output.
    pub(super) last_output: Option<String>,
    /// What the run waits for, if it is not over.
    waits_for: String,
    is_over: bool,
}

/// The step of a task whose start was not recorded.
const UNKNOWN_STEP: u64 = u64::MAX;

impl TraceWriter {
    pub(super) fn new(outline: Outline, goal: String) -> Self {
        let mut writer = Self {
            goal,
            outline,
            answers: Answers::default(),
            blocks: Vec::new(),
            plan: None,
            has_plan: false,
            runs: 0,
            started: 0,
            visits: Vec::new(),
            reasons: Reasons::default(),
            last_task: None,
            last_output: None,
            waits_for: String::new(),
            is_over: true,
        };
        writer.begin();
        writer
    }

    /// Returns the trace. While the run is in progress, the response says so.
    pub(super) fn trace(&self) -> Trace {
        let mut blocks = vec![Block::new(BlockKind::System, self.outline.about.as_str())];
        blocks.extend(self.outline.tools.iter().map(|tool| {
            let (name, description) = (tool.name.as_str(), tool.description.as_str());
            let tool = Object::default().with("name", name).with("description", description);
            Block::new(BlockKind::Tool, tool)
        }));
        blocks.extend_from_slice(&self.blocks);
        if !self.is_over {
            blocks.extend(self.plan.clone().map(PlanDraft::into_block));
            blocks.extend((!self.has_plan).then(missing_plan));
            blocks.extend(
                self.visits.iter().flat_map(|visit| visit.unanswered("there is no answer yet")),
            );
            let text = format!("The run is not over.{}", self.waits_for);
            blocks.push(Block::new(BlockKind::Response, text));
        }
        blocks.into()
    }

    /// Records that the run waits before its next task, or before the next attempt of a task.
    pub(super) fn wait(&mut self, at: TaskAt<'_>, duration: Duration) {
        self.begin();
        if self.visits.iter().any(|visit| visit.is_of(at)) {
            self.note(at, format!("the run waits {duration:?}"));
        } else {
            self.reasons.add(at, format!("the run waits {duration:?} before it"));
        }
    }

    /// Records the start of a task.
    pub(super) fn start(&mut self, at: TaskAt<'_>, step: u64, visit: u32) {
        self.begin();
        // A resumed run emits the start of its current tasks again.
        let is_it = |it: &&mut Visit| it.is_of(at) && [step, UNKNOWN_STEP].contains(&it.step);
        if let Some(known) = self.visits.iter_mut().find(is_it) {
            (known.step, known.visit) = (step, visit);
            return;
        }
        let rationale = self.rationale(at, step);
        self.started += 1;
        let number = self.started;
        let title = self.outline.task(at.process, at.task).and_then(|task| task.title.as_ref());
        let title = title.map(|title| format!(": {title}")).unwrap_or_default();
        let todo = at.path() + &title;
        match &mut self.plan {
            Some(plan) => plan.add(number, todo, &rationale),
            None => self.plan = Some(PlanDraft::new(number, todo, &rationale)),
        }
        self.has_plan = true;
        self.visits.push(Visit::new(at, (step, visit), number));
    }

    /// Returns why a task starts.
    fn rationale(&mut self, at: TaskAt<'_>, step: u64) -> String {
        let mut reasons = self.reasons.take(at);
        let is_parallel = |visit: &&Visit| {
            let outline = self.outline.task(at.process, &visit.task);
            visit.is_beside(at) && outline.is_some_and(|task| task.is_parallel)
        };
        let parallel = self.visits.iter().rfind(is_parallel);
        // Only branches start beside an open task, whatever is known of it.
        let parallel = parallel.or_else(|| self.visits.iter().find(|visit| visit.is_beside(at)));
        if step <= 1 && at.outer.is_empty() {
            reasons.insert(0, "the run begins here".to_owned());
        }
        if !reasons.is_empty() {
            return reasons.join("; ");
        }
        if let Some(parallel) = parallel {
            return format!("a branch of `{}` begins", parallel.task);
        }
        match at.outer.last() {
            Some(outer) if step <= 1 => {
                let item = outer.item.map(|item| format!(" for item {item}")).unwrap_or_default();
                format!("`{}` runs the process `{}`{item}", outer.task, at.process)
            }
            _ => "what the run did before this is not in the trace".to_owned(),
        }
    }

    /// Records a question to a human.
    pub(super) fn ask(&mut self, at: TaskAt<'_>, question: &str) {
        let is_tool = self.is_tool(at);
        let visit = self.visit(at);
        if visit.question.as_deref() == Some(question) {
            return;
        }
        visit.question = Some(question.to_owned());
        if !is_tool {
            // The question whether a tool may be called.
            let thought = Object::default().with("question", question);
            self.push(BlockKind::Act, Object::default().with("think", Expr::from(thought)));
        }
    }

    /// Records the question that a stored run asks. A resumed run asks it again.
    pub(super) fn ask_later(&mut self, at: TaskAt<'_>, question: &str) {
        if self.is_tool(at) {
            self.ask(at, question);
        }
    }

    /// Records the end of a task, with the route to the next one.
    pub(super) fn leave(
        &mut self,
        at: TaskAt<'_>,
        (next, way): (Option<&str>, Option<String>),
        is_done: bool,
    ) {
        self.begin();
        let late = self.answers.take_below((at, self.visit_number(at)), None, None);
        self.write_late_answers(late);
        // A function without an output returns nothing.
        self.write_answers(at, None, Some(&Json::Null));
        self.close_below(at, None);
        if let Some(index) = self.visits.iter().rposition(|visit| visit.is_of(at)) {
            if is_done && !self.visits[index].is_done && self.is_tool(at) {
                // A function or sub-process without an output has completed its task.
                let nothing = Object::default().with("data", Expr::from_plain_json(&Json::Null));
                self.call(at, None, nothing, true);
            }
            let visit = self.visits.remove(index);
            self.close(&visit);
        }
        if at.outer.is_empty() {
            self.last_task = Some(at.task.to_owned());
        }
        if let Some(next) = next {
            self.reasons.forward(at, next);
            if let Some(way) = way {
                self.reasons.add(TaskAt { task: next, ..at }, way);
            }
        }
    }

    /// Removes the visits in the sub-processes that a task runs, for all items or only one.
    pub(super) fn close_below(&mut self, at: TaskAt<'_>, item: Option<usize>) {
        let is_below = |visit: &mut Visit| at.is_around(visit.at().outer, item);
        let below: Vec<Visit> = self.visits.extract_if(.., is_below).collect();
        below.iter().for_each(|visit| self.close(visit));
        self.reasons.retain(|outer| !at.is_around(outer, item));
    }

    /// Answers the open calls of a visit that has ended.
    fn close(&mut self, visit: &Visit) {
        for block in visit.unanswered("it was not answered") {
            self.push_block(block);
        }
    }

    /// Records the end of the run.
    pub(super) fn end(&mut self, why: Option<&str>, usage: Usage) {
        self.begin();
        for visit in std::mem::take(&mut self.visits) {
            self.close(&visit);
        }
        self.flush_plan();
        self.blocks.extend((!self.has_plan).then(missing_plan));
        let last = self.last_task.take().map(|name| format!(" at `{name}`")).unwrap_or_default();
        let text = match why {
            Some(why) => format!("The run failed{last}: {why}"),
            None => format!("The run came to its end{last}."),
        };
        let used = format!("Models were asked {} times.", usage.calls);
        let mut response = Expr::from(format!("{text}\n{used}"));
        if let Some(tag) = self.last_output.take() {
            response = response.reference(tag);
        }
        self.blocks.push(Block::new(BlockKind::Response, response));
        self.is_over = true;
        self.reasons.clear();
    }

    /// Sets what the run waits for: a sentence for the response of a run that is not over.
    pub(super) fn set_wait(&mut self, sentence: &str) {
        if !sentence.is_empty() {
            self.waits_for = format!(" {sentence}");
        }
    }

    /// Starts a turn, if the last run has ended.
    fn begin(&mut self) {
        self.waits_for.clear();
        if self.is_over {
            (self.is_over, self.has_plan) = (false, false);
            self.runs += 1;
            let goal = Expr::from(self.goal.as_str()).tag(format!("usr{}", self.runs));
            self.blocks.push(Block::new(BlockKind::User, goal));
        }
    }

    /// Returns the visit of a task. Starts one if the recorder was attached in the middle of the task.
    pub(super) fn visit(&mut self, at: TaskAt<'_>) -> &mut Visit {
        self.begin();
        if !self.visits.iter().any(|visit| visit.is_of(at)) {
            self.start(at, UNKNOWN_STEP, 0);
        }
        let index = self.visits.iter().rposition(|visit| visit.is_of(at)).unwrap_or_default();
        &mut self.visits[index]
    }

    /// Returns the number of the visit that a task is in; 0 if it is not known.
    pub(super) fn visit_number(&self, at: TaskAt<'_>) -> u32 {
        self.visits.iter().rfind(|visit| visit.is_of(at)).map_or(0, |visit| visit.visit)
    }

    /// Starts the visit of a task unless it is known: its start follows.
    pub(super) fn begin_visit(&mut self, at: TaskAt<'_>, number: u32) {
        if self.visits.iter().any(|visit| visit.is_of(at)) {
            return;
        }
        let is_first = match at.outer {
            [] => self.started == 0,
            outer => !self.visits.iter().any(|visit| are_same(visit.at().outer, outer)),
        };
        self.start(at, if is_first { 1 } else { UNKNOWN_STEP }, number);
        self.visit(at).step = UNKNOWN_STEP;
    }

    /// Returns the name of the process that these tasks run; empty if no task of it has started.
    pub(super) fn process_at(&self, outer: &[VisitKey]) -> String {
        let mut visits = self.visits.iter().rev().map(Visit::at);
        match outer {
            [] => self.outline.process.clone(),
            outer => {
                visits.find(|at| are_same(at.outer, outer)).map_or("", |at| at.process).to_owned()
            }
        }
    }

    pub(super) fn is_tool(&self, at: TaskAt<'_>) -> bool {
        self.outline(at).is_some_and(|task| task.is_tool)
    }

    pub(super) fn outline(&self, at: TaskAt<'_>) -> Option<&TaskOutline> {
        self.outline.task(at.process, at.task)
    }

    pub(super) fn push(&mut self, kind: BlockKind, content: impl Into<Expr>) {
        self.push_block(Block::new(kind, content));
    }

    pub(super) fn push_block(&mut self, block: Block) {
        self.flush_plan();
        self.blocks.push(block);
    }

    fn flush_plan(&mut self) {
        self.blocks.extend(self.plan.take().map(PlanDraft::into_block));
    }
}

/// Returns a plan for a turn in which no task has started.
fn missing_plan() -> Block {
    let plan = Object::default().with("rationale", "no task has begun");
    Block::new(BlockKind::Plan, plan)
}

/// Converts a value to an expression. A value that is nested too deeply for a trace becomes its JSON text.
pub(super) fn json_expr(json: &Json) -> Expr {
    data::bounded_expr(json, usize::MAX)
}
