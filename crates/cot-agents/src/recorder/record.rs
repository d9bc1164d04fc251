//! What a recorder has written so far.

use std::time::Duration;

use cot_engine::internal::{Definition, TaskDefinition, TaskKind};
use cot_model::Usage;
use cot_task_format::{Block, BlockKind, Expr, Object, Trace, internal::data};
use serde_json::Value as Json;

/// The trace of a run, whose last turn may have no response yet.
#[derive(Debug)]
pub(super) struct Record {
    goal: String,
    blocks: Vec<Block>,
    /// How many runs have begun.
    runs: u64,
    /// How many tasks have begun.
    visits: u64,
    /// The task that the run is at.
    visit: Option<Visit>,
    /// Why the run comes to the next task.
    way: Vec<String>,
    /// The name of the task that was left last.
    last: Option<&'static str>,
    /// The tag of the last output.
    output: Option<String>,
    is_over: bool,
}

/// A task that has begun.
#[derive(Debug)]
struct Visit {
    task: &'static TaskDefinition,
    /// Its number in the run.
    step: u64,
    number: u64,
    calls: u64,
    question: Option<String>,
    is_done: bool,
}

/// The number of a step whose beginning nobody has told.
const MIDST: u64 = u64::MAX;

/// So much of one output or text is written.
const MAX_BYTES: usize = 64 << 10;

impl Record {
    pub(super) fn new(process: &Definition, goal: String) -> Self {
        let (name, description) = (process.about.name, process.about.description);
        let system = format!("A run of the process {name}: {description}");
        let mut blocks = vec![Block::new(BlockKind::System, system)];
        blocks.extend(process.tasks.iter().filter_map(tool));
        let mut record = Self {
            goal,
            blocks,
            runs: 0,
            visits: 0,
            visit: None,
            way: Vec::new(),
            last: None,
            output: None,
            is_over: true,
        };
        record.begin();
        record
    }

    /// The trace; of a run that goes on, the response says so.
    pub(super) fn trace(&self) -> Trace {
        let mut blocks = self.blocks.clone();
        if !self.is_over {
            blocks.extend(self.missing_plan());
            blocks.push(Block::new(BlockKind::Response, "The run is not over."));
        }
        blocks.into()
    }

    /// The run waits before the next task.
    pub(super) fn wait(&mut self, duration: Duration) {
        self.begin();
        self.way.push(format!("the run waits {duration:?} before it"));
    }

    /// A task begins.
    pub(super) fn start(&mut self, task: &'static TaskDefinition, step: u64) {
        self.begin();
        let is_here =
            |visit: &Visit| visit.task.about.name == task.about.name && visit.step == step;
        // A run that is resumed tells the beginning of its task once more.
        if self.visit.as_ref().is_some_and(is_here) {
            return;
        }
        self.visits += 1;
        let about = &task.about;
        let todo = match about.title == about.name {
            true => about.name.to_owned(),
            false => format!("{}: {}", about.name, about.title),
        };
        let todo = Object::default().with(self.visits.to_string(), todo);
        let mut plan = Object::default().with("todo", Expr::from(todo));
        let way = std::mem::take(&mut self.way);
        let way = match way.is_empty() {
            false => way.join("; "),
            true if step > 1 => "what the run did before this is not in the trace".to_owned(),
            true => "the run begins here".to_owned(),
        };
        plan = plan.with("rationale", way);
        self.blocks.push(Block::new(BlockKind::Plan, plan));
        let (number, question) = (self.visits, None);
        self.visit = Some(Visit { task, step, number, calls: 0, question, is_done: false });
    }

    /// A person is asked.
    pub(super) fn ask(&mut self, task: &'static TaskDefinition, question: &str) {
        self.visit(task).question = Some(data::truncate(question, MAX_BYTES));
    }

    /// An attempt at a task did not succeed.
    pub(super) fn fail(&mut self, task: &'static TaskDefinition, what: &str, will_retry: bool) {
        let what = data::truncate(what, MAX_BYTES);
        if calls(task) {
            self.call(task, Object::default().with("error", what), false);
        } else {
            let then = if will_retry { "; it is asked again" } else { "" };
            let thought = Object::default().with("think", format!("{what}{then}"));
            self.visit(task);
            self.blocks.push(Block::new(BlockKind::Act, thought));
        }
    }

    /// A task gave an output.
    pub(super) fn commit(&mut self, task: &'static TaskDefinition, output: &Json) {
        let output = data::bounded_expr(output, MAX_BYTES);
        let tag = match calls(task) {
            true => self.call(task, Object::default().with("data", output), true),
            false => self.think(task, output),
        };
        self.output = Some(tag);
    }

    /// A model chose where to go.
    pub(super) fn choose(&mut self, task: &'static TaskDefinition, choice: &Json) {
        self.think(task, data::bounded_expr(choice, MAX_BYTES));
    }

