//! Replies of 2 KB to 2 MB, and what reading them costs: the partials of one that comes in pieces of 16 bytes,
//! beside the same run without them.
//!
//! `cargo bench -p cot-core --bench reading`
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use cot_core::{model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::runtime::{self, Runtime};

const KB: usize = 1_000;
const SIZES: [usize; 4] = [2 * KB, 20 * KB, 200 * KB, 2_000 * KB];
/// How many bytes come at a time.
const PIECE: usize = 16;
/// How many times each is measured.
const ROUNDS: usize = 5;

fn main() {
    // A test run only shows whether it works.
    let is_bench = env::args().any(|argument| argument == "--bench");
    let (rounds, sizes) = if is_bench { (ROUNDS, &SIZES[..]) } else { (1, &SIZES[..2]) };
    let runtime = runtime::Builder::new_current_thread().build().expect("a runtime");
    println!("a reply in pieces of {PIECE} bytes, least of {rounds}");
    println!(
        "{:>10}{:>10}{:>14}{:>14}{:>12}{:>12}",
        "bytes", "partials", "streamed", "with partials", "per partial", "per byte"
    );
    for size in sizes {
        report(&runtime, &reply(*size), rounds);
    }
}

fn report(runtime: &Runtime, reply: &str, rounds: usize) {
    let least = |with_partials| {
        let run = |_| runtime.block_on(streamed(reply, with_partials));
        (0..rounds).map(run).min_by_key(|(_, elapsed)| *elapsed).expect("a round")
    };
    let (_, plain) = least(false);
    let (partials, elapsed) = least(true);
    let spent = elapsed.saturating_sub(plain).as_secs_f64();
    println!(
        "{:>10}{partials:>10}{:>11.3} ms{:>11.3} ms{:>9.1} us{:>9.1} ns",
        reply.len(),
        plain.as_secs_f64() * 1e3,
        elapsed.as_secs_f64() * 1e3,
        spent * 1e6 / f64::from(partials),
        spent * 1e9 / reply.len() as f64,
    );
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Report {
    title: String,
    findings: Vec<Finding>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Finding {
    /// What was found.
    text: String,
    certainty: f64,
    pages: Vec<u32>,
    source: Option<String>,
}

cot_process! {
    process Study {
        state: Report,
        max_retries: 0,

        task write -> Report {
            full_prompt: "Write.",
            update: { title = output.title, findings = output.findings },
            next: done,
        }
        task done { end }
    }
}

/// A reply of about so many bytes.
fn reply(size: usize) -> String {
    let mut report = Report { title: "What the sea \"says\"".to_owned(), findings: Vec::new() };
    let mut length = 0;
    while length < size {
        let number = report.findings.len() as u32;
        let finding = Finding {
            text: format!("On day {number} the water rose by some inches,\nand fell again."),
            certainty: f64::from(number % 100) / 100.0,
            pages: vec![number, number + 1, number * 7],
            source: (!number.is_multiple_of(3)).then(|| format!("log book {number}")),
        };
        length += serde_json::to_string(&finding).expect("JSON").len() + 1;
        report.findings.push(finding);
    }
    serde_json::to_string(&report).expect("JSON")
}

/// How many partials were told, each read as its type, and how long the run took.
async fn streamed(reply: &str, with_partials: bool) -> (u32, Duration) {
    let model = ScriptedModel::new([reply]).streaming(PIECE);
    let runner = Study::runner().model(model).token_deltas(!with_partials).partials(with_partials);
    let mut active = runner.start(Report::default()).expect("it starts");
    let began = Instant::now();
    let mut partials = 0;
    while let Some(event) = active.next().await {
        if let RunEvent::Partial { partial: Some(partial), .. } = event {
            black_box(partial.of::<Report>());
            partials += 1;
        }
    }
    (partials, began.elapsed())
}
