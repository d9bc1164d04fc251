//! A shop whose model looks things up and charges cards, and what drives it.

use std::{
    future::{pending, ready},
    sync::{Arc, Mutex},
    time::Duration,
};

use cot_engine::{
    Action, CallKey, Cx, Effect, Event, EventOutcome, FunctionError, Machine, MachineOptions,
    ResumeOptions, RunEvent, Snapshot, SourceTool, ToolSource,
    private::{
        ConversationCode, Definition, Ending, OnRoutes, ProcessCode, RetryDefinition, ToolCode,
        ToolDefinition, ToolFunctionCode, ToolHistory, ToolSelection, ToolUses, ToolWork,
        ToolsDefinition,
    },
};
use cot_model::{BoxFuture, ModelReply, ModelRequest, ToolCall};
use serde_json::{Value, json};

use crate::harness::{
    Call, PROCESS, Run, SECOND, ai, append, end, functions, process, schema, seconds,
};

schema! {
    text: {
        "type": "object",
        "properties": { "text": { "type": "string" } },
        "required": ["text"],
    }
}

schema! {
    query: {
        "type": "object",
        "properties": {
            "words": {
                "type": "array",
                "items": { "type": "string" },
                "minItems": 1,
                "description": "The words to search.",
            },
            "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 50 },
        },
        "required": ["words"],
    }
}

schema! {
    charge: {
        "type": "object",
        "properties": { "cents": { "type": "integer", "minimum": 0 } },
        "required": ["cents"],
    }
}

schema! {
    nothing: { "type": "object", "properties": {} }
}

/// What the tools have done, and the tools of a server.
#[derive(Default)]
pub(crate) struct App {
    pub(super) log: Mutex<Vec<String>>,
    pub(super) files: Files,
}

/// A tool that is a function, with the defaults of the others.
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
        name: "search",
        description: "Searches the catalogue",
        timeout: Some(seconds(30)),
        max_retries: 1,
        retry: RetryDefinition { backoff: (seconds(1), seconds(2)), ..RetryDefinition::DEFAULT },
        ..TOOL
    },
    ToolDefinition {
        name: "pay",
        description: "Charges the card",
        effect: Effect::Once,
        needs_approval: true,
        timeout: Some(seconds(20)),
        ..TOOL
    },
    ToolDefinition { name: "hours", description: "Says when the shop is open", ..TOOL },
    ToolDefinition {
        name: "files",
        timeout: Some(seconds(10)),
        selection: ToolSelection::Named(&["read_file"]),
        ..TOOL
    },
];

process! {
    Shop {
        answer: ai("Answer.")
            .output(text)
            .commit(append)
            .tools(ToolUses { tools: &[0, 1, 2, 3], max_calls: Some(6) })
            .conversation(ConversationCode {
                tool_guards: &[None, Some(|scope| scope.state["is_open"] == true), None, None],
                ..ConversationCode::NONE
            })
            .timeout(seconds(300))
            .on(OnRoutes {
                exhausted: Some(Self::lost),
                interrupted: Some(Self::unknown),
                timeout: Some(Self::late),
                ..OnRoutes::NONE
            })
            .next(&[Self::done]),
        lost: end(),
        unknown: end(),
        late: end(),
        done: end(),
    }
    definition: Definition {
        tools: ToolsDefinition { tools: TOOLS, max_calls: None, history: ToolHistory::All },
        ..PROCESS
    };
    functions: ProcessCode {
        tools: &[
            ToolCode {
                guard: None,
                work: ToolWork::Function(ToolFunctionCode {
                    schema: query,
                    check: |_, _| Ok(()),
                    start: |arguments, cx| search(&arguments, &cx.cx()),
                    mock: None,
                }),
            },
            ToolCode {
                guard: Some(|scope| scope.state["is_frozen"] != true),
                work: ToolWork::Function(ToolFunctionCode {
                    schema: charge,
                    check: |_, _| Ok(()),
                    start: |arguments, cx| pay(&arguments, &cx.cx()),
                    mock: None,
                }),
            },
            ToolCode {
                guard: None,
                work: ToolWork::Function(ToolFunctionCode {
                    schema: nothing,
                    check: |_, _| Ok(()),
                    start: |_, _| Box::pin(ready(Ok(json!("9 to 5")))),
                    mock: None,
                }),
            },
            ToolCode { guard: None, work: ToolWork::Source(|app: &App| &app.files) },
        ],
        ..functions()
    };
    context: App;
}

type ToolFuture = BoxFuture<'static, Result<Value, FunctionError>>;

/// Searches. The words decide what goes wrong.
fn search(query: &Value, cx: &Cx<'_, Shop>) -> ToolFuture {
    let (key, attempt) = (cx.call_key(), cx.attempt());
    cx.app().log.lock().unwrap().push(format!("{key} attempt {attempt}"));
    match query["words"][0].as_str().unwrap_or("missing") {
        "missing" => Box::pin(ready(Err(FunctionError::new("missing field `words`")))),
        "fail" => Box::pin(ready(Err(FunctionError::new("the catalogue is down")))),
        "panic" => panic!("no catalogue"),
        "flood" => Box::pin(ready(Ok(json!(["x".repeat(10 << 20)])))),
        "hang" => Box::pin(pending()),
        word => Box::pin(ready(Ok(json!([format!("{word} found")])))),
    }
}

fn pay(charge: &Value, cx: &Cx<'_, Shop>) -> ToolFuture {
    cx.app().log.lock().unwrap().push(format!("{} paid {}", cx.call_key(), charge["cents"]));
    match charge["cents"].as_u64().unwrap() {
        13 => panic!("in the middle of it"),
        14 => Box::pin(ready(Err(FunctionError::not_done("the card was declined")))),
        15 => Box::pin(ready(Err(FunctionError::new("connection reset")))),
        cents => Box::pin(ready(Ok(json!(cents)))),
    }
}

