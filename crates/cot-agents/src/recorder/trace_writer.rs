//! Writes the trace of a run.

use std::{collections::BTreeMap, time::Duration};

use cot_engine::internal::{Definition, TaskDefinition, ToolDefinition, ToolSelection};
use cot_model::Usage;
use cot_store::ToolCallHistory;
use cot_task_format::{Block, BlockKind, Expr, Object, Trace, internal::data};
use serde_json::Value as Json;

/// A trace that is being written. Its last turn may have no response yet.
#[derive(Debug)]
pub(super) struct TraceWriter {
    goal: String,
    blocks: Vec<Block>,
    /// Number of runs that have started.
    runs: u64,
    /// Number of tasks that have started.
    visits: u64,
    /// The current task.
    visit: Option<Visit>,
    /// Why the run reaches the next task.
    arrival_reasons: Vec<String>,
    /// The name of the task that ended last.
    last_task: Option<&'static str>,
    /// The tag of the last output.
    last_output: Option<String>,
    /// The names of the tools that models can call.
    tools: Vec<&'static str>,
    /// The arguments of the tool calls that are not answered, by number.
    arguments: BTreeMap<u32, String>,
    is_over: bool,
}

/// One execution of a task.
#[derive(Debug)]
struct Visit {
    task: &'static TaskDefinition,
    /// The number of the step in the run.
    step: u64,
    number: u64,
    calls: u64,
    question: Option<String>,
    is_done: bool,
}

/// The step of a task whose start was not recorded.
const UNKNOWN_STEP: u64 = u64::MAX;

/// The limit of bytes for one output or text. The rest is truncated.
const MAX_BYTES: usize = 64 << 10;

impl TraceWriter {
    pub(super) fn new(process: &Definition, goal: String) -> Self {
        let (name, description) = (process.about.name, process.about.description);
        let system = format!("A run of the process {name}: {description}");
        let mut blocks = vec![Block::new(BlockKind::System, system)];
        blocks.extend(process.tasks.iter().filter_map(tool_definition));
        let tools: Vec<_> = process.tools.tools.iter().flat_map(called_tools).collect();
        blocks.extend(tools.iter().map(|(name, what)| {
            let tool = Object::default().with("name", *name).with("description", what.as_str());
            Block::new(BlockKind::Tool, tool)
        }));
        let mut writer = Self {
            goal,
            blocks,
            runs: 0,
            visits: 0,
            visit: None,
            arrival_reasons: Vec::new(),
            last_task: None,
            last_output: None,
            arguments: BTreeMap::new(),
            tools: tools.into_iter().map(|(name, _)| name).collect(),
            is_over: true,
        };
        writer.begin();
        writer
    }

    /// Returns the trace. While the run is in progress, the response says so.
    pub(super) fn trace(&self) -> Trace {
        let mut blocks = self.blocks.clone();
        if !self.is_over {
            blocks.extend(self.missing_plan());
            blocks.push(Block::new(BlockKind::Response, "The run is not over."));
        }
        blocks.into()
    }

    /// Records that the run waits before its next task.
    pub(super) fn wait(&mut self, duration: Duration) {
        self.begin();
        self.arrival_reasons.push(format!("the run waits {duration:?} before it"));
    }

    /// Records the start of a task.
    pub(super) fn start(&mut self, task: &'static TaskDefinition, step: u64) {
        self.begin();
        let is_here =
            |visit: &Visit| visit.task.about.name == task.about.name && visit.step == step;
        // A resumed run emits the start of its current task again.
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
        let reasons = std::mem::take(&mut self.arrival_reasons);
        let reasons = match reasons.is_empty() {
            false => reasons.join("; "),
            true if step > 1 => "what the run did before this is not in the trace".to_owned(),
            true => "the run begins here".to_owned(),
        };
        plan = plan.with("rationale", reasons);
        self.blocks.push(Block::new(BlockKind::Plan, plan));
        let (number, question) = (self.visits, None);
        self.visit = Some(Visit { task, step, number, calls: 0, question, is_done: false });
    }

