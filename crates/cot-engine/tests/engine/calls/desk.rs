//! A desk whose state holds the calls that are to be made, and what drives it.

use std::{
    future::{pending, ready},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use cot_engine::{
    Cx, Effect, Event, EventOutcome, FunctionError, Machine, MachineOptions, ResumeOptions,
    RunEvent, Snapshot, SourceTool, ToolSource,
    private::{
        CallsDefinition, ChosenTask, CommitView, ConversationCode, Definition, Ending, Mocked,
        OnRoutes, OwnedCx, ProcessCode, RetryDefinition, TaskFunction, ToolCode, ToolDefinition,
        ToolFunctionCode, ToolHistory, ToolSelection, ToolUses, ToolWork, ToolsDefinition,
    },
};
use cot_model::{BoxFuture, ToolCall, ToolResult, ToolRound};
use cot_schema::Issues;
use serde_json::{Value, json};

use crate::harness::{
    Call, PROCESS, Run, SECOND, calls, end, functions, process, push, schema, seconds,
};

schema! {
    letter: {
        "type": "object",
        "properties": { "text": { "type": "string" } },
        "required": ["text"],
    }
}

/// What the tools have done, and tools of the program.
#[derive(Default)]
pub(crate) struct App {
    log: Mutex<Vec<String>>,
    drawers: Drawers,
    /// How many times the mock was asked.
    pub(super) mocked: AtomicUsize,
}

const TOOL: ToolDefinition = ToolDefinition {
    name: "",
    description: "",
    effect: Effect::Repeatable,
    max_retries: 0,
    retry: RetryDefinition::DEFAULT,
    timeout: None,
    needs_approval: false,
    has_mock: false,
    selection: ToolSelection::Function,
};

const TOOLS: &[ToolDefinition] = &[
    ToolDefinition {
        name: "read",
        description: "Reads a letter",
        max_retries: 1,
        retry: RetryDefinition { backoff: (seconds(1), seconds(2)), ..RetryDefinition::DEFAULT },
        timeout: Some(seconds(30)),
        ..TOOL
    },
    ToolDefinition {
        name: "send",
        description: "Sends a letter",
        effect: Effect::Once,
        needs_approval: true,
        ..TOOL
    },
    ToolDefinition { name: "burn", description: "Burns a letter", ..TOOL },
    ToolDefinition { name: "drawers", selection: ToolSelection::All, ..TOOL },
];

process! {
    Desk {
        work: calls(
            CallsDefinition {
                tools: ToolUses { tools: &[0, 1, 2, 3], max_calls: None },
                max_concurrency: Some(2),
            },
            TaskFunction::Calls(|scope| calls_of(scope.state)),
        )
            .conversation(ConversationCode {
                tool_guards: &[None, None, Some(|scope| scope.state["is_open"] == true), None],
                ..ConversationCode::NONE
            })
            .timeout(seconds(300))
            .commit(file)
            .mock(|cx| {
                cx.app().mocked.fetch_add(1, Ordering::Relaxed);
                let calls = vec![(read_call("mocked"), ToolResult::ok("6"))];
                serde_json::to_value(ToolRound::new("", calls)).map(Mocked::Output)
            })
            .on(OnRoutes {
                exhausted: Some(Self::lost),
                timeout: Some(Self::late),
                interrupted: Some(Self::unknown),
                ..OnRoutes::NONE
            })
            .next(&[Self::done]),
        lost: end(),
        late: end(),
        unknown: end(),
        done: end(),
        few: calls(
            CallsDefinition {
                tools: ToolUses { tools: &[0], max_calls: Some(1) },
                max_concurrency: None,
            },
            TaskFunction::Calls(|scope| calls_of(scope.state)),
        )
            .result()
            .on(OnRoutes { exhausted: Some(Self::lost), ..OnRoutes::NONE })
            .next(&[Self::done]),
    }
    definition: Definition {
        tools: ToolsDefinition { tools: TOOLS, max_calls: None, history: ToolHistory::Names },
        ..PROCESS
    };
    functions: ProcessCode {
        tools: &[
            ToolCode { guard: None, work: ToolWork::Function(function(read)) },
            ToolCode { guard: None, work: ToolWork::Function(function(send)) },
            ToolCode { guard: None, work: ToolWork::Function(function(|letter, _| echo(letter))) },
            ToolCode { guard: None, work: ToolWork::Source(|app: &App| &app.drawers) },
        ],
        ..functions()
    };
    context: App;
}

type ToolFuture = BoxFuture<'static, Result<Value, FunctionError>>;

fn calls_of(state: &Value) -> Vec<ToolCall> {
    serde_json::from_value(state["calls"].clone()).unwrap()
}

/// Files a round of calls. That a letter is sealed is refused, unless the desk is open.
fn file(
    round: &Value,
    state: &mut Value,
    _: &mut CommitView<'_, Desk>,
) -> Result<Option<ChosenTask>, Issues> {
    if round.to_string().contains("sealed") && state["is_open"] != true {
        return Err(Issues::at("$", "a letter is sealed"));
    }
    state["calls"] = json!([]);
    push(&mut state["rounds"], round.clone());
    Ok(None)
}

const fn function(start: fn(Value, Arc<OwnedCx<Desk>>) -> ToolFuture) -> ToolFunctionCode<Desk> {
    ToolFunctionCode { schema: letter, check: |_, _| Ok(()), start, mock: None }
}

/// Reads a letter. The text decides what goes wrong.
fn read(letter: Value, cx: Arc<OwnedCx<Desk>>) -> ToolFuture {
    log(&cx.cx(), "");
    match letter["text"].as_str().unwrap() {
        "fail" => Box::pin(ready(Err(FunctionError::new("it is sealed")))),
        "hang" => Box::pin(pending()),
        text => Box::pin(ready(Ok(json!(text.len())))),
    }
}

fn send(letter: Value, cx: Arc<OwnedCx<Desk>>) -> ToolFuture {
    log(&cx.cx(), " sent");
    echo(letter)
}

fn echo(letter: Value) -> ToolFuture {
    Box::pin(ready(Ok(letter["text"].clone())))
}

fn log(cx: &Cx<'_, Desk>, what: &str) {
    cx.app().log.lock().unwrap().push(format!("{}{what}", cx.call_key()));
}

/// Tools of the program. The declaration names none of them.
struct Drawers(Vec<SourceTool>);

impl Default for Drawers {
    fn default() -> Self {
        let schema = json!({ "type": "object", "properties": { "label": { "type": "string" } } });
        Self(vec![SourceTool::new("open_drawer", "Opens a drawer", schema)])
    }
}

impl ToolSource for Drawers {
    fn tools(&self) -> &[SourceTool] {
        &self.0
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        Box::pin(async move { Ok(json!([tool, arguments, key])) })
    }
}

pub(super) fn read_call(text: &str) -> ToolCall {
    ToolCall::new("read", json!({ "text": text }))
}

pub(super) fn send_call(text: &str) -> ToolCall {
    ToolCall::new("send", json!({ "text": text }))
}

pub(super) fn papers(calls: impl IntoIterator<Item = ToolCall>) -> Value {
    json!({ "calls": calls.into_iter().collect::<Vec<_>>() })
}

/// A run of the desk, with its program.
pub(super) struct Visit {
    pub(super) app: Arc<App>,
    pub(super) run: Run,
}

impl Visit {
    pub(super) fn new(papers: Value) -> Self {
        Self::with(|_| {}, papers)
    }

    pub(super) fn with(change: impl FnOnce(&mut MachineOptions), papers: Value) -> Self {
        let mut options = MachineOptions::default();
        change(&mut options);
        let app = Arc::new(App::default());
        let mut machine = Machine::<Desk>::with_context(Arc::clone(&app)).options(options);
        machine.set_run_id("run");
        machine.start(papers).unwrap();
        Self { run: Run::driving(machine, Arc::clone(&app)), app }
    }

    pub(super) fn due(&mut self) -> Vec<Call> {
        self.run.directives()
    }

    pub(super) fn keys(&mut self) -> Vec<String> {
        self.run.keys()
    }

    /// Runs the functions that the run waits for.
    pub(super) fn run_all(&mut self) {
        for call in self.due() {
            let result = call.result();
            assert_eq!(self.run.finish(&call, result), EventOutcome::Applied);
        }
    }

    pub(super) fn handle(&mut self, event: Event) {
        assert_eq!(self.run.handle(event), EventOutcome::Applied);
    }

    /// Answers the question of a person.
    pub(super) fn approve(&mut self, approved: bool) {
        let id = self.due()[0].id;
        let answer = json!({ "approved": approved, "reason": "because" });
        self.handle(Event::Answered { id, answer, elapsed: SECOND });
    }

    pub(super) fn ending(&mut self) -> Ending<&'static str> {
        self.run.ending()
    }

    /// The round that was filed.
    pub(super) fn round(&self) -> ToolRound {
        serde_json::from_value(self.run.state()["rounds"][0].clone()).unwrap()
    }

    /// The results of the round that was filed.
    pub(super) fn results(&self) -> Vec<Result<String, String>> {
        let result = |returned: &ToolResult| match returned.is_error {
            false => Ok(returned.text.clone()),
            true => Err(returned.text.clone()),
        };
        self.round().iter().map(|(_, returned)| result(returned)).collect()
    }

    /// The events since the last call, as lines.
    pub(super) fn events(&mut self) -> Vec<String> {
        let events = self.run.drain_events().into_iter();
        let shown = events.filter(|event| !matches!(event, RunEvent::Finished { .. }));
        shown.map(|event| event.to_string()).collect()
    }

    pub(super) fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.app.log.lock().unwrap())
    }

    /// Goes through a snapshot as text.
    pub(super) fn resume(&mut self) {
        let json = self.run.snapshot().to_json().unwrap();
        let snapshot = Snapshot::from_json(&json).unwrap();
        self.run = self.run.resume(snapshot, &ResumeOptions::new()).unwrap();
        assert_eq!(self.run.snapshot().to_json().unwrap(), json);
    }
}
