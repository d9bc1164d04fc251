use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Order {
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct OrderOutput {
    pub name: String,
}

cot_process! {
    pub process Order {
        state: Order,
        task add -> Field { update: fields[], next: review }
        task review -> OrderOutput { process_output: apply, next: done }
        task done { end }
    }
}

fn apply(_: &OrderOutput, _: &mut Order) {}

cot_process! {
    pub process Review {
        state: { input first: Option<ReviewOutcome> },
        task add -> Field { prompt: "${json(state)}", next: done }
        task done { end }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewOutcome(String);

fn main() {
    let _ = Order::runner();
}