    /// Records a question to a human.
    pub(super) fn ask(&mut self, task: &'static TaskDefinition, question: &str) {
        self.visit(task).question = Some(data::truncate(question, MAX_BYTES));
    }

    /// Records that a tool is called.
    pub(super) fn begin_call(&mut self, number: u32, arguments: &str) {
        self.arguments.insert(number, data::truncate(arguments, MAX_BYTES));
    }

    /// Records the result of a call of a tool.
    pub(super) fn end_call(
        &mut self,
        task: &'static TaskDefinition,
        (number, tool): (u32, &str),
        result: &Result<String, String>,
    ) {
        let mut call = ToolCallHistory::default();
        (call.number, call.tool) = (number, tool.to_owned());
        call.arguments = self.arguments.remove(&number).unwrap_or_default();
        (call.result, call.error) = (result.clone().ok(), result.clone().err());
        self.call_tool(task, &call);
    }

    /// Records a call of a tool with its result. A call of a tool that does not exist is shown as a thought.
    pub(super) fn call_tool(&mut self, task: &'static TaskDefinition, call: &ToolCallHistory) {
        let ToolCallHistory { number, tool, arguments, result, error, .. } = call;
        let visit = self.visit(task);
        let id = format!("{}-call-{number}", visit.tag());
        let answer = match (result, error) {
            (Some(result), _) => {
                let result = serde_json::from_str(result).unwrap_or_else(|_| Json::from(&**result));
                Object::default().with("data", data::bounded_expr(&result, MAX_BYTES))
            }
            (None, error) => {
                let error = error.as_deref().unwrap_or("it was not answered");
                Object::default().with("error", data::truncate(error, MAX_BYTES))
            }
        };
        if !self.tools.contains(&tool.as_str()) {
            let error = error.as_deref().unwrap_or("there is no such tool");
            let what = data::truncate(&format!("called `{tool}`: {error}"), MAX_BYTES);
            self.blocks.push(Block::new(BlockKind::Act, Object::default().with("think", what)));
            return;
        }
        let arguments =
            serde_json::from_str(arguments).unwrap_or_else(|_| Json::from(&**arguments));
        let call = Object::default()
            .with("tool", tool.as_str())
            .with("arguments", data::bounded_expr(&arguments, MAX_BYTES))
            .with("id", id.as_str());
        self.blocks
            .push(Block::new(BlockKind::Act, Object::default().with("call", Expr::from(call))));
        self.blocks.push(Block::new(BlockKind::ToolResult, Expr::from(answer).tag(&id)));
    }

    /// Records a failed attempt.
    pub(super) fn fail(&mut self, task: &'static TaskDefinition, what: &str, will_retry: bool) {
        let what = data::truncate(what, MAX_BYTES);
        if is_tool(task) {
            self.call(task, Object::default().with("error", what), false);
        } else {
            let then = if will_retry { "; it is asked again" } else { "" };
            let thought = Object::default().with("think", format!("{what}{then}"));
            self.visit(task);
            self.blocks.push(Block::new(BlockKind::Act, thought));
        }
    }

    /// Records the output of a task.
    pub(super) fn commit(&mut self, task: &'static TaskDefinition, output: &Json) {
        let output = data::bounded_expr(output, MAX_BYTES);
        let tag = match is_tool(task) {
            true => self.call(task, Object::default().with("data", output), true),
            false => self.think(task, output),
        };
        self.last_output = Some(tag);
    }

    /// Records the transition that a model chose.
    pub(super) fn choose(&mut self, task: &'static TaskDefinition, choice: &Json) {
        self.think(task, data::bounded_expr(choice, MAX_BYTES));
    }

    /// Records the end of a task, with the route to the next one.
    pub(super) fn leave(
        &mut self,
        task: &'static TaskDefinition,
        reason: Option<String>,
        is_done: bool,
    ) {
        self.begin();
        let current = self.visit.take_if(|visit| visit.task.about.name == task.about.name);
        if let Some(visit) = current
            && is_done
            && !visit.is_done
            && is_tool(task)
        {
            // A function or sub-process without an output has completed its task.
            self.visit = Some(visit);
            self.call(
                task,
                Object::default().with("data", Expr::from_plain_json(&Json::Null)),
                true,
            );
            self.visit = None;
        }
        self.last_task = Some(task.about.name);
        self.arrival_reasons.extend(reason);
    }

