//! Measures the cost of a for-each task over 10,000 items, 1,000 of them at once, beside a buffered stream.
//!
//! `cargo bench -p cot-workloads --bench items`; with `-- --check`, a short form that fails if the library is much
//! slower than the stream.
#![expect(clippy::print_stdout, reason = "a benchmark measures and prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark that can't start is of no use")]

use std::{
    env,
    time::{Duration, Instant},
};

use cot_core::Runner;
use cot_workloads::items::{Catalogue, ITEMS, Prices, by_hand, on_runner};
use criterion::{Criterion, Throughput};
use tokio::runtime::Runtime;

/// The allowed factor.
const MAX_RATIO: f64 = 1.5;
/// The attempts before the check fails.
const TRIES: usize = 5;

fn main() {
    let runtime = Runtime::new().unwrap();
    let runner = Prices::runner();
    let (hand, run) = (hand(&runtime), run(&runtime, &runner));
    assert_eq!(hand.1.prices, run.1.prices, "both fetch the same prices");
    if is_given("--check") {
        return check(&runtime, &runner);
    }
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("items");
    group.throughput(Throughput::Elements(ITEMS)).sample_size(20);
    group.bench_function("by_hand", |bencher| {
        bencher.iter(|| runtime.block_on(by_hand(Catalogue::new())));
    });
    group.bench_function("runner", |bencher| {
        bencher.iter(|| runtime.block_on(on_runner(&runner, Catalogue::new())));
    });
    group.finish();
    criterion.final_summary();
    if is_given("--bench") && !is_given("--profile-time") {
        print_ratio(&runtime, &runner);
    }
}

fn hand(runtime: &Runtime) -> (Duration, Catalogue) {
    let (catalogue, began) = (Catalogue::new(), Instant::now());
    let done = runtime.block_on(by_hand(catalogue));
    (began.elapsed(), done)
}

fn run(runtime: &Runtime, runner: &Runner<Prices>) -> (Duration, Catalogue) {
    let (catalogue, began) = (Catalogue::new(), Instant::now());
    let done = runtime.block_on(on_runner(runner, catalogue));
    (began.elapsed(), done)
}

fn is_given(option: &str) -> bool {
    env::args().any(|argument| argument == option)
}

/// Returns the shortest times by hand and with the runner. Other load can only increase a time.
fn least(runtime: &Runtime, runner: &Runner<Prices>, rounds: usize) -> (Duration, Duration) {
    let times = (0..rounds).map(|_| (hand(runtime).0, run(runtime, runner).0));
    let longest = (Duration::MAX, Duration::MAX);
    times.fold(longest, |least, times| (least.0.min(times.0), least.1.min(times.1)))
}

fn ratio((by_hand, on_runner): (Duration, Duration)) -> f64 {
    on_runner.as_secs_f64() / by_hand.as_secs_f64()
}

/// Fails if the library is slower than allowed.
fn check(runtime: &Runtime, runner: &Runner<Prices>) {
    for left in (0..TRIES).rev() {
        let times = least(runtime, runner, 10);
        let ratio = ratio(times);
        println!("least times {times:?}: {ratio:.2} to by hand; at most {MAX_RATIO}");
        if ratio <= MAX_RATIO {
            return;
        }
        assert!(left > 0, "a for-each task takes more than {MAX_RATIO} times as long as a stream");
    }
}

fn print_ratio(runtime: &Runtime, runner: &Runner<Prices>) {
    let times = least(runtime, runner, 40);
    let (by_hand, on_runner) = times;
    println!("least times: by hand {by_hand:?}, runner {on_runner:?}; ratio {:.2}", ratio(times));
}
