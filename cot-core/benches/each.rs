//! Compares a for-each task with a model that takes 5 ms to the ideal time, and to the same loop without the
//! library: a thousand items with a hundred concurrent calls, and ten thousand items at once.
//!
//! `cargo bench -p cot-core --bench each`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{
    env,
    sync::Arc,
    time::{Duration, Instant},
};

use cot_core::{
    model::{BoxFuture, ModelError, ModelReply, ModelRequest},
    prelude::*,
};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::{runtime, time::sleep};

const LATENCY: Duration = Duration::from_millis(5);
/// The number of measurements.
const ROUNDS: usize = 20;

/// The number of items and of concurrent calls, as in the processes below.
#[derive(Clone, Copy)]
struct Work {
    items: u32,
    calls_at_once: u32,
}

const SOME_AT_ONCE: Work = Work { items: 1_000, calls_at_once: 100 };
const ALL_AT_ONCE: Work = Work { items: 10_000, calls_at_once: 10_000 };

fn main() {
    // A test run checks only that the benchmark works.
    let rounds = if env::args().any(|argument| argument == "--bench") { ROUNDS } else { 1 };
    let model: Arc<dyn LanguageModel> = Arc::new(Slow);
    let survey = Survey::runner().model(Arc::clone(&model));
    compare(SOME_AT_ONCE, rounds, &model, || on_runner(survey.clone(), SOME_AT_ONCE));
    let census = Census::runner().model(Arc::clone(&model));
    compare(ALL_AT_ONCE, rounds, &model, || on_runner(census.clone(), ALL_AT_ONCE));
}

/// Measures the runner and the loops without the library.
fn compare<F>(work: Work, rounds: usize, model: &Arc<dyn LanguageModel>, runner: impl Fn() -> F)
where
    F: Future<Output = Vec<Note>> + Send + 'static,
{
    let Work { items, calls_at_once } = work;
    let runtime = runtime::Builder::new_multi_thread().enable_time().build().expect("a runtime");
    let ideal = (LATENCY * items / calls_at_once).as_secs_f64();
    println!(
        "{items} items, {calls_at_once} calls at once to a model of {LATENCY:?}; the ideal is {ideal} s"
    );
    println!("{:<18}{:>12}{:>12}{:>10}", "median of", "wall", "least wall", "to ideal");
    report("runner", ideal, rounds, || runtime.block_on(timed(work, runner())));
    let run = || runtime.block_on(timed(work, buffered(Arc::clone(model), work)));
    report("buffered", ideal, rounds, run);
    let run = || runtime.block_on(timed(work, buffer_unordered(Arc::clone(model), work)));
    report("buffer_unordered", ideal, rounds, run);
}

fn report(name: &str, ideal: f64, rounds: usize, run: impl Fn() -> f64) {
    // Initialization is not measured.
    run();
    let mut walls: Vec<f64> = (0..rounds).map(|_| run()).collect();
    walls.sort_unstable_by(f64::total_cmp);
    let (median, least) = (walls[walls.len() / 2], walls[0]);
    let ratio = median / ideal;
    println!("{name:<18}{median:>10.4} s{least:>10.4} s{ratio:>9.2}x");
}

/// Returns the seconds until a list is full.
async fn timed(work: Work, notes: impl Future<Output = Vec<Note>> + Send + 'static) -> f64 {
    let began = Instant::now();
    let notes = tokio::spawn(notes).await.expect("it runs");
    let wall = began.elapsed().as_secs_f64();
    assert!(notes.iter().map(|note| note.number).eq(0..work.items), "every note, in order");
    wall
}

/// A model with a delay, which replies with the requested number.
struct Slow;

impl LanguageModel for Slow {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            sleep(LATENCY).await;
            Ok(ModelReply::new(format!("{{\"number\": {}}}", request.prompt())))
        })
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    number: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Numbers {
    items: Vec<u32>,
    notes: Vec<Note>,
}

cot_process! {
    process Survey {
        state: Numbers,

        task read -> Note {
            for_each: item in state.items,
            max_concurrency: 100,
            full_prompt: "${item}",
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    process Census {
        state: Numbers,

        task read -> Note {
            for_each: item in state.items,
            max_concurrency: 10_000,
            full_prompt: "${item}",
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

async fn on_runner<P: Process<State = Numbers>>(runner: Runner<P>, work: Work) -> Vec<Note> {
    let numbers = Numbers { items: (0..work.items).collect(), notes: Vec::new() };
    runner.run(numbers).await.expect("it starts").state.notes
}

// The same without the library.

async fn buffered(model: Arc<dyn LanguageModel>, work: Work) -> Vec<Note> {
    let calls = (0..work.items).map(move |item| ask(Arc::clone(&model), item));
    stream::iter(calls).buffered(work.calls_at_once as usize).collect().await
}

async fn buffer_unordered(model: Arc<dyn LanguageModel>, work: Work) -> Vec<Note> {
    let calls = (0..work.items).map(move |item| ask(Arc::clone(&model), item));
    let mut notes: Vec<Note> =
        stream::iter(calls).buffer_unordered(work.calls_at_once as usize).collect().await;
    notes.sort_unstable_by_key(|note| note.number);
    notes
}

async fn ask(model: Arc<dyn LanguageModel>, item: u32) -> Note {
    let request = ModelRequest::new(item.to_string());
    let reply = model.reply(&request).await.expect("it answers");
    serde_json::from_str(&reply.text).expect("a note")
}
