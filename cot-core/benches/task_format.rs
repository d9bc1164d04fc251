//! Measures the megabytes per second of parsing and writing TASK traces, compared to `serde_json` on the
//! JSON view of the same traces.
//!
//! `cargo bench -p cot-core --bench task_format`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{env, fmt::Write, hint::black_box, time::Instant};

use cot_core::task_format::{Stream, Trace, check, parse};
use serde_json::Value;

/// Turns of the trace.
const TURNS: usize = 2_000;
/// The number of measurements; the shortest time counts.
const ROUNDS: usize = 15;

fn main() {
    // A test run checks only that the benchmark works.
    let is_bench = env::args().any(|argument| argument == "--bench");
    let (turns, rounds) = if is_bench { (TURNS, ROUNDS) } else { (3, 1) };
    let text = parse(&trace(turns)).expect("the trace is well formed").to_string();
    let parsed = parse(&text).expect("what is written is read");
    let view = parsed.to_json();
    let json = serde_json::to_string(&view).expect("JSON is written");
    println!("{turns} turns: {} kB of TASK, {} kB of JSON", text.len() / 1_000, json.len() / 1_000);
    println!("{:<22}{:>10}{:>16}", "", "MB/s", "to serde_json");
    let read_json = rate(json.len(), rounds, || serde_json::from_str::<Value>(&json).is_ok());
    let write_json = rate(json.len(), rounds, || serde_json::to_string(&view).is_ok());
    report("serde_json reads", read_json, read_json);
    report("parse", rate(text.len(), rounds, || parse(&text).is_ok()), read_json);
    report("Stream, 16 B pieces", rate(text.len(), rounds, || streamed(&text)), read_json);
    report("check", rate(text.len(), rounds, || check(&text).is_valid()), read_json);
    let to_trace = || Trace::from_json(&serde_json::from_str(&json).expect("JSON")).is_ok();
    report("from the JSON view", rate(json.len(), rounds, to_trace), read_json);
    report("serde_json writes", write_json, write_json);
    let write = || parsed.to_string().len() == text.len();
    report("to_string", rate(text.len(), rounds, write), write_json);
}

fn report(name: &str, rate: f64, reference: f64) {
    println!("{name:<22}{rate:>10.0}{:>16.2}", rate / reference);
}

/// Returns megabytes per second.
fn rate(bytes: usize, rounds: usize, work: impl Fn() -> bool) -> f64 {
    let seconds = (0..rounds).map(|_| {
        let begin = Instant::now();
        assert!(black_box(work()));
        begin.elapsed().as_secs_f64()
    });
    bytes as f64 / 1e6 / seconds.fold(f64::INFINITY, f64::min)
}

fn streamed(text: &str) -> bool {
    let mut stream = Stream::new();
    let mut rest = text;
    let mut blocks = 0;
    while !rest.is_empty() {
        let end = (16..rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        blocks += stream.push(&rest[..end]).len();
        rest = &rest[end..];
    }
    blocks + stream.finish().len() > 0
}

fn trace(turns: usize) -> String {
    let mut text = "system「You are a helpful assistant.」 🏷 sys1\n\
        tool { name ↦ get_weather • params ↦ { zip_code ↦ { type ↦ string } • unit ↦ { enum ↦ \
        [ metric • imperial ] • required ↦ false } } }\n"
        .to_owned();
    for turn in 1..=turns {
        write!(
            text,
            "user「What is the weather in {code} today?」🏷 usr{turn}\n\
             plan {{ todo ↦ {{ 1 ↦ \"Fetch the weather.\" • 2 ↦ \"Choose clothes for it.\" ※ usr{turn} • \
             3 ↦ \"Present both to the user.\" }} • rationale ↦ \"Live weather first, then the best clothing \
             for it, and finally both of them in one answer to the user.\" }}\n\
             act {{ call ↦ {{ tool ↦ get_weather • zip_code ↦ \"{code}\" • id ↦ call{turn} }} ⊨ 1 }}\n\
             result {{ data ↦ {{ place ↦ \"San José\" • fahrenheit ↦ 68.5 • wind ↦ [ 3 • 4.25 • 12 ] • \
             text ↦ \"The sky is overcast; no rain is expected before the evening.\" }} 🏷 call{turn} }}\n\
             act {{ think ↦ \"At 68 degrees and overcast, a light sweater and a t-shirt would do well.\" \
             𝑝 0.9 ※ call{turn} 🏷 idea{turn} ⊨ 2 }}\n\
             response「It is 68 °F and overcast. A light sweater, a t-shirt and sweatpants would be a \
             good choice for today.」※ [call{turn} • idea{turn}] ⊨ 3\n",
            code = 94_000 + turn,
        )
        .expect("a string takes all");
    }
    text
}
