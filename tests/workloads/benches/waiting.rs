//! Measures ten thousand concurrent runs, each with five calls to a model that takes 50 ms: their total time
//! and the peak memory of each, compared to the same loop without the library.
//!
//! `cargo bench -p cot-workloads --bench waiting`; with `-- --check`, a short form that fails if the library is
//! much slower than the loop.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{
    env, fs,
    future::Future,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use cot_core::model::LanguageModel;
use cot_workloads::notebook::{CALLS, Notes, Slow, by_hand, on_runner, runner};
use tokio::runtime;

const RUNS: usize = 10_000;
const LATENCY: Duration = Duration::from_millis(50);
/// The number of measurements, each in a process of its own.
const ROUNDS: usize = 7;

fn main() {
    let model: Arc<dyn LanguageModel> = Arc::new(Slow(LATENCY));
    let runner = runner(Arc::clone(&model));
    if env::args().any(|argument| argument == "--check") {
        return check();
    }
    match env::args().nth(1).as_deref() {
        Some("by_hand") => measure(|| by_hand(Arc::clone(&model))),
        Some("runner") => measure(|| on_runner(runner.clone())),
        Some("--bench") => compare(ROUNDS),
        // A test run checks only that the benchmark works.
        _ => compare(1),
    }
}

const NAMES: [&str; 2] = ["by_hand", "runner"];

/// The allowed factor, with a margin for other load and for processors: 1.27 on one machine, 1.5 to 1.7 on another.
/// The bench `instructions` holds what does not vary.
const MAX_RATIO: f64 = 2.2;
/// The attempts before the check fails.
const TRIES: usize = 5;

/// Fails if the library is slower than allowed. It compares the shortest times, since other load can only
/// increase a time.
fn check() {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..TRIES {
        for (least, measured) in least.iter_mut().zip(in_turn(3)) {
            *least = measured.iter().map(|(wall, _)| *wall).fold(*least, f64::min);
        }
        let ratio = least[1] / least[0];
        println!("least wall times: {ratio:.2} of by hand; at most {MAX_RATIO}");
        if ratio <= MAX_RATIO {
            return;
        }
    }
    panic!("{RUNS} runs take more than {MAX_RATIO} times as long as by hand");
}

/// Returns seconds, and KiB per run, of both in turn.
fn in_turn(rounds: usize) -> [Vec<(f64, f64)>; 2] {
    let mut measured = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (name, measured) in NAMES.iter().zip(&mut measured) {
            measured.push(in_own_process(name));
        }
    }
    measured
}

/// Measures both in turn and prints a table.
fn compare(rounds: usize) {
    let measured = in_turn(rounds);
    let ideal = LATENCY.as_secs_f64() * CALLS as f64;
    println!("{RUNS} runs of {CALLS} calls to a model of {LATENCY:?}; the ideal is {ideal} s");
    println!("{:<10}{:>12}{:>12}{:>16}", "median of", "wall", "least wall", "peak a run");
    for (name, measured) in NAMES.iter().zip(measured) {
        let (mut walls, mut peaks): (Vec<f64>, Vec<f64>) = measured.into_iter().unzip();
        let (wall, peak) = (median(&mut walls), median(&mut peaks));
        println!("{name:<10}{wall:>10.3} s{:>10.3} s{peak:>12.2} KiB", walls[0]);
    }
}

/// Returns seconds, and KiB per run.
fn in_own_process(name: &str) -> (f64, f64) {
    let program = env::current_exe().expect("this program");
    let output = Command::new(program).arg(name).output().expect("it runs");
    let output = String::from_utf8(output.stdout).expect("text");
    let (wall, peak) = output.trim().split_once(' ').expect("two numbers");
    (wall.parse().expect("a number"), peak.parse().expect("a number"))
}

/// Sorts the numbers.
fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Executes all runs, and prints their time and the growth of the memory.
fn measure<F>(run: impl Fn() -> F)
where
    F: Future<Output = Notes> + Send + 'static,
{
    let runtime = runtime::Builder::new_multi_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        // Initialization is not measured.
        assert_eq!(tokio::spawn(run()).await.expect("it runs").lines.len(), CALLS);
        let before = memory("VmRSS:");
        let began = Instant::now();
        let runs: Vec<_> = (0..RUNS).map(|_| tokio::spawn(run())).collect();
        for run in runs {
            assert_eq!(run.await.expect("it runs").lines.len(), CALLS);
        }
        let wall = began.elapsed().as_secs_f64();
        println!("{wall} {}", (memory("VmHWM:") - before) / RUNS as f64);
    });
}

/// Returns a memory size of this process in KiB; `None` on systems other than Linux.
fn memory(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix(name));
    let size = size.and_then(|size| size.trim().strip_suffix("kB")?.trim().parse().ok());
    size.unwrap_or(f64::NAN)
}