    /// Records the end of the run.
    pub(super) fn end(&mut self, why: Option<&str>, usage: Usage) {
        self.begin();
        self.blocks.extend(self.missing_plan());
        let last = self.last_task.map(|name| format!(" at `{name}`")).unwrap_or_default();
        let text = match why {
            Some(why) => format!("The run failed{last}: {}", data::truncate(why, MAX_BYTES)),
            None => format!("The run came to its end{last}."),
        };
        let used = format!("Models were asked {} times.", usage.calls);
        let mut response = Expr::from(format!("{text}\n{used}"));
        if let Some(tag) = self.last_output.take() {
            response = response.reference(tag);
        }
        self.blocks.push(Block::new(BlockKind::Response, response));
        (self.is_over, self.visit, self.last_task) = (true, None, None);
        self.arrival_reasons.clear();
    }

    /// Starts a turn, if the last run has ended.
    fn begin(&mut self) {
        if self.is_over {
            self.is_over = false;
            self.runs += 1;
            let goal =
                Expr::from(data::truncate(&self.goal, MAX_BYTES)).tag(format!("usr{}", self.runs));
            self.blocks.push(Block::new(BlockKind::User, goal));
        }
    }

    /// Returns a plan for a turn in which no task has started.
    fn missing_plan(&self) -> Option<Block> {
        let mut turn = self.blocks.iter().rev().take_while(|block| block.kind != BlockKind::User);
        if turn.any(|block| block.kind == BlockKind::Plan) {
            return None;
        }
        let plan = Object::default().with("rationale", "no task has begun");
        Some(Block::new(BlockKind::Plan, plan))
    }

    /// Returns the visit of a task. Starts one if the recorder was attached in the middle of the task.
    fn visit(&mut self, task: &'static TaskDefinition) -> &mut Visit {
        if self.visit.as_ref().is_none_or(|visit| visit.task.about.name != task.about.name) {
            self.start(task, UNKNOWN_STEP);
        }
        let number = self.visits;
        let none =
            Visit { task, step: UNKNOWN_STEP, number, calls: 0, question: None, is_done: false };
        self.visit.get_or_insert(none)
    }

    /// Writes an output or choice as a thought. Returns its tag.
    fn think(&mut self, task: &'static TaskDefinition, thought: Expr) -> String {
        let visit = self.visit(task);
        visit.is_done = true;
        let (number, tag) = (visit.number, visit.tag());
        let thought = thought.tag(&tag).satisfy(number);
        self.blocks.push(Block::new(BlockKind::Act, Object::default().with("think", thought)));
        tag
    }

    /// Writes a call with its result. Returns the id of the call.
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
    /// Returns the tag of the result. It is unique, since task names contain no hyphen.
    fn tag(&self) -> String {
        format!("{}-{}", self.task.about.name, self.number)
    }
}

/// Returns the tools that models can call through a declared one, with their descriptions.
fn called_tools(tool: &'static ToolDefinition) -> Vec<(&'static str, String)> {
    if tool.selection == ToolSelection::Function {
        return vec![(tool.name, tool.description.to_owned())];
    }
    let of_source = format!("A tool of `{}`", tool.name);
    tool.selection.names().iter().map(|name| (*name, of_source.clone())).collect()
}

/// Returns whether the trace shows a task as a call, not as a thought.
const fn is_tool(task: &TaskDefinition) -> bool {
    task.kind.info().performer.is_some()
}

/// Returns the definition of a task as a tool, if the trace shows it as a call.
fn tool_definition(task: &TaskDefinition) -> Option<Block> {
    let performer = task.kind.info().performer?;
    let process = task.kind.process().map(|process| format!(" {}", process.about.name));
    let process = process.unwrap_or_default();
    let description = format!("{performer}{process}: {}", task.about.title);
    let tool = Object::default().with("name", task.about.name).with("description", description);
    Some(Block::new(BlockKind::Tool, tool))
}
