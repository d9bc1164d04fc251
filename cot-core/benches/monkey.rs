//! Measures the steps per second of the monkey on one core, with a process like the example `triage`. The
//! target is 20,000.
//!
//! `cargo bench -p cot-core --bench monkey`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{env, time::Instant};

use cot_core::{prelude::*, testing::Monkey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Steps per second.
const WANTED: f64 = 20_000.0;
const RUNS: u64 = 10_000;
/// The number of measurements, each with another seed.
const ROUNDS: u64 = 5;

fn main() {
    if env::args().any(|argument| argument == "--bench") {
        compare();
    } else {
        // A test run checks only that the benchmark works.
        measure(0, 100);
    }
}

fn compare() {
    let mut rates: Vec<_> = (0..ROUNDS).map(|seed| measure(seed, RUNS)).collect();
    rates.sort_by(f64::total_cmp);
    let median = rates[rates.len() / 2];
    let verdict = if median >= WANTED { "PASS" } else { "FAIL" };
    println!("median {median:.0} steps a second; at least {WANTED:.0} are wanted: {verdict}");
}

fn measure(seed: u64, runs: u64) -> f64 {
    let monkey = Monkey::<Triage>::new(Desk::default)
        .seed(seed)
        .runs(runs)
        .invariant("revisions stay below 4", |desk| desk.revisions < 4)
        .end_invariant("what is sent is there", |outcome, desk| {
            *outcome != TriageOutcome::Send || desk.mail.is_some()
        });
    let began = Instant::now();
    let report = monkey.run().expect("it holds");
    let seconds = began.elapsed().as_secs_f64();
    let (steps, answers) = (report.steps() as f64, report.answers() as f64);
    println!(
        "seed {seed}: {runs} runs in {seconds:.2} s: {:.0} steps, {:.0} answers a second",
        steps / seconds,
        answers / seconds
    );
    steps / seconds
}

/// The classification of a ticket.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Classification {
    #[schemars(length(max = 300))]
    reason: String,
    category: Category,
    urgency: Urgency,
    #[schemars(length(max = 5))]
    missing: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    Billing,
    Delivery,
    Defect,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Urgency {
    Low,
    Normal,
    Critical,
}

/// A mail to the customer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Mail {
    #[schemars(length(min = 1, max = 80))]
    subject: String,
    #[schemars(length(min = 1, max = 2000))]
    body: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Desk {
    ticket: String,
    classification: Option<Classification>,
    mail: Option<Mail>,
    revisions: u32,
}

impl Desk {
    fn urgency(&self) -> Option<Urgency> {
        self.classification.as_ref().map(|classification| classification.urgency)
    }
}

cot_process! {
    /// The process of the example `triage`.
    process Triage {
        state: Desk,
        goal: "Help the customer with as few mails as possible",
        intro: "You work in the support of a shop. The ticket:\n${quoted(state.ticket)}",
        prompts: { tone: "Be short, friendly and concrete. Promise nothing." },
        max_retries: 2,
        max_steps: 20,
        timeout: 10m,

        task classify -> Classification {
            prompt: "Say what the ticket is about, how urgent it is, and what is missing.",
            update: { classification = Some(output) },
            next: { ask if !output.missing.is_empty(), route },
        }

        task route { next: { escalate if state.urgency() == Some(Urgency::Critical), draft } }

        task ask -> Mail {
            prompt: "Write a mail that asks for it:\n${json(state.classification)}\n${part(tone)}",
            update: { mail = Some(output) },
            next: asked,
        }

        task draft -> Mail {
            prompt: "Write the answer.\n${part(tone)}",
            update: { mail = Some(output) },
            next: review,
        }

        task review {
            prompt: "The draft after ${state.revisions} revisions:\n${json_pretty(state.mail)}",
            transitions: {
                revise: "Improve the draft" if state.revisions < 3,
                send: "The draft is right",
                escalate: "A person must answer this",
            },
        }

        task revise -> Mail {
            prompt: "Rewrite the draft:\n${json_pretty(state.mail)}\n${part(tone)}",
            update: { mail = Some(output), revisions = state.revisions + 1 },
        }

        task asked { end }
        task send { end }
        task escalate { fail: "a person must look at it (${state.revisions} revisions)" }
    }
}