/// A source of two tools, of which the process allows one.
pub(crate) struct Files(Vec<SourceTool>);

impl Default for Files {
    fn default() -> Self {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string" },
                "lines": { "type": "integer", "minimum": 1 },
            },
            "required": ["path"],
        });
        let remove = SourceTool::new("remove_file", "Removes a file", json!({ "type": "object" }));
        Self(vec![SourceTool::new("read_file", "Reads a file", schema), remove])
    }
}

impl ToolSource for Files {
    fn tools(&self) -> &[SourceTool] {
        &self.0
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        Box::pin(async move { Ok(json!({ "tool": tool, "arguments": arguments, "key": key })) })
    }
}

/// A run of the shop, with its program.
pub(super) struct Visit {
    pub(super) app: Arc<App>,
    pub(super) run: Run,
}

pub(super) fn open() -> Value {
    json!({ "is_open": true })
}

impl Visit {
    pub(super) fn new(cart: Value) -> Self {
        Self::with(|_| {}, cart)
    }

    pub(super) fn with(change: impl FnOnce(&mut MachineOptions), cart: Value) -> Self {
        let mut options = MachineOptions::default();
        change(&mut options);
        Self::begin(App::default(), options, cart)
    }

    /// A run whose server has other tools.
    pub(super) fn offering(tools: Vec<SourceTool>) -> Self {
        let app = App { files: Files(tools), ..App::default() };
        Self::begin(app, MachineOptions::default(), open())
    }

    fn begin(app: App, options: MachineOptions, cart: Value) -> Self {
        let app = Arc::new(app);
        let mut machine = Machine::<Shop>::with_context(Arc::clone(&app)).options(options);
        machine.set_run_id("run");
        machine.start(cart).unwrap();
        Self { run: Run::driving(machine, Arc::clone(&app)), app }
    }

    /// The directives that the run waits for.
    pub(super) fn due(&mut self) -> Vec<Call> {
        self.run.directives()
    }

    pub(super) fn only(&mut self) -> Call {
        self.run.only()
    }

    pub(super) fn keys(&mut self) -> Vec<String> {
        self.run.keys()
    }

    /// The request that waits for a reply.
    pub(super) fn request(&mut self) -> Arc<ModelRequest> {
        Arc::clone(self.run.only().request())
    }

    pub(super) fn reply(&mut self, reply: impl Into<ModelReply>) {
        self.run.reply(reply);
    }

    /// Replies with tool calls.
    pub(super) fn call(&mut self, calls: &[(&str, Value)]) {
        let calls = calls.iter().enumerate().map(|(number, (name, arguments))| {
            ToolCall::new(*name, arguments).with_id(format!("id-{number}"))
        });
        self.reply(ModelReply::calling(calls));
    }

    /// Runs the functions that the run waits for, to their end.
    pub(super) fn run_all(&mut self) {
        for call in self.due() {
            self.run_one(&call.key.to_string());
        }
    }

    /// Runs the functions, if the run waits for any.
    pub(super) fn run_functions(&mut self) {
        if self.due().iter().any(|call| matches!(call.action, Action::RunFunction(_))) {
            self.run_all();
        }
    }

    /// Runs one function to its end.
    pub(super) fn run_one(&mut self, key: &str) {
        let call = self.run.call(key);
        let result = call.result();
        assert_eq!(self.run.finish(&call, result), EventOutcome::Applied);
    }

    pub(super) fn handle(&mut self, event: Event) {
        assert_eq!(self.run.handle(event), EventOutcome::Applied);
    }

    /// Lets the time limit of the first call pass.
    pub(super) fn time_out(&mut self, elapsed: Duration) {
        let id = self.due()[0].id;
        self.handle(Event::TimedOut { id, elapsed });
    }

    pub(super) fn wake(&mut self) {
        assert_eq!(self.run.wake(), EventOutcome::Applied);
    }

    /// Answers a person's question.
    pub(super) fn person(&mut self, answer: Value) -> EventOutcome {
        self.run.answer_after(answer, SECOND)
    }

    /// The results of the last round, as the model receives them.
    pub(super) fn results(&mut self) -> Vec<Result<String, String>> {
        let request = self.request();
        let calls = request.rounds.last().unwrap().calls.iter();
        let result =
            |is_error, text: &String| if is_error { Err(text.clone()) } else { Ok(text.clone()) };
        calls.map(|(_, returned)| result(returned.is_error, &returned.text)).collect()
    }

    /// The error of the only call of the last round.
    pub(super) fn error(&mut self) -> String {
        self.results().remove(0).unwrap_err()
    }

    pub(super) fn ending(&mut self) -> Ending<&'static str> {
        self.run.ending()
    }

    /// The events of tools since the last call, as lines.
    pub(super) fn events(&mut self) -> Vec<String> {
        let events = self.run.drain_events().into_iter().filter(|event| {
            matches!(event, RunEvent::ToolCalled { .. } | RunEvent::ToolReturned { .. })
        });
        events.map(|event| event.to_string()).collect()
    }

    /// The number of repairs since the last call.
    pub(super) fn repairs(&mut self) -> usize {
        let count = |event| match event {
            RunEvent::Repaired { repairs, .. } => repairs.len(),
            _ => 0,
        };
        self.run.drain_events().into_iter().map(count).sum()
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

pub(super) fn words(word: &str) -> Value {
    json!({ "words": [word] })
}

pub(super) fn answer(text: &str) -> Value {
    json!({ "text": text })
}

/// The key of the only directive.
pub(super) fn key(visit: &mut Visit) -> CallKey {
    visit.only().key.clone()
}
