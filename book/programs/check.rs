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
    /// The number of the order, if the ticket has one.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    order: Option<String>,
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
            found_in: { order: state.ticket },
            check: is_no_false_alarm,
            max_retries: 3,
            update: class,
            on: { exhausted => unclear },
            next: done,
        }

        task unclear { fail: "the ticket could not be classified" }
        task done { end }
    }
}
// ANCHOR_END: process

// ANCHOR: check
/// A bill can always wait for a day.
fn is_no_false_alarm(class: &Class, _: &TriageState) -> Result<(), Issues> {
    if class.category == Category::Billing && class.urgency == Urgency::Critical {
        return Err(Issues::at("$.urgency", "is never critical for billing"));
    }
    Ok(())
}
// ANCHOR_END: check

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
    let class = |category: &str, urgency: &str, order: &str| {
        json!({
            "reason": "The screen is cracked.", "category": category, "urgency": urgency, "order": order,
        })
    };
    ScriptedModel::new([
        class("billing", "critical", "4711"),
        class("defect", "normal", "4712"),
        class("defect", "normal", "4711"),
    ])
}
// ANCHOR_END: script
