//! A for-each task over a thousand items, against a model that takes 5 ms, a hundred calls at once:
//! how long it takes beside the ideal, and beside the same loop written by hand.
//!
//! `cargo bench -p cot-core --bench each`
#![expect(
    clippy::disallowed_methods,
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

const ITEMS: u32 = 1_000;
/// As the process below says.
const CALLS_AT_ONCE: u32 = 100;
const LATENCY: Duration = Duration::from_millis(5);
/// How many times each is measured.
const ROUNDS: usize = 20;

fn main() {
    // A test run only shows whether it works.
    let rounds = if env::args().any(|argument| argument == "--bench") { ROUNDS } else { 1 };
    let runtime = runtime::Builder::new_multi_thread().enable_time().build().expect("a runtime");
    let model: Arc<dyn LanguageModel> = Arc::new(Slow);
    let runner = Survey::runner().model(Arc::clone(&model));
    let ideal = (LATENCY * ITEMS / CALLS_AT_ONCE).as_secs_f64();
    println!(
        "{ITEMS} items, {CALLS_AT_ONCE} calls at once to a model of {LATENCY:?}; the ideal is {ideal} s"
    );
    println!("{:<18}{:>12}{:>12}{:>10}", "median of", "wall", "least wall", "to ideal");
    let run = || runtime.block_on(timed(on_runner(runner.clone())));
    report("runner", ideal, rounds, run);
    let run = || runtime.block_on(timed(buffered(Arc::clone(&model))));
    report("buffered", ideal, rounds, run);
    let run = || runtime.block_on(timed(buffer_unordered(Arc::clone(&model))));
    report("buffer_unordered", ideal, rounds, run);
}

fn report(name: &str, ideal: f64, rounds: usize, run: impl Fn() -> f64) {
    // What is made once for all runs is made before.
    run();
    let mut walls: Vec<f64> = (0..rounds).map(|_| run()).collect();
    walls.sort_unstable_by(f64::total_cmp);
    let (median, least) = (walls[walls.len() / 2], walls[0]);
    let ratio = median / ideal;
    println!("{name:<18}{median:>10.4} s{least:>10.4} s{ratio:>9.2}x");
}

/// Seconds until a list is full.
async fn timed(notes: impl Future<Output = Vec<Note>> + Send + 'static) -> f64 {
    let began = Instant::now();
    let notes = tokio::spawn(notes).await.expect("it runs");
    let wall = began.elapsed().as_secs_f64();
    assert!(notes.iter().map(|note| note.number).eq(0..ITEMS), "every note, in order");
    wall
}

/// A model that takes its time, and answers with the number that it is asked for.
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

async fn on_runner(runner: Runner<Survey>) -> Vec<Note> {
    let numbers = Numbers { items: (0..ITEMS).collect(), notes: Vec::new() };
    runner.run(numbers).await.expect("it starts").state.notes
}

// The same by hand.

async fn buffered(model: Arc<dyn LanguageModel>) -> Vec<Note> {
    let calls = (0..ITEMS).map(move |item| ask(Arc::clone(&model), item));
    stream::iter(calls).buffered(CALLS_AT_ONCE as usize).collect().await
}

async fn buffer_unordered(model: Arc<dyn LanguageModel>) -> Vec<Note> {
    let calls = (0..ITEMS).map(move |item| ask(Arc::clone(&model), item));
    let mut notes: Vec<Note> =
        stream::iter(calls).buffer_unordered(CALLS_AT_ONCE as usize).collect().await;
    notes.sort_unstable_by_key(|note| note.number);
    notes
}

async fn ask(model: Arc<dyn LanguageModel>, item: u32) -> Note {
    let request = ModelRequest::new(item.to_string());
    let reply = model.reply(&request).await.expect("it answers");
    serde_json::from_str(&reply.text).expect("a note")
}
