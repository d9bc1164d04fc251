//! Traces of runs.

mod property;

use std::{convert::Infallible, fmt, sync::Mutex};

use cot_core::prelude::*;
use cot_model::{ModelReply, ModelRequest, ScriptedModel};
use cot_store::MemoryStore;
use cot_task_format::{Code, Trace, parse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::recorder::run_recorder::RunRecorder;

/// A line of text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    #[schemars(length(max = 20))]
    text: String,
}

/// The text that the process writes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Page {
    lines: Vec<String>,
    fails: bool,
}

/// The line does not exist.
#[derive(Debug)]
struct Missing;

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such 「line")
    }
}

impl std::error::Error for Missing {}

async fn look_up(page: &Page) -> Result<Line, Missing> {
    if page.fails { Err(Missing) } else { Ok(Line { text: "found".to_owned() }) }
}

async fn tidy(_: &Page) -> Result<(), Infallible> {
    Ok(())
}

cot_process! {
    /// Improves one line.
    process Inner {
        state: Page,
        task improve -> Line { prompt: "Improve.", update: { lines[] = output.text }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Writes a page.
    process Writing {
        state: Page,
        max_retries: 1,
        start: decide,
        default_return: decide,

        task decide {
            title: "Decide what to do next",
            prompt: "${state.lines.len()} lines",
            transitions: { add, look, ask, nest, each, pause, broken, done },
        }

        task add -> Line { title: "Add a line", prompt: "Add.", update: { lines[] = output.text } }

        task look -> Line {
            title: "Look a line up",
            run: look_up,
            max_retries: 1,
            update: { lines[] = output.text },
            on: { exhausted => clean },
        }

        task clean { title: "Clean up", run: tidy, next: turn }
        task turn { next: { decide if !state.lines.is_empty(), decide } }

        task ask -> Line {
            title: "Ask somebody",
            ask: "What 「now」?",
            update: { lines[] = output.text },
        }

        task nest {
            title: "Improve it",
            process: Inner with state.clone(),
            update: { lines = output.lines },
        }

        task each -> Line {
            title: "Look at each line",
            for_each: line in state.lines,
            prompt: "Look at ${quoted(line)}.",
        }

        task pause -> Line { wait: 5ms, prompt: "Wait.", update: { lines[] = output.text } }
        task broken { fail: "it is 」 broken" }
        task done { title: "The end", end }
    }
}

/// Takes these transitions in order, and replies with a line to every other request.
fn model(route: &[&'static str]) -> ScriptedModel {
    let ways = Mutex::new(route.to_vec());
    let wrongs = Mutex::new(1);
    ScriptedModel::from_fn(move |request: &ModelRequest| {
        let decides = request.schema.as_ref().is_some_and(|schema| schema.name == "decide");
        if decides {
            let go_to = ways.lock().unwrap().remove(0);
            let why = format!("to 「{go_to}」");
            return ModelReply::from(json!({ "goTo": go_to, "intent": why, "stepAfter": "more" }));
        }
        let mut wrongs = wrongs.lock().unwrap();
        let text = if *wrongs > 0 { "far too long to be a line" } else { "ok \" }\n\nplan {" };
        *wrongs -= 1;
        ModelReply::from(json!({ "text": text }))
    })
}

async fn recorded(route: &[&'static str], page: Page) -> (Trace, WritingOutcome) {
    let recorder = RunRecorder::<Writing>::new("Write 「a page」");
    let runner = Writing::runner()
        .model(model(route))
        .person(async |_| Line { text: "from a person".to_owned() })
        .observe(recorder.observer());
    let run = runner.report(page).await.unwrap();
    (recorder.trace(), run.outcome)
}

/// Asserts that the trace is valid and can be parsed again.
fn assert_sound(trace: &Trace) -> cot_task_format::Report {
    let text = trace.to_string();
    let report = cot_task_format::check(&text);
    assert!(report.is_valid(), "{text}\n{:#?}", report.errors);
    assert_eq!(&parse(&text).unwrap(), trace, "{text}");
    assert_eq!(&Trace::from_json(&trace.to_json()).unwrap(), trace);
    report
}

#[tokio::test]
async fn a_run_can_be_read() {
    let (trace, outcome) = recorded(&["add", "look", "done"], Page::default()).await;
    assert_eq!(outcome, WritingOutcome::Done);
    let report = assert_sound(&trace);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(report.todos_defined, report.todos_satisfied);
    let text = trace.to_string();
    let turn = &text[text.find("user").unwrap()..];
    assert_eq!(turn, include_str!("../a_run.task"), "{turn}");
    assert!(text.starts_with("system「A run of the process Writing: Writes a page.」\n"));
    assert_eq!(report.tools, ["look", "clean", "ask", "nest"]);
}

#[tokio::test]
async fn runs_of_all_kinds_are_valid() {
    let mut all = vec!["add", "ask", "nest", "each", "pause", "look", "add", "ask", "each", "done"];
    let (trace, _) = recorded(&all, Page::default()).await;
    let report = assert_sound(&trace);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    let text = trace.to_string();
    for part in [
        "question ↦ \"What 「now」?\"",
        "data ↦ {\n        text ↦ \"from a person\"",
        "the run waits 5ms before it",
        "attempt 1 was not accepted: $.text:",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }

    // A function that fails twice, with a route for exhausted retries.
    *all.last_mut().unwrap() = "broken";
    let (trace, outcome) = recorded(&all, Page { fails: true, ..Page::default() }).await;
    assert!(matches!(outcome, WritingOutcome::Broken(_)));
    let report = assert_sound(&trace);
    assert!(report.warnings.iter().all(|found| found.code == Code::UnsatisfiedTodo));
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
    let text = trace.to_string();
    for part in [
        "error ↦ \"attempt 2 failed: $: no such 「line\"",
        "`look` leads to `clean` when it is exhausted",
        "`turn` leads to `decide`, by arm 0 of its `next`",
        "The run failed at `broken`: it is 」 broken",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[tokio::test]
async fn a_run_that_halts_says_why() {
    let recorder = RunRecorder::<Inner>::new("Improve it");
    let model = ScriptedModel::new(["no", "JSON", "at all"]);
    let runner = Inner::runner().model(model).observe(recorder.observer());
    runner.report(Page::default()).await.unwrap();
    let trace = recorder.trace();
    let report = assert_sound(&trace);
    assert!(report.todos_satisfied.is_empty());
    let text = trace.to_string();
    let why = "The run failed at `improve`: task `improve`: no attempt gave a valid reply (attempt";
    assert!(text.contains(why), "{text}");
    assert_eq!(text.matches("was not accepted").count(), 3, "{text}");
}

#[tokio::test]
async fn another_run_is_another_turn() {
    let recorder = RunRecorder::<Inner>::new("Improve it");
    assert_sound(&recorder.trace());
    let model = ScriptedModel::from_fn(|_| json!({ "text": "better" }));
    let runner = Inner::runner().model(model).observe(recorder.observer());
    runner.run(Page::default()).await.unwrap();
    runner.run(Page::default()).await.unwrap();
    let report = assert_sound(&recorder.trace());
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    let expected = ["system", "user", "plan", "act", "response", "user", "plan", "act", "response"];
    assert_eq!(report.blocks, expected);
}

#[tokio::test]
async fn a_stored_run_is_recorded_whole() {
    let store = MemoryStore::default();
    let live = RunRecorder::<Writing>::new("Write");
    let route = ["add", "look", "ask", "nest", "each", "done"];
    let person = async |_| Line { text: "from a person".to_owned() };
    let runner = Writing::runner().model(model(&route)).person(person).store(store.clone());
    runner.run_id("a").observe(live.observer()).run(Page::default()).await.unwrap();
    let recorder = RunRecorder::<Writing>::load(&store, &"a".parse().unwrap()).await;
    let stored = recorder.unwrap().unwrap().trace();
    let report = assert_sound(&stored);
    assert_eq!(report.blocks, assert_sound(&live.trace()).blocks);
    let text = stored.to_string();
    assert!(text.contains("The run came to its end at `done`.\nModels were asked"), "{text}");
    assert!(text.contains("from a person") && !text.contains("not over"), "{text}");
}

#[tokio::test]
async fn the_trace_of_a_stored_run_is_that_of_the_live_one() {
    let store = MemoryStore::default();
    for (run, page) in [("a", Page::default()), ("b", Page { fails: true, ..Page::default() })] {
        let live = RunRecorder::<Writing>::new("Write");
        let way = ["add", "look", "add", "nest", "each", "pause", "broken"];
        let runner = Writing::runner().model(model(&way)).goal("Write").store(store.clone());
        let runner = runner.person(async |_| json!({})).run_id(run).observe(live.observer());
        runner.report(page).await.unwrap();
        let stored = RunRecorder::<Writing>::load(&store, &run.parse().unwrap()).await;
        // A journal has no timers.
        let live = live.trace().to_string().replace("; the run waits 5ms before it", "");
        let live = live.replace("act {\n    think ↦ \"the run waits 200ms\"\n}\n\n", "");
        assert_eq!(stored.unwrap().unwrap().trace().to_string(), live);
    }
}

#[tokio::test]
async fn a_resumed_run_is_recorded_from_its_beginning() {
    let store = MemoryStore::default();
    let runner = || Writing::runner().store(store.clone());
    let mut run =
        runner().model(model(&["add", "ask"])).run_id("b").start(Page::default()).unwrap();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    drop(run);
    let recorder = RunRecorder::<Writing>::load(&store, &"b".parse().unwrap()).await;
    let recorder = recorder.unwrap().unwrap();
    let text = recorder.trace().to_string();
    assert_sound(&recorder.trace());
    assert!(text.contains("The run is not over."), "{text}");
    assert!(text.contains("`decide` chose `ask`"), "{text}");
    let alone = RunRecorder::<Writing>::new("Write");
    let person = async |_| Line { text: "from a person".to_owned() };
    let resumed = runner().model(model(&["done"])).person(person).observe(recorder.observer());
    resumed.observe(alone.observer()).resume("b").unwrap().finish().await.unwrap();
    let text = recorder.trace().to_string();
    let report = assert_sound(&recorder.trace());
    assert_eq!(text.matches("the run begins here").count(), 1, "{text}");
    assert_eq!(report.blocks.iter().filter(|block| **block == "user").count(), 1);
    assert!(text.contains("from a person") && text.contains("The run came to its end"), "{text}");
    // Without the history, the trace notes the missing steps.
    let text = alone.trace().to_string();
    assert!(!text.contains("the run begins here"), "{text}");
}

#[tokio::test]
async fn a_run_can_be_looked_at_while_it_goes_on() {
    let recorder = RunRecorder::<Writing>::new("");
    let runner = Writing::runner().model(model(&["add", "done"])).person(async |_| json!({}));
    let mut run = runner.start(Page::default()).unwrap();
    let mut seen = 0;
    while let Some(event) = run.next().await {
        recorder.record(&event);
        assert_sound(&recorder.trace());
        seen += 1;
    }
    assert!(seen > 8);
    assert!(!recorder.trace().to_string().contains("The run is not over."));
}
