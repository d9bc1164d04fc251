//! A run of all kinds of tasks whose program dies: at every point, one by one.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    Event, Question, RunError, RunEvent as Noted, RunReport, Runner, Usage,
    model::{FinishReason, ModelError, ModelErrorKind, ModelReply, ModelRequest, ScriptedModel},
    replay::{Capture, CaptureBuffer},
    store::Record,
};
use proptest::{prelude::*, test_runner::Config};
use serde_json::{Value, json};

use super::ledger::{Fate, Ledger};
use crate::{
    drive::{Note, go, note},
    kinds::firm::{Books, Firm},
};

/// The number that a seed gives for a text.
fn number(seed: u64, text: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    (seed, text).hash(&mut hasher);
    hasher.finish() as usize
}

/// A reply that depends on nothing but the seed and what is asked.
fn reply(seed: u64, request: &ModelRequest) -> Result<ModelReply, ModelError> {
    let which = number(seed, request.prompt());
    let schema = &request.schema.as_ref().unwrap().json;
    if which.is_multiple_of(23) {
        return Err(ModelError::new(ModelErrorKind::Connection, "gone"));
    }
    let mut targets = Vec::new();
    choices(schema, &mut targets);
    let value = match targets.get(which % targets.len().max(1)) {
        _ if which.is_multiple_of(11) => json!("nonsense"),
        Some(target) => {
            let mut choice = go(target);
            if *target == "ask" {
                choice["inputs"] = json!({ "name": "Paris" });
            }
            choice
        }
        None if schema["properties"]["rank"].is_object() => {
            note(&format!("n{}", which % 100), which as u32 % 700)
        }
        None => json!({ "name": "x".repeat(which % 8 + 1) }),
    };
    let reply = ModelReply::from(value).usage(Usage::for_call(7, 3));
    Ok(if which.is_multiple_of(29) { reply.finish(FinishReason::Length) } else { reply })
}

/// The targets that a schema offers, wherever in it.
fn choices<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema {
        Value::Object(members) => members.iter().for_each(|(key, inner)| match key.as_str() {
            "goTo" => {
                let names = inner["enum"].as_array().into_iter().flatten().chain([&inner["const"]]);
                found.extend(names.filter_map(Value::as_str));
            }
            _ => choices(inner, found),
        }),
        Value::Array(items) => items.iter().for_each(|inner| choices(inner, found)),
        _ => {}
    }
}

fn answer(seed: u64, question: &Question) -> Value {
    let which = number(seed, &question.text);
    if question.text == "Sure?" {
        return json!(!seed.is_multiple_of(3));
    }
    match question.issues {
        None if which.is_multiple_of(2) => json!("no"),
        _ => note("an answer", 600 * (which as u32 % 2)),
    }
}

/// A store, and a runner on it that counts.
struct Lab {
    store: Ledger,
    calls: Arc<AtomicUsize>,
    hooks: Arc<AtomicUsize>,
    runner: Runner<Firm>,
}

const RUN: &str = "a-run";

impl Lab {
    fn new(seed: u64) -> Self {
        let store = Ledger::default();
        let (calls, hooks) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let model = || {
            let calls = Arc::clone(&calls);
            ScriptedModel::from_fn(move |request| {
                calls.fetch_add(1, Ordering::SeqCst);
                reply(seed, request)
            })
        };
        let committed = Arc::clone(&hooks);
        let runner = Firm::runner()
            .engine("large", model())
            .engine("small", model())
            .model(model())
            .person(move |question| std::future::ready(answer(seed, &question)))
            .after_commit(move |_| _ = committed.fetch_add(1, Ordering::SeqCst))
            .store(store.clone())
            .run_id(RUN);
        Self { store, calls, hooks, runner }
    }

    /// Runs, until the run is over or the power is cut. Nobody is asked twice, nor for what is journaled.
    async fn run(&self) -> Option<Result<RunReport<Firm>, RunError>> {
        let journaled = self.store.answered(RUN).await;
        let (capture, captured) = Capture::to_memory();
        let notes = vec![Note { text: "first".to_owned(), rank: 1 }];
        let runner = self.runner.clone().capture(capture.clone());
        let ended = tokio::select! {
            biased;
            run = runner.report(Books { notes, ..Books::default() }) => Some(run),
            () = self.store.cut() => None,
        };
        // Of a call that was made twice, it says so.
        capture.finish().unwrap();
        for key in keys(&captured) {
            assert!(!journaled.contains(&key), "{key} is journaled, and was asked for again");
        }
        ended
    }

