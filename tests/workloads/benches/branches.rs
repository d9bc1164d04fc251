//! Measures three branches with a call of 50 ms in each, beside `tokio::join!`.
//!
//! `cargo bench -p cot-workloads --bench branches`; with `-- --check`, a short form that fails if
//! the library takes more than 1.1 times as long.
#![expect(clippy::print_stdout, reason = "a benchmark measures and prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark that can't start is of no use")]

use std::{
    env,
    time::{Duration, Instant},
};

use cot_core::Runner;
use cot_workloads::branches::{Finding, Research, Slow, by_hand, on_runner};
use criterion::Criterion;
use tokio::runtime::Runtime;

/// The allowed factor.
const MAX_RATIO: f64 = 1.1;
/// The attempts before the check fails.
const TRIES: usize = 5;
const TOPIC: &str = "ships";

fn main() {
    let runtime = Runtime::new().unwrap();
    let runner = Research::runner().model(Slow);
    let (hand, run) = (hand(&runtime), run(&runtime, &runner));
    assert_eq!(hand.1, run.1, "both find the same");
    if is_given("--check") {
        return check(&runtime, &runner);
    }
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("branches");
    group.sample_size(20);
    group.bench_function("by_hand", |bencher| {
        bencher.iter(|| runtime.block_on(by_hand(&Slow, TOPIC)));
    });
    group.bench_function("runner", |bencher| {
        bencher.iter(|| runtime.block_on(on_runner(&runner, TOPIC)));
    });
    group.finish();
    criterion.final_summary();
    if is_given("--bench") && !is_given("--profile-time") {
        print_ratio(&runtime, &runner);
    }
}

fn hand(runtime: &Runtime) -> (Duration, [Finding; 3]) {
    let began = Instant::now();
    let found = runtime.block_on(by_hand(&Slow, TOPIC));
    (began.elapsed(), found)
}

fn run(runtime: &Runtime, runner: &Runner<Research>) -> (Duration, [Finding; 3]) {
    let began = Instant::now();
    let found = runtime.block_on(on_runner(runner, TOPIC));
    (began.elapsed(), found)
}

fn is_given(option: &str) -> bool {
    env::args().any(|argument| argument == option)
}

/// Returns the shortest times by hand and with the runner. Other load can only increase a time.
fn least(runtime: &Runtime, runner: &Runner<Research>, rounds: usize) -> (Duration, Duration) {
    let times = (0..rounds).map(|_| (hand(runtime).0, run(runtime, runner).0));
    let longest = (Duration::MAX, Duration::MAX);
    times.fold(longest, |least, times| (least.0.min(times.0), least.1.min(times.1)))
}

fn ratio((by_hand, on_runner): (Duration, Duration)) -> f64 {
    on_runner.as_secs_f64() / by_hand.as_secs_f64()
}

/// Fails if the library is slower than allowed.
fn check(runtime: &Runtime, runner: &Runner<Research>) {
    for left in (0..TRIES).rev() {
        let times = least(runtime, runner, 10);
        let ratio = ratio(times);
        println!("least times {times:?}: {ratio:.3} to by hand; at most {MAX_RATIO}");
        if ratio <= MAX_RATIO {
            return;
        }
        assert!(left > 0, "branches take more than {MAX_RATIO} times as long as `tokio::join!`");
    }
}

fn print_ratio(runtime: &Runtime, runner: &Runner<Research>) {
    let times = least(runtime, runner, 40);
    let (by_hand, on_runner) = times;
    println!("least times: by hand {by_hand:?}, runner {on_runner:?}; ratio {:.3}", ratio(times));
}
