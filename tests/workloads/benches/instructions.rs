//! Counts the instructions of the engine beside the same work by hand: of a step without delay, and of a call of
//! one of many waiting runs. Counts are the same on each execution, where times vary with the machine and its
//! other load. They say nothing about misses of caches; `step` and `waiting` measure times.
//!
//! `cargo bench -p cot-workloads --bench instructions`; with `-- --check`, it fails if the library needs more than
//! is allowed. It needs valgrind, which counts.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{
    env,
    hint::black_box,
    process::{Command, ExitCode},
    sync::Arc,
    time::Duration,
};

use cot_core::model::LanguageModel;
use cot_workloads::{
    builder::{self, OnRunner, on_machine, replies},
    by_hand::{self, Layout},
    notebook::{self, Slow},
};
use tokio::{runtime, task::JoinSet};

/// What is counted: its name, the work by hand, and ours with the allowed factors.
struct Row {
    name: &'static str,
    by_hand: Work,
    ours: &'static [(Work, f64)],
    /// The units of a repetition.
    units: usize,
    /// The repetitions of the shorter of the two executions, whose difference is counted.
    repetitions: usize,
}

const ROWS: [Row; 2] = [
    Row {
        name: "a step",
        by_hand: Work::StepByHand,
        ours: &[(Work::StepOnMachine, 0.9), (Work::StepOnRunner, 0.95)],
        units: builder::CALLS,
        repetitions: 2,
    },
    Row {
        name: "a call of a waiting run",
        by_hand: Work::CallByHand,
        ours: &[(Work::CallOnRunner, 2.5)],
        units: notebook::CALLS,
        repetitions: 200,
    },
];

/// Work that a process of its own repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Work {
    StepByHand,
    StepOnMachine,
    StepOnRunner,
    CallByHand,
    CallOnRunner,
}

impl Work {
    const ALL: [Self; 5] = [
        Self::StepByHand,
        Self::StepOnMachine,
        Self::StepOnRunner,
        Self::CallByHand,
        Self::CallOnRunner,
    ];

    fn name(self) -> String {
        format!("{self:?}")
    }

    fn repeat(self, times: usize) {
        let replies = replies();
        match self {
            Self::StepByHand => repeat(times, || {
                by_hand::by_hand(&replies, Layout::StableFirst, |prompt| {
                    black_box(prompt);
                });
            }),
            Self::StepOnMachine => repeat(times, || {
                black_box(on_machine(&replies));
            }),
            Self::StepOnRunner => {
                let mut on_runner = OnRunner::new(&replies);
                repeat(times, || {
                    black_box(on_runner.run());
                });
            }
            Self::CallByHand => {
                let model = model();
                at_once(times, || notebook::by_hand(Arc::clone(&model)));
            }
            Self::CallOnRunner => {
                let runner = notebook::runner(model());
                at_once(times, || notebook::on_runner(runner.clone()));
            }
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let Some(work) = Work::ALL.into_iter().find(|work| arguments.first() == Some(&work.name())) {
        work.repeat(arguments[1].parse().expect("a number of repetitions"));
        return ExitCode::SUCCESS;
    }
    let is_given = |option| arguments.iter().any(|argument| argument == option);
    if !is_given("--bench") {
        // A test run checks only that the benchmark works.
        Work::ALL.into_iter().for_each(|work| work.repeat(1));
        return ExitCode::SUCCESS;
    }
    let are_allowed: Vec<bool> = ROWS.iter().map(print_row).collect();
    ExitCode::from(u8::from(is_given("--check") && are_allowed.contains(&false)))
}

/// Prints the counts of a row, and returns whether all are allowed.
fn print_row(row: &Row) -> bool {
    let by_hand = count(row.by_hand, row);
    println!("instructions of {}: by hand {by_hand:.0}", row.name);
    row.ours.iter().fold(true, |all, &(work, max_ratio)| {
        let ours = count(work, row);
        let ratio = ours / by_hand;
        let is_allowed = ratio <= max_ratio;
        let verdict = if is_allowed { "" } else { ": too many" };
        let name = work.name();
        println!("{name:>40} {ours:.0}, {ratio:.3} of by hand; at most {max_ratio}{verdict}");
        all && is_allowed
    })
}

/// Returns the instructions of a unit: the difference of a shorter and a longer execution, so that what is done
/// once counts in neither.
fn count(work: Work, row: &Row) -> f64 {
    let less = instructions(work, row.repetitions);
    let more = instructions(work, row.repetitions * 3);
    (more - less) / (row.repetitions * 2 * row.units) as f64
}

/// Returns the instructions of a process that repeats the work.
fn instructions(work: Work, repetitions: usize) -> f64 {
    let program = env::current_exe().expect("this program");
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args([work.name(), repetitions.to_string()])
        .output()
        .unwrap_or_else(|error| {
            panic!("valgrind, which counts, can't be started; is it installed? {error}")
        });
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.lines().find_map(|line| line.split_once("I   refs:"));
    let count = count.unwrap_or_else(|| panic!("valgrind counted nothing: {report}")).1;
    count.trim().replace(',', "").parse().expect("a number")
}

fn model() -> Arc<dyn LanguageModel> {
    Arc::new(Slow(Duration::ZERO))
}

fn repeat(times: usize, mut work: impl FnMut()) {
    for _ in 0..times {
        work();
    }
}

/// Executes many runs at once, on one thread.
fn at_once<F: Future<Output: Send + 'static> + Send + 'static>(runs: usize, run: impl Fn() -> F) {
    let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let mut tasks: JoinSet<_> = (0..runs).map(|_| run()).collect();
        while let Some(done) = tasks.join_next().await {
            black_box(done.expect("it runs"));
        }
    });
}