    async fn run_whole(&self) -> RunReport<Firm> {
        self.run().await.unwrap().unwrap()
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// What was journaled of what came from outside, but for the order in which calls at once came back.
    async fn events(&self) -> Vec<String> {
        let records = self.store.records(RUN).await.into_iter();
        let mut events: Vec<String> = records
            .filter_map(|record| match record {
                Record::Event(event) => Some(event),
                _ => None,
            })
            .map(|record| {
                let what = match record.event {
                    Event::Replied { reply, .. } => format!("{reply:?}"),
                    Event::Ran { result, .. } => format!("{result:?}"),
                    Event::Answered { answer, .. } => answer.to_string(),
                    Event::Failed { error, .. } => format!("{error:?}"),
                    Event::Woken { id } => format!("woken {id}"),
                    other => format!("{other:?}"),
                };
                format!("{:?} {what}", record.asked.map(|asked| asked.key.to_string()))
            })
            .collect();
        events.sort();
        events
    }

    /// What has happened, but for how long it took.
    async fn notes(&self) -> Vec<String> {
        let notes = self.store.notes(RUN).await.into_iter();
        let mut notes: Vec<String> = notes.map(|note| timeless(&note)).collect();
        notes.sort();
        notes
    }
}

/// What was asked of models and people.
fn keys(captured: &CaptureBuffer) -> Vec<String> {
    let lines = captured.text();
    let calls = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    calls.filter_map(|call| Some(call["key"].as_str()?.to_owned())).collect()
}

fn timeless(note: &Noted) -> String {
    fn strip(value: &mut Value) {
        if let Value::Object(members) = value {
            members.remove("elapsed");
            members.values_mut().for_each(strip);
        }
    }
    let mut value = serde_json::to_value(note).unwrap();
    strip(&mut value);
    value.to_string()
}

fn seen(run: &RunReport<Firm>) -> String {
    let history = serde_json::to_string(&run.history).unwrap();
    let mut outcome = serde_json::to_string(&format!("{:?}", run.outcome)).unwrap();
    if let Some(at) = outcome.find("elapsed") {
        outcome.truncate(at);
    }
    format!("{outcome} {:?} {history} {:?}", run.state, run.usage)
}

/// A model that is asked again is one whose answer was not journaled.
async fn assert_alike(whole: &Lab, pieces: &Lab, cuts: usize, what: &str) {
    assert_eq!(whole.events().await, pieces.events().await, "{what}");
    assert_eq!(whole.notes().await, pieces.notes().await, "{what}");
    // Three items are asked about at once.
    assert!(pieces.calls() <= whole.calls() + 3 * cuts, "{what}");
    let (once, again) = (whole.hooks.load(Ordering::SeqCst), pieces.hooks.load(Ordering::SeqCst));
    assert!(once <= again && again <= once + cuts, "{what}: {once} {again}");
}

/// Runs that come to everything there is, and end in many ways.
const SEEDS: [u64; 4] = [1, 19, 50, 52];

/// Tests each seed in a thread of its own, with a clock that is paused.
fn test_seeds(test: impl AsyncFn(u64) + Sync) {
    std::thread::scope(|scope| {
        for seed in SEEDS {
            let test = &test;
            scope.spawn(move || {
                let mut runtime = tokio::runtime::Builder::new_current_thread();
                runtime.enable_all().start_paused(true).build().unwrap().block_on(test(seed));
            });
        }
    });
}

#[test]
fn a_run_survives_a_cut_at_every_append() {
    test_seeds(async |seed| {
        let whole = Lab::new(seed);
        let uncut = seen(&whole.run_whole().await);
        for append in 0..whole.store.appends() {
            for fate in [Fate::CutBefore, Fate::CutAfter] {
                let lab = Lab::new(seed);
                lab.store.at(append, fate);
                assert!(lab.run().await.is_none());
                let run = lab.run_whole().await;
                let what = format!("seed {seed}, {fate:?} {append}");
                assert_eq!(seen(&run), uncut, "{what}");
                assert_alike(&whole, &lab, 1, &what).await;
            }
        }
    });
}

#[tokio::test(start_paused = true)]
async fn a_run_survives_cuts_in_a_row() {
    for (seed, fate) in SEEDS.into_iter().zip([Fate::CutBefore, Fate::CutAfter].repeat(2)) {
        let whole = Lab::new(seed);
        let uncut = seen(&whole.run_whole().await);
        let lab = Lab::new(seed);
        let mut cuts = 0;
        let run = loop {
            // Far enough for a call that is repeated to be written.
            lab.store.at(2, fate);
            match lab.run().await {
                Some(run) => break run.unwrap(),
                None => cuts += 1,
            }
        };
        assert_eq!(seen(&run), uncut);
        assert_alike(&whole, &lab, cuts, &format!("seed {seed}")).await;
    }
}

/// What happens to the lives of a program, one after the other, and at which append.
fn lives() -> impl Strategy<Value = Vec<(usize, Fate)>> {
    let fates = [Fate::CutBefore, Fate::CutAfter, Fate::Full, Fate::Taken];
    proptest::collection::vec((0..25_usize, proptest::sample::select(fates.to_vec())), 1..6)
}

async fn any_lives_end_alike(seed: u64, lives: Vec<(usize, Fate)>) {
    let (whole, lab) = (Lab::new(seed), Lab::new(seed));
    let uncut = seen(&whole.run_whole().await);
    let mut cuts = 0;
    for (append, fate) in &lives {
        lab.store.at(*append, *fate);
        match lab.run().await {
            // It was over before.
            Some(Ok(run)) => assert_eq!(seen(&run), uncut),
            Some(Err(RunError::Store(_))) | None => cuts += 1,
            Some(Err(error)) => panic!("{error}"),
        }
    }
    lab.store.mend();
    assert_eq!(seen(&lab.run_whole().await), uncut);
    assert_alike(&whole, &lab, cuts, &format!("seed {seed}, {lives:?}")).await;
}

proptest! {
    // A failing case is printed as it is; a file beside the sources would be in everybody's way.
    #![proptest_config(Config { failure_persistence: None, ..Config::default() })]

    #[test]
    fn whatever_a_run_comes_to_it_survives_any_cuts(seed in any::<u64>(), lives in lives()) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build().unwrap();
        runtime.block_on(any_lives_end_alike(seed, lives));
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_store_changes_nothing() {
    for seed in SEEDS {
        let (whole, lab) = (Lab::new(seed), Lab::new(seed));
        lab.store.slow(Duration::from_millis(3));
        let (uncut, run) = (whole.run_whole().await, lab.run_whole().await);
        assert_eq!(seen(&run), seen(&uncut));
        assert_alike(&whole, &lab, 0, &format!("seed {seed}")).await;
    }
}

#[test]
fn a_run_that_could_not_be_written_goes_on_later() {
    test_seeds(async |seed| {
        let fate = if seed == 1 || seed == 50 { Fate::Full } else { Fate::Taken };
        let whole = Lab::new(seed);
        let uncut = seen(&whole.run_whole().await);
        for append in 0..whole.store.appends() {
            let lab = Lab::new(seed);
            lab.store.at(append, fate);
            let error = lab.run().await.unwrap().unwrap_err();
            assert!(matches!(error, RunError::Store(_)), "{error}");
            let run = lab.run_whole().await;
            let what = format!("seed {seed}, {fate:?} {append}");
            assert_eq!(seen(&run), uncut, "{what}");
            assert_alike(&whole, &lab, 1, &what).await;
        }
    });
}

#[tokio::test(start_paused = true)]
async fn the_runs_of_these_tests_come_to_everything() {
    let mut seen = String::new();
    for seed in SEEDS {
        let lab = Lab::new(seed);
        lab.run_whole().await;
        seen += &(lab.events().await.concat() + &lab.notes().await.concat());
    }
    for task in ["write", "count", "ask", "each", "team"] {
        assert!(seen.contains(&format!(r#""note":"committed","task":"{task}""#)), "{task}");
    }
    for what in ["attempt_failed", "transitioned", "item_done", "team#1/look#1@1", "woken"] {
        assert!(seen.contains(what), "{what}");
    }
}
