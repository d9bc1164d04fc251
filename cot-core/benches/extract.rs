//! Measures the megabytes of reply per second that are parsed into steps and conclusion, for small and large
//! replies of several forms.
//!
//! `cargo bench -p cot-core --bench extract`
#![expect(clippy::print_stdout, reason = "a benchmark measures and prints")]

use std::{env, hint::black_box, time::Instant};

use cot_core::reasoning::extract_steps_and_conclusion;

/// The lengths of the texts in bytes.
const SIZES: [usize; 3] = [1_000, 100_000, 10_000_000];
/// The bytes to read for one result.
const BYTES: usize = 100_000_000;
/// The number of measurements.
const ROUNDS: usize = 7;

fn main() {
    // A test run checks only that the benchmark works.
    let is_bench = env::args().any(|argument| argument == "--bench");
    println!("{:<12}{:>14}{:>14}{:>14}   MB/s, median", "reply", "1 kB", "100 kB", "10 MB");
    for (name, line, end) in forms() {
        print!("{name:<12}");
        for size in SIZES {
            let text = line.repeat(size / line.len()) + end;
            let times = if is_bench { BYTES / text.len() } else { 1 };
            let mut rates: Vec<f64> = (0..ROUNDS).map(|_| rate(&text, times)).collect();
            rates.sort_unstable_by(f64::total_cmp);
            print!("{:>14.0}", rates[ROUNDS / 2]);
        }
        println!();
    }
}

/// A name, the repeated text, and its end.
fn forms() -> [(&'static str, &'static str, &'static str); 7] {
    [
        ("numbered", "Step 12: multiply the two numbers, and keep the result.\n", "Answer: 42"),
        ("bullets", "- multiply the two numbers, and keep the result\n", "Answer: 42"),
        ("hashes", "3. multiply the two numbers\n   and keep the result\n", "#### 42"),
        (
            "prose",
            "It may be so, or not. Multiply the two numbers, and keep the result. ",
            "\nSo: 42",
        ),
        ("japanese", "1. 二つの数を掛けて、結果を覚えておく。\n", "Answer: 42"),
        ("crlf", "Step 1: multiply\r\nand keep the result\r\n", "Answer: 42"),
        ("hostile", "step \n\n  12\n\n-x\nSo_ \n2.\n", "####\n"),
    ]
}

/// Returns megabytes per second.
fn rate(text: &str, times: usize) -> f64 {
    let began = Instant::now();
    for _ in 0..times {
        black_box(extract_steps_and_conclusion(black_box(text)));
    }
    (text.len() * times) as f64 / 1e6 / began.elapsed().as_secs_f64()
}
