use std::{error::Error, fs, num::NonZeroUsize};

use cot_core::{
    eval::{Case, Eval, score},
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a ticket is about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Class {
    category: Category,
    is_critical: bool,
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

cot_process! {
    /// Handles one ticket of a support desk.
    process Triage {
        state: { input ticket: String, class: Class },

        task classify -> Class {
            prompt: "Classify this ticket of a shop:\n${quoted(state.ticket)}",
            temperature: 0,
            max_tokens: 100,
            update: class,
            next: done,
        }

        task done { end }
    }
}

// ANCHOR: cases
const TICKETS: &str = r#"name,tags,state.ticket,expected.category,expected.is_critical
charged twice,billing,"I was charged twice for order 4711. Please refund one of the payments.",billing,false
card declined,billing,"Your shop declines my card, though my bank says that it is fine.",billing,false
no receipt,billing,"I need a receipt for order 88 for my tax return.",billing,false
late parcel,delivery,"Order 12 should have been here on Monday. Where is it?",delivery,false
wrong door,delivery,"The parcel was left at the wrong house, and my neighbour has it.",delivery,false
cracked screen,defect,"The tablet came with a cracked screen.",defect,false
smoke,defect critical,"The charger smells burnt and there was smoke. Is it dangerous?",defect,true
does not start,defect,"The coffee machine does not start, whatever I press.",defect,false
opening hours,other,"Is your shop in Lyon open on Sunday?",other,false
praise,other,"I just want to say thank you to the lady on the phone.",other,false
"#;
// ANCHOR_END: cases

// ANCHOR: main
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let cases = Case::<TriageState, Class>::from_csv(TICKETS)?;
    let report = Eval::new("tickets", cases)
        .variant("triage", Triage::runner().model(model()?))
        .score("category", |trial| {
            let found = trial.state().class.as_ref().map(|class| class.category);
            score::equal(&found, &Some(trial.expected().category))
        })
        .metric("critical", |trial| {
            let found = trial.state().class.as_ref().map(|class| class.is_critical);
            score::equal(&found, &Some(trial.expected().is_critical))
        })
        // The script has its replies in the order of the cases.
        .concurrency(NonZeroUsize::MIN)
        .run()
        .await;
    fs::write("report.json", serde_json::to_string(&report)?)?;
    print!("{report}");
    Ok(())
}
// ANCHOR_END: main

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

/// One ticket goes to the wrong department, and the danger is overlooked.
fn script() -> ScriptedModel {
    let categories = [
        "billing", "billing", "billing", "delivery", "delivery", "defect", "defect", "defect", "delivery", "other",
    ];
    ScriptedModel::new(categories.map(|category| json!({ "category": category, "is_critical": false })))
}
