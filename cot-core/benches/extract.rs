//! How many megabytes of reply a second are taken apart into steps and conclusion, for replies of
//! several forms, small and large.
//!
//! `cargo bench -p cot-core --bench extract`
#![expect(clippy::print_stdout, reason = "a benchmark measures and prints")]

use std::{env, hint::black_box, time::Instant};

use cot_core::reasoning::extract_steps_and_conclusion;

/// How long the texts are, in bytes.
const SIZES: [usize; 3] = [1_000, 100_000, 10_000_000];
/// How many bytes are read for one figure.
const BYTES: usize = 100_000_000;
/// How many times each is measured.
const ROUNDS: usize = 7;

fn main() {
    // A test run only shows whether it works.
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

/// A name, what the text repeats, and what it ends with.
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

/// Megabytes a second.
fn rate(text: &str, times: usize) -> f64 {
    let began = Instant::now();
    for _ in 0..times {
        black_box(extract_steps_and_conclusion(black_box(text)));
    }
    (text.len() * times) as f64 / 1e6 / began.elapsed().as_secs_f64()
}
