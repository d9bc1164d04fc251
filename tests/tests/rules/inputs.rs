//! Rules of inputs that a model supplies, and of the outputs for each item.

use cot_core::{CotOutput, Issues, cot_process};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{answered, texts};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Chapter {
    #[cot(check = even, because = "we print on both sides")]
    pages: u32,
}

fn even(number: &u32) -> Result<(), Issues> {
    if number.is_multiple_of(2) { Ok(()) } else { Err(Issues::at("$", "must be even")) }
}

cot_process! {
    process Writer {
        state: Vec<u32>,
        max_retries: 0,
        task decide { transitions: { write with model } }
        task write { inputs: Chapter, prompt: "${inputs.pages}", transitions: { done } }
        task done { end }
    }
}

cot_process! {
    process EachOne {
        state: Vec<u32>,
        max_retries: 0,
        task each -> Chapter { for_each: item in state.iter(), prompt: "${item}", next: done }
        task done { end }
    }
}

#[test]
fn inputs_that_a_model_supplies_are_checked() {
    let choice = |pages: u32| json!({ "intent": "", "goTo": "write", "stepAfter": "", "inputs": { "pages": pages } });
    let WriterOutcome::Halted(halt) = answered::<Writer>(Vec::new(), choice(3)) else {
        panic!("accepted")
    };
    assert_eq!(
        texts(&halt.attempts[0].issues),
        ["$.inputs.pages: must be even, because we print on both sides"]
    );
}

#[test]
fn the_output_for_an_item_is_checked() {
    let EachOneOutcome::Halted(halt) = answered::<EachOne>(vec![1], json!({ "pages": 3 })) else {
        panic!("accepted")
    };
    assert_eq!(
        texts(&halt.attempts[0].issues),
        ["$.pages: must be even, because we print on both sides"]
    );
}
