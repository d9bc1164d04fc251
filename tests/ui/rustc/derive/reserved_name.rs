use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase")]
struct Step {
    go_to: String,
    intent: String,
    #[serde(rename = "stepAfter")]
    next: String,
    #[serde(rename(serialize = "after", deserialize = "stepAfter"))]
    later: String,
    #[serde(alias = "goTo")]
    target: String,
    #[schemars(rename = "goTo")]
    shown: String,
    #[serde(rename = "reason")]
    step_after: String,
    #[serde(skip)]
    go_to_internally: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "intent", content = "goTo")]
enum Tagged {
    Intent(String),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Choice {
    GoTo(String),
    Intent,
    Other { step_after: String },
}

fn main() {}
