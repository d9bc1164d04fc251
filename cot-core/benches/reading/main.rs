//! Measures the reading of replies from 2 KB to 2 MB: valid ones, with a dozen mistakes per 2 KB, with a
//! mistake in nearly every token, and in chunks with partial values. The baseline parses a valid reply with
//! `serde_json`.
//!
//! `cargo bench -p cot-core --bench reading`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

mod hostile;
mod replies;
mod streamed;

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use cot_core::{CotOutput, reader::Reader};
use jsonschema::Validator;
use serde::Deserialize;
use serde_json::Value;

use self::replies::Report;

const KB: usize = 1_000;
const SIZES: [usize; 4] = [2 * KB, 20 * KB, 200 * KB, 2_000 * KB];
/// The distance of mistakes in bytes, for a dozen per 2 KB.
const GAP: usize = 150;
/// The number of measurements.
const ROUNDS: usize = 100;
/// The minimum time of a measurement, short enough that some are not disturbed by other processes.
const LEAST: Duration = Duration::from_millis(1);

fn main() {
    // A test run checks only that the benchmark works.
    let is_bench = env::args().any(|argument| argument == "--bench");
    let (rounds, least, sizes) =
        if is_bench { (ROUNDS, LEAST, &SIZES[..]) } else { (1, Duration::ZERO, &SIZES[..2]) };
    let bench =
        Bench { rounds, least, reader: Reader::for_type::<Report>(), validator: validator() };
    println!(
        "read into the type; least of {rounds}, partials in pieces of {} bytes",
        streamed::PIECE
    );
    println!(
        "{:<16}{:>10}{:>15}{:>13}{:>10}",
        "reply", "bytes", "per reply", "per byte", "by hand"
    );
    for size in sizes {
        bench.report(*size);
    }
    hostile::report(if is_bench { 1 << 20 } else { 1 << 12 });
}

fn validator() -> Validator {
    jsonschema::validator_for(Report::output_schema().json()).expect("a schema")
}

struct Bench {
    rounds: usize,
    least: Duration,
    reader: Reader,
    validator: Validator,
}

impl Bench {
    fn report(&self, size: usize) {
        let report = replies::report(size);
        let clean = serde_json::to_string(&report).expect("JSON");
        let hand = self.time(|| self.by_hand(&clean));
        line("by hand", clean.len(), hand, hand);
        line("clean", clean.len(), self.read(&clean, &report), hand);
        for (name, gap) in [("a dozen in 2 KB", GAP), ("every token", 0)] {
            let broken = replies::broken(&report, gap);
            line(name, broken.len(), self.read(&broken, &report), hand);
        }
        let (partials, elapsed) = streamed::cost(&clean, self.rounds.min(3));
        line(&format!("{partials} partials"), clean.len(), elapsed, hand);
    }

    /// The baseline: code without a reader.
    fn by_hand(&self, reply: &str) -> Report {
        let value: Value = serde_json::from_str(reply).expect("JSON");
        assert!(self.validator.is_valid(&value), "it fits");
        serde_json::from_str(reply).expect("a report")
    }

    fn read(&self, reply: &str, report: &Report) -> Duration {
        let read = || {
            let reading = self.reader.read(reply).expect("a reading");
            Report::deserialize(&reading.value).expect("a report")
        };
        assert!(read() == *report, "what is read is what was meant");
        self.time(read)
    }

    /// Returns the shortest time of several runs.
    fn time<T>(&self, run: impl Fn() -> T) -> Duration {
        let round = |_| {
            let (began, mut times) = (Instant::now(), 0);
            loop {
                black_box(run());
                times += 1;
                if began.elapsed() >= self.least {
                    return began.elapsed() / times;
                }
            }
        };
        (0..self.rounds).map(round).min().expect("a round")
    }
}

fn line(name: &str, bytes: usize, elapsed: Duration, hand: Duration) {
    let seconds = elapsed.as_secs_f64();
    println!(
        "{name:<16}{bytes:>10}{:>12.1} us{:>10.1} ns{:>9.1}x",
        seconds * 1e6,
        seconds * 1e9 / bytes as f64,
        seconds / hand.as_secs_f64(),
    );
}