    /// The run leaves a task; how it goes on, if it does.
    pub(super) fn leave(
        &mut self,
        task: &'static TaskDefinition,
        way: Option<String>,
        is_done: bool,
    ) {
        self.begin();
        let at_work = self.visit.take_if(|visit| visit.task.about.name == task.about.name);
        if let Some(visit) = at_work
            && is_done
            && !visit.is_done
            && calls(task)
        {
            // A function, or a process, that gives nothing has done what it does.
            self.visit = Some(visit);
            self.call(
                task,
                Object::default().with("data", Expr::from_plain_json(&Json::Null)),
                true,
            );
            self.visit = None;
        }
        self.last = Some(task.about.name);
        self.way.extend(way);
    }

    /// The run is over.
    pub(super) fn end(&mut self, why: Option<&str>, usage: Usage) {
        self.begin();
        self.blocks.extend(self.missing_plan());
        let last = self.last.map(|name| format!(" at `{name}`")).unwrap_or_default();
        let text = match why {
            Some(why) => format!("The run failed{last}: {}", data::truncate(why, MAX_BYTES)),
            None => format!("The run came to its end{last}."),
        };
        let used = format!("Models were asked {} times.", usage.calls);
        let mut response = Expr::from(format!("{text}\n{used}"));
        if let Some(tag) = self.output.take() {
            response = response.reference(tag);
        }
        self.blocks.push(Block::new(BlockKind::Response, response));
        (self.is_over, self.visit, self.last) = (true, None, None);
        self.way.clear();
    }

    /// Begins a turn, if the last run is over.
    fn begin(&mut self) {
        if self.is_over {
            self.is_over = false;
            self.runs += 1;
            let goal =
                Expr::from(data::truncate(&self.goal, MAX_BYTES)).tag(format!("usr{}", self.runs));
            self.blocks.push(Block::new(BlockKind::User, goal));
        }
    }

    /// The plan of a run in which no task has begun.
    fn missing_plan(&self) -> Option<Block> {
        let mut turn = self.blocks.iter().rev().take_while(|block| block.kind != BlockKind::User);
        if turn.any(|block| block.kind == BlockKind::Plan) {
            return None;
        }
        let plan = Object::default().with("rationale", "no task has begun");
        Some(Block::new(BlockKind::Plan, plan))
    }

    /// The visit of a task; a record that begins in the midst of a run has not seen how it began.
    fn visit(&mut self, task: &'static TaskDefinition) -> &mut Visit {
        if self.visit.as_ref().is_none_or(|visit| visit.task.about.name != task.about.name) {
            self.start(task, MIDST);
        }
        let number = self.visits;
        let none = Visit { task, step: MIDST, number, calls: 0, question: None, is_done: false };
        self.visit.get_or_insert(none)
    }

    /// Writes what a model gave; the tag of it.
    fn think(&mut self, task: &'static TaskDefinition, thought: Expr) -> String {
        let visit = self.visit(task);
        visit.is_done = true;
        let (number, tag) = (visit.number, visit.tag());
        let thought = thought.tag(&tag).satisfy(number);
        self.blocks.push(Block::new(BlockKind::Act, Object::default().with("think", thought)));
        tag
    }

    /// Writes a call and what it came to; the id of the call.
    fn call(&mut self, task: &'static TaskDefinition, result: Object, is_done: bool) -> String {
        let visit = self.visit(task);
        visit.calls += 1;
        visit.is_done |= is_done;
        let id = match visit.calls {
            1 => visit.tag(),
            tries => format!("{}-{tries}", visit.tag()),
        };
        let number = visit.number;
        let mut call = Object::default().with("tool", task.about.name);
        if let Some(question) = &visit.question {
            call = call.with("question", question.as_str());
        }
        let mut call = Expr::from(call.with("id", id.as_str()));
        if is_done {
            call = call.satisfy(number);
        }
        self.blocks.push(Block::new(BlockKind::Act, Object::default().with("call", call)));
        let result = Expr::from(result).tag(&id);
        self.blocks.push(Block::new(BlockKind::ToolResult, result));
        id
    }
}

impl Visit {
    /// The tag of what comes of it: no name of a task has a hyphen.
    fn tag(&self) -> String {
        format!("{}-{}", self.task.about.name, self.number)
    }
}

/// Whether a task is called, and not thought.
const fn calls(task: &TaskDefinition) -> bool {
    matches!(task.kind, TaskKind::Code | TaskKind::Human | TaskKind::Process(_))
}

/// A task as a tool, if it is called.
fn tool(task: &TaskDefinition) -> Option<Block> {
    let kind = match &task.kind {
        TaskKind::Code => "A function".to_owned(),
        TaskKind::Human => "A person".to_owned(),
        TaskKind::Process(definition) => format!("The process {}", definition().about.name),
        _ => return None,
    };
    let description = format!("{kind}: {}", task.about.title);
    let tool = Object::default().with("name", task.about.name).with("description", description);
    Some(Block::new(BlockKind::Tool, tool))
}
