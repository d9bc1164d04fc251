use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

cot_process! {
    pub process Demo {
        state: {
            plan: Plan,
            notes: Vec<String>,
            pages: std::collections::BTreeMap<String, String>,
        },
        task decide { transitions: { rename, plan } }
        task rename -> Plan {
            update: { plan.title = output.title, notes[] = output.title, pages["a"] = output.title },
            next: plan,
        }
        task plan -> Plan {
            update: { plan = output, notes = vec![], pages = Default::default() },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
