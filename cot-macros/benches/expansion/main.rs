//! Measures the time that `cot_process!` takes to expand processes of several shapes and sizes.
//!
//! The stages of the macro run in this program, outside the compiler. The output is a table of the growth: if it is
//! linear, the time per task and route is constant.
#![allow(
    unused,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "tests and what the derive alone uses of the stages are not part of this"
)]

extern crate proc_macro;

#[path = "../../src/check/mod.rs"]
mod check;
#[path = "../../src/expand/mod.rs"]
mod expand;
#[path = "../../src/model/mod.rs"]
mod model;
mod shapes;

use std::time::{Duration, Instant};

use cot_syntax::diagnostics::Errors;
use proc_macro2::TokenStream;
use shapes::Shape;

const SIZES: [usize; 5] = [10, 20, 40, 80, 160];

/// Prints the shortest time of each stage.
fn main() {
    println!(
        "{:12}{:>9}{:>9}{:>9}{:>9}{:>9}   each",
        "ms", "syntax", "model", "check", "expand", "all"
    );
    for shape in Shape::ALL {
        for tasks in SIZES {
            let tokens = parsed(shape, tasks);
            let runs: Vec<_> = (0..5).map(|_| staged(tokens.clone()).1).collect();
            let least = |stage: usize| runs.iter().map(|times| times[stage]).min();
            let stages = [0, 1, 2, 3].map(|stage| least(stage).unwrap_or_default());
            let all: Duration = stages.iter().sum();
            let each = all.as_secs_f64() * 1e6 / (tasks + shape.edges(tasks)) as f64;
            print!("{:<6}{tasks:>6}", shape.name());
            stages
                .iter()
                .chain([&all])
                .for_each(|time| print!("{:>9.2}", time.as_secs_f64() * 1e3));
            println!("   {each:.1} µs for each task and way");
        }
    }
}

fn parsed(shape: Shape, tasks: usize) -> TokenStream {
    shape.source(tasks).parse().expect("the source of a shape is tokens")
}

/// Runs all stages and returns the time of each.
fn staged(tokens: TokenStream) -> (TokenStream, [Duration; 4]) {
    let errors = Errors::new();
    let began = Instant::now();
    let syntax = cot_syntax::parse(tokens, &errors).expect("the process can be read");
    let read = began.elapsed();
    let model = model::build(&syntax, &errors);
    let built = began.elapsed();
    let checked = check::check(model, &errors);
    let ended = began.elapsed();
    let tokens = expand::expand(&checked);
    let all = began.elapsed();
    assert!(errors.is_empty(), "the process is right: {}", errors.into_tokens());
    (tokens, [read, built - read, ended - built, all - ended])
}
