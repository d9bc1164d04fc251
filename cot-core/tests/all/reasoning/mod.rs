//! Reasoning as a machine, as a process, and by the reasoner.
//!
//! The conformance cases of the machine are in the file `reasoning.json` of the folder `COT_CONFORMANCE`:
//!
//! `COT_CONFORMANCE=… cargo test -p cot-core --test all reasoning -- --ignored`
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod kit;
mod machine;
mod process;
mod reasoner;

use std::{env, fs, path::Path};

use cot_core::reasoning::Reasoning;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Cases {
    extraction: Vec<Extraction>,
    machine: Vec<machine::Sequence>,
}

#[derive(Deserialize)]
struct Extraction {
    id: String,
    text: Option<String>,
    steps: Vec<Step>,
    conclusion: Option<String>,
    /// Alternative results that are accepted too.
    alt: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Expected {
    steps: Vec<Step>,
    conclusion: Option<String>,
}

#[derive(Deserialize)]
struct Step {
    /// Unparsed, since the number can have any size.
    number: Box<RawValue>,
    content: String,
}

impl Expected {
    fn is(&self, found: &Reasoning) -> bool {
        let steps = self.steps.iter().map(|step| (step.number.get().to_owned(), &step.content));
        let found_steps = found.steps.iter().map(|step| (step.number.to_string(), &step.content));
        steps.eq(found_steps) && self.conclusion == found.conclusion
    }
}

impl Extraction {
    /// The accepted results.
    fn accepted(self) -> Vec<Expected> {
        let alt = self.alt.as_deref().map_or("null", RawValue::get);
        let one = serde_json::from_str(alt).map(|one| vec![one]);
        let mut accepted = one.or_else(|_| serde_json::from_str(alt)).unwrap_or_default();
        accepted.push(Expected { steps: self.steps, conclusion: self.conclusion });
        accepted
    }
}

fn cases() -> Cases {
    let folder = env::var_os("COT_CONFORMANCE").unwrap();
    let text = fs::read_to_string(Path::new(&folder).join("reasoning.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
#[ignore = "needs `COT_CONFORMANCE`, a folder with `reasoning.json`"]
fn texts_are_taken_apart_as_expected() {
    let mut wrong = Vec::new();
    for case in cases().extraction {
        let found = Reasoning::parse(case.text.as_deref().unwrap_or_default());
        let id = case.id.clone();
        if !case.accepted().iter().any(|expected| expected.is(&found)) {
            wrong.push(format!("{id}: {}", found.to_json()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs `COT_CONFORMANCE`, a folder with `reasoning.json`"]
fn machines_go_as_expected() {
    let sequences = cases().machine;
    assert!(!sequences.is_empty());
    let wrong: Vec<String> = sequences.iter().filter_map(machine::Sequence::mistake).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
