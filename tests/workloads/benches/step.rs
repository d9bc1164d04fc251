//! Measures the cost of the engine with a model without delay: builds a data source with 101 model calls, by
//! the machine, by the runner, and by a loop without the library.
//!
//! `cargo bench -p cot-workloads --bench step`; with `-- --check`, a short form that fails if the library is much
//! slower than the loop. `tests/check_tracing.py` compares the step with and without the feature `tracing`.
#![expect(clippy::print_stdout, reason = "a benchmark measures and prints")]

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{Criterion, Throughput};

use cot_workloads::{
    builder::{BuilderState, CALLS, FIELDS, OnRunner, on_machine, replies},
    by_hand::{Layout, SYSTEM, by_hand},
};

#[cfg(feature = "tracing")]
#[path = "step/subscriber.rs"]
mod subscriber;

/// Builds the data source. Returns its state and the size of its prompts.
type Contender<'a> = (&'static str, Box<dyn FnMut() -> (BuilderState, usize) + 'a>);

fn main() {
    let replies = replies();
    let mut on_runner = OnRunner::new(&replies);
    let mut contenders: [Contender<'_>; 3] = [
        ("by_hand", Box::new(|| loop_by_hand(&replies))),
        ("machine", Box::new(|| on_machine(&replies))),
        ("runner", Box::new(|| on_runner.run())),
    ];
    assert_fair(&mut contenders);
    #[cfg(feature = "tracing")]
    if is_given("--subscriber") {
        subscriber::install();
    }
    if is_given("--least") {
        let times = measure(&mut contenders[2..], 200);
        return println!("least {}", seconds(&times[0]));
    }
    if is_given("--check") {
        return check(&mut contenders);
    }
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("step");
    group.throughput(Throughput::Elements(CALLS as u64));
    for (name, run) in &mut contenders {
        group.bench_function(*name, |bencher| bencher.iter(&mut *run));
    }
    group.finish();
    criterion.final_summary();
    if is_given("--bench") && !is_given("--profile-time") {
        print_ratios(&mut contenders);
    }
}

fn loop_by_hand(replies: &[String]) -> (BuilderState, usize) {
    let mut size = 0;
    let state = by_hand(replies, Layout::StableFirst, |prompt| {
        size += SYSTEM.len() + black_box(prompt).len();
    });
    (state, size)
}

fn is_given(option: &str) -> bool {
    env::args().any(|argument| argument == option)
}

/// Checks that all end in the same state, after prompts of the same size.
fn assert_fair(contenders: &mut [Contender<'_>]) {
    let results: Vec<_> = contenders.iter_mut().map(|(_, run)| run()).collect();
    let (state, size) = &results[0];
    println!("prompts of {} bytes", size / CALLS);
    assert_eq!(state.current_ds.fields.len(), FIELDS);
    for (other, other_size) in &results {
        assert_eq!(other, state);
        assert!(size.abs_diff(*other_size) * 20 < *size, "{size} and {other_size} bytes");
    }
}

/// The allowed factor, with a margin for other load and for processors: the runner takes 1.23 times as long as the
/// loop by hand on one machine, and 1.38 times on another. The bench `instructions` holds what does not vary.
const MAX_RATIO: f64 = 1.7;
/// The attempts before the check fails. Other load often lasts for seconds.
const TRIES: usize = 20;

/// Fails if the library is slower than allowed. It compares the shortest times of all attempts, since other load
/// can only increase a time.
fn check(contenders: &mut [Contender<'_>]) {
    let mut least = vec![f64::INFINITY; contenders.len()];
    for left in (0..TRIES).rev() {
        for (least, times) in least.iter_mut().zip(measure(contenders, 300)) {
            *least = least.min(seconds(&times));
        }
        let ratios: Vec<f64> = least.iter().map(|time| time / least[0]).collect();
        let (machine, runner) = (ratios[1], ratios[2]);
        println!(
            "least times to by hand: machine {machine:.2}, runner {runner:.2}; at most {MAX_RATIO}"
        );
        if machine.max(runner) <= MAX_RATIO {
            return;
        }
        assert!(left > 0, "a step takes more than {MAX_RATIO} times as long as by hand");
    }
}

/// Returns the shortest time in seconds.
fn seconds(times: &[Duration]) -> f64 {
    times.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
}

/// Alternates between the contenders, so that other load affects all of them.
fn measure(contenders: &mut [Contender<'_>], rounds: usize) -> Vec<Vec<Duration>> {
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for _ in 0..rounds {
        for ((_, run), times) in contenders.iter_mut().zip(&mut times) {
            let began = Instant::now();
            black_box(run());
            times.push(began.elapsed());
        }
    }
    times
}

fn print_ratios(contenders: &mut [Contender<'_>]) {
    let mut times = measure(contenders, 2000);
    println!("{:<10}{:>14}{:>14}{:>22}", "a step", "median", "least", "median to by_hand");
    let by_hand = median(&mut times[0]);
    for ((name, _), times) in contenders.iter().zip(&mut times) {
        let (median, least) = (median(times), times[0]);
        let ratio = median.as_secs_f64() / by_hand.as_secs_f64();
        println!("{name:<10}{:>11.2} µs{:>11.2} µs{ratio:>22.2}", a_step(median), a_step(least));
    }
}

/// Sorts the times.
fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Returns the microseconds of one step.
fn a_step(run: Duration) -> f64 {
    run.as_secs_f64() * 1e6 / CALLS as f64
}
