//! An unset field is an `Option` in the struct already.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Plan {
    title: String,
}

cot_process! {
    process Demo {
        state: { plan: Option<Plan> },
        task plan -> Plan { prompt: "Plan.", update: { plan = Some(output) }, next: done }
        task done { end }
    }
}

fn main() {}
