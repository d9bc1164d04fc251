//! What the engine costs beside a model that answers at once: a data source is built with 101 model
//! calls, by the machine, by the runner, and by a plain loop written by hand.
//!
//! `cargo bench -p cot-core --bench step`
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

mod work;

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{Criterion, Throughput};

use self::work::{BuilderState, CALLS, FIELDS, OnRunner, by_hand, on_machine, replies};

/// Something that builds the data source. The result is its state, and the size of its prompts.
type Contender<'a> = (&'static str, Box<dyn FnMut() -> (BuilderState, usize) + 'a>);

fn main() {
    let replies = replies();
    let mut on_runner = OnRunner::new(&replies);
    let mut contenders: [Contender<'_>; 3] = [
        ("by_hand", Box::new(|| by_hand(&replies))),
        ("machine", Box::new(|| on_machine(&replies))),
        ("runner", Box::new(|| on_runner.run())),
    ];
    assert_fair(&mut contenders);
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

fn is_given(option: &str) -> bool {
    env::args().any(|argument| argument == option)
}

/// All end in the same state, after prompts of the same size.
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

/// The contenders take turns, so that whatever else the computer does hits them all.
fn print_ratios(contenders: &mut [Contender<'_>]) {
    const ROUNDS: usize = 2000;
    let mut times = vec![Vec::with_capacity(ROUNDS); contenders.len()];
    for _ in 0..ROUNDS {
        for ((_, run), times) in contenders.iter_mut().zip(&mut times) {
            let began = Instant::now();
            black_box(run());
            times.push(began.elapsed());
        }
    }
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

/// Microseconds of one step, of the time of a run.
fn a_step(run: Duration) -> f64 {
    run.as_secs_f64() * 1e6 / CALLS as f64
}
