//! A desk whose state holds the calls that are to be made, and what drives it by hand.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use cot_core::{
    Action, Cx, Directive, Event, EventOutcome, FunctionError, Machine, MachineOptions,
    MachinePoll, ResumeOptions, Snapshot, SourceTool, ToolSource,
    model::{BoxFuture, ToolCall, ToolRound},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drive::SECOND;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Papers {
    pub(super) calls: Vec<ToolCall>,
    pub(super) rounds: Vec<ToolRound>,
    pub(super) is_open: bool,
}

/// What the tools have done, and tools of the program.
#[derive(Default)]
pub(super) struct App {
    pub(super) log: Mutex<Vec<String>>,
    pub(super) drawers: Drawers,
    /// How many times the mock was asked.
    pub(super) mocked: AtomicUsize,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Letter {
    pub(super) text: String,
}

/// Reads a letter. The text decides what goes wrong.
async fn read(letter: &Letter, _: &Papers, cx: &Cx<'_, Desk>) -> Result<usize, io::Error> {
    cx.app().log.lock().unwrap().push(cx.call_key());
    match &*letter.text {
        "fail" => Err(io::Error::other("it is sealed")),
        "hang" => std::future::pending().await,
        text => Ok(text.len()),
    }
}

async fn send(letter: &Letter, _: &Papers, cx: &Cx<'_, Desk>) -> Result<String, io::Error> {
    cx.app().log.lock().unwrap().push(format!("{} sent", cx.call_key()));
    Ok(letter.text.clone())
}

pub(super) async fn burn(letter: &Letter) -> Result<String, io::Error> {
    Ok(letter.text.clone())
}

fn canned(_: &Papers, cx: &Cx<'_, Desk>) -> ToolRound {
    cx.app().mocked.fetch_add(1, Ordering::Relaxed);
    ToolRound::new("", vec![(read_call("mocked"), cot_core::model::ToolResult::ok("6"))])
}

fn file(round: &ToolRound, papers: &mut Papers) -> Result<(), Issues> {
    if round.iter().any(|(_, result)| result.text.contains("sealed")) && !papers.is_open {
        return Err(Issues::at("$", "a letter is sealed"));
    }
    papers.calls.clear();
    Ok(())
}

cot_process! {
    pub(super) process Desk {
        state: Papers,
        context: App,
        history: { tools: names },
        tools: {
            read: read "Reads a letter" { retry: { max: 1, backoff: 1s..2s }, timeout: 30s },
            send: send "Sends a letter" { effect: once, approve: person },
            burn: burn "Burns a letter",
            drawers: source app.drawers { only: all },
        },

        task work -> ToolRound {
            calls: state.calls,
            tools: [read, send, burn if state.is_open, drawers],
            max_concurrency: 2,
            timeout: 5m,
            process_output: file,
            update: rounds[],
            mock: canned,
            on: { exhausted => lost, timeout => late, interrupted => unknown },
            next: done,
        }

        task lost { end }
        task late { end }
        task unknown { end }
        task done { end }
    }
}

/// Tools of the program. The declaration names none of them.
pub(super) struct Drawers(Vec<SourceTool>);

impl Default for Drawers {
    fn default() -> Self {
        let schema = json!({ "type": "object", "properties": { "label": { "type": "string" } } });
        Self::new(vec![SourceTool::new("open_drawer", "Opens a drawer", schema)])
    }
}

impl Drawers {
    pub(super) const fn new(tools: Vec<SourceTool>) -> Self {
        Self(tools)
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

pub(super) fn papers(calls: impl IntoIterator<Item = ToolCall>) -> Papers {
    Papers { calls: calls.into_iter().collect(), ..Papers::default() }
}

/// A run of the desk, with its program.
pub(super) struct Visit {
    pub(super) app: Arc<App>,
    pub(super) machine: Machine<Desk>,
}

impl Visit {
    pub(super) fn new(papers: Papers) -> Self {
        Self::with(MachineOptions::default(), App::default(), papers)
    }

    pub(super) fn with(options: MachineOptions, app: App, papers: Papers) -> Self {
        let app = Arc::new(app);
        let mut machine = Machine::with_context(Arc::clone(&app)).options(options);
        machine.set_run_id("run");
        machine.record(true);
        machine.start(papers).unwrap();
        Self { app, machine }
    }

    pub(super) fn due(&mut self) -> Vec<Directive<DeskTask>> {
        self.machine.poll().directives().to_vec()
    }

    pub(super) fn keys(&mut self) -> Vec<String> {
        self.due().iter().map(|directive| directive.key.to_string()).collect()
    }

    /// Runs the functions that the machine waits for.
    pub(super) fn run(&mut self) {
        for directive in self.due() {
            let Action::RunFunction(call) = &directive.action else { panic!("{directive:?}") };
            let mut running = call.run();
            let Poll::Ready(result) =
                running.as_mut().poll(&mut Context::from_waker(Waker::noop()))
            else {
                panic!("{} waits", directive.key)
            };
            self.handle(Event::Ran { id: directive.id, result, elapsed: SECOND });
        }
    }

    pub(super) fn handle(&mut self, event: Event) {
        assert_eq!(self.machine.handle(event), EventOutcome::Applied);
    }

    pub(super) fn outcome(&mut self) -> DeskOutcome {
        match self.machine.poll() {
            MachinePoll::Finished(outcome) => outcome,
            other => panic!("expected the end, got {other:?}"),
        }
    }

    /// The results of the last round that was filed.
    pub(super) fn results(&mut self) -> Vec<Result<String, String>> {
        let round = self.machine.state().unwrap().rounds.last().unwrap().clone();
        let result = |(_, result): (&ToolCall, &cot_core::model::ToolResult)| match result.is_error
        {
            false => Ok(result.text.clone()),
            true => Err(result.text.clone()),
        };
        round.iter().map(result).collect()
    }

    /// Goes through a snapshot as text, in a program with other tools.
    pub(super) fn resume_with(&mut self, app: App) {
        let json = self.machine.snapshot().unwrap().to_json().unwrap();
        let snapshot = Snapshot::from_json(&json).unwrap();
        self.app = Arc::new(app);
        let context = Arc::clone(&self.app);
        let resumed = Machine::resume_with_context(snapshot, ResumeOptions::new(), context, "run");
        self.machine = resumed.unwrap();
        self.machine.record(true);
    }
}
