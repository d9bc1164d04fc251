//! The mistakes that the README shows.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Field {
    name: String,
}

cot_process! {
    process DsBuilder {
        state: { fields: Vec<Field> = Vec::new() },
        goal: "Search orders by a range of dates",
        default_return: decide,
        task decide { transitions: { add_feild, done } }
        task add_field -> Field { prompt: "Define one field for ${gaol}.", update: feilds[] }
        task done { end }
    }
}

fn main() {}
