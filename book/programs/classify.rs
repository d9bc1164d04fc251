use std::error::Error;

use cot_core::{
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

// ANCHOR: types
/// What a ticket is about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Class {
    /// Why, in one sentence.
    #[schemars(length(max = 200))]
    reason: String,
    category: Category,
    urgency: Urgency,
}

/// The department that answers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    /// Invoices and payments.
    Billing,
    /// Parcels that are late or lost.
    Delivery,
    /// Something is broken.
    Defect,
    /// Anything else.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Urgency {
    /// It can wait.
    Low,
    /// Within a day.
    Normal,
    /// Somebody is in danger, or about to lose much.
    Critical,
}
// ANCHOR_END: types

// ANCHOR: process
cot_process! {
    /// Handles one ticket of a support desk.
    process Triage {
        state: { input ticket: String, class: Class },

        task classify -> Class {
            prompt: "Classify this ticket of a shop:\n${quoted(state.ticket)}",
            update: class,
            next: done,
        }

        task done { end }
    }
}
// ANCHOR_END: process

// ANCHOR: main
const TICKET: &str = "Hello, order 4711 came with a cracked screen. I would like a new one. Ada";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let runner = Triage::runner().model(model()?).observe(|event, _| println!("{event}"));
    let run = runner.run(TriageState::new(TICKET.to_owned())).await?;
    println!("{:#?}", run.state.class);
    Ok(())
}
// ANCHOR_END: main

// ANCHOR: model
/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}
// ANCHOR_END: model

// ANCHOR: script
fn script() -> ScriptedModel {
    ScriptedModel::new([
        json!({ "reason": "The screen is cracked.", "category": "defect", "urgency": "soon" }),
        json!({ "reason": "The screen is cracked.", "category": "defect", "urgency": "normal" }),
    ])
}
// ANCHOR_END: script
