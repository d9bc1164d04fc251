//! Answers a support ticket: classifies it, asks for missing information, drafts a reply, and reviews the
//! draft until it can be sent.
//!
//! `cargo run -p cot-examples --example triage` uses a scripted model, unless the environment names a real one. An argument is
//! another ticket. `triage/tests.rs` shows tests of this process.

use std::{env, error::Error};

use cot_core::{
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
    progress::Progress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a ticket is about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Classification {
    /// Why the ticket is what you say it is, in one sentence.
    #[schemars(length(max = 300))]
    pub reason: String,
    /// Whom it concerns.
    pub category: Category,
    /// How soon somebody has to act.
    pub urgency: Urgency,
    /// What support must know before it can answer, and the ticket does not say.
    #[schemars(length(max = 5))]
    pub missing: Vec<String>,
}

/// The department that a ticket belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Invoices and payments.
    Billing,
    /// Parcels that are late or lost.
    Delivery,
    /// Something is broken.
    Defect,
    /// Anything else.
    Other,
}

/// How soon somebody has to act.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    /// It can wait.
    Low,
    /// Within a day.
    Normal,
    /// Somebody is in danger, or about to lose much.
    Critical,
}

/// A mail to the customer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Mail {
    /// One line.
    #[schemars(length(min = 1, max = 80))]
    pub subject: String,
    /// The text, without a signature.
    #[schemars(length(min = 1, max = 2000))]
    pub body: String,
}

/// The shared state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Desk {
    /// The message of the customer.
    pub ticket: String,
    /// The classification of the ticket.
    pub classification: Option<Classification>,
    /// The current draft of the mail to the customer.
    pub mail: Option<Mail>,
    /// How often the draft was revised.
    pub revisions: u32,
}

impl Desk {
    fn urgency(&self) -> Option<Urgency> {
        self.classification.as_ref().map(|classification| classification.urgency)
    }
}

cot_process! {
    /// Handles one support ticket.
    pub process Triage {
        state: Desk,
        goal: "Help the customer with as few mails as possible",
        intro: "You work in the support of a shop. The ticket:\n${quoted(state.ticket)}",
        prompts: {
            tone: "Be short, friendly and concrete. Promise nothing that support can't keep.",
        },
        max_retries: 2,
        max_steps: 20,
        timeout: 10m,

        task classify -> Classification {
            title: "Classify the ticket",
            prompt: "Say what the ticket is about, how urgent it is, and what is missing.",
            update: { classification = Some(output) },
            next: { ask if !output.missing.is_empty(), route },
        }

        task route {
            title: "Critical tickets go to people",
            next: { escalate if state.urgency() == Some(Urgency::Critical), draft },
        }

        task ask -> Mail {
            title: "Ask for what is missing",
            prompt: "Write a mail that asks for what is missing:\n${json(state.classification)}\n${part(tone)}",
            update: { mail = Some(output) },
            next: asked,
        }

        task draft -> Mail {
            title: "Draft an answer",
            prompt: "Write the answer.\n${part(tone)}",
            temperature: 0.7,
            update: { mail = Some(output) },
            next: review,
        }

        task review {
            title: "Review the draft",
            prompt: "The draft after ${state.revisions} revisions:\n${json_pretty(state.mail)}",
            transitions: {
                revise: "Improve the draft" if state.revisions < 3,
                send: "The draft is right",
                escalate: "A person must answer this",
            },
        }

        task revise -> Mail {
            title: "Improve the draft",
            prompt: "Rewrite the draft, keeping what is good in it:\n${json_pretty(state.mail)}\n${part(tone)}",
            update: { mail = Some(output), revisions = state.revisions + 1 },
        }

        task asked { end }
        task send { end }
        task escalate { fail: "a person must look at this ticket (${state.revisions} revisions)" }
    }
}

/// The default ticket.
const TICKET: &str = "Hello, order 4711 came with a cracked screen. I would like a new one. Ada";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let ticket = env::args().nth(1).unwrap_or_else(|| TICKET.to_owned());
    let runner = Progress::stderr().attach(Triage::runner().model(model()?));
    let run = runner.report(Desk { ticket, ..Desk::default() }).await?;
    // The state is shown however the run has ended.
    println!("{}", serde_json::to_string_pretty(&run.state)?);
    match run.into_result()?.outcome {
        TriageOutcome::Send => println!("the answer can be sent"),
        TriageOutcome::Asked => println!("the customer is asked for more"),
        other => println!("{other:?}"),
    }
    Ok(())
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

/// The first reply has an unknown urgency.
fn script() -> ScriptedModel {
    let mail = |subject: &str, body: &str| json!({ "subject": subject, "body": body });
    let classified = |urgency: &str| {
        json!({
            "reason": "the screen arrived cracked", "category": "defect",
            "urgency": urgency, "missing": [],
        })
    };
    ScriptedModel::new([
        classified("quite urgent"),
        classified("normal"),
        mail("Your order", "We are sorry. A new one is on its way."),
        json!({ "intent": "name the order", "goTo": "revise", "stepAfter": "send it" }),
        mail("A new screen for order 4711", "Dear Ada, we are sorry. A new one is on its way."),
        json!({ "intent": "send the answer", "goTo": "send", "stepAfter": "nothing" }),
    ])
}
