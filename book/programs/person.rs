use std::{
    collections::HashMap,
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use cot_core::{
    Question,
    model::{ModelReply, OpenAiCompatible, ScriptedModel, ToolCall},
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

/// How soon support has to act.
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

/// A mail to the customer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Mail {
    #[schemars(length(min = 1, max = 80))]
    subject: String,
    /// The text, without a signature.
    #[schemars(length(min = 1, max = 2000))]
    body: String,
}

/// What a person says of a mail.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Release {
    /// Whether it may be sent.
    approved: bool,
    /// What has to be different.
    comment: Option<String>,
}
// ANCHOR_END: types

// ANCHOR: process
cot_process! {
    /// Handles one ticket of a support desk.
    process Triage {
        state: { input ticket: String, class: Class, mail: Mail, release: Release },
        context: Shop,
        tools: {
            order_status: order_status "Returns where an order is, and what of it is left in stock" {
                timeout: 10s,
            },
        },
        goal: "Help the customer with as few mails as possible",
        intro: "You work in the support of a shop. The ticket:\n${quoted(state.ticket)}",
        max_steps: 20,

        task classify -> Class {
            prompt: "Classify the ticket.",
            found_in: { order: state.ticket },
            check: is_no_false_alarm,
            update: class,
            next: decide,
        }

        task decide {
            prompt: "What is to be done? The class of the ticket: ${json(state.class)}",
            transitions: {
                ask: "Ask the customer for something that is missing",
                answer: "Answer the ticket",
                escalate: "Leave it to a person" if state.class.urgency == Urgency::Critical,
            },
        }

        task ask -> Mail {
            prompt: "Ask the customer for what is missing.",
            update: mail,
            next: sent,
        }

        task answer -> Mail {
            prompt: "Write the answer. Look up the order before you promise anything.",
            tools: [order_status],
            max_tool_calls: 4,
            update: mail,
            next: approve,
        }

        task approve -> Release {
            ask: "May this mail be sent?
${json_pretty(state.mail)}",
            check: has_reason,
            update: release,
            next: { sent if output.approved, revise },
        }

        task revise -> Mail {
            prompt: "A person has read the mail:
${json_pretty(state.mail)}
\
                     Rewrite it. The comment: ${quoted(state.release.comment.as_deref().unwrap_or_default())}",
            update: mail,
            next: approve,
        }

        task sent { end }
        task escalate { fail: "a person has to look at the ticket" }
    }
}
// ANCHOR_END: process

// ANCHOR: tool
/// What the program gives to the functions of the process. A real shop has a pool of connections here.
struct Shop {
    orders: HashMap<&'static str, &'static str>,
}

/// The order to look up.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct OrderNumber {
    /// Four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    number: String,
}

async fn order_status(
    order: &OrderNumber,
    _: &TriageState,
    cx: &Cx<'_, Triage>,
) -> Result<String, String> {
    let status = cx.app().orders.get(&*order.number);
    status.map(|status| (*status).to_owned()).ok_or_else(|| format!("no order {}", order.number))
}
// ANCHOR_END: tool

// ANCHOR: person
fn has_reason(release: &Release, _: &TriageState) -> Result<(), Issues> {
    match release.approved || release.comment.is_some() {
        true => Ok(()),
        false => Err(Issues::at("$.comment", "has to say what is wrong with the mail")),
    }
}
// ANCHOR_END: person

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
    let shop =
        Shop { orders: HashMap::from([("4711", "delivered on Monday; 3 screens in stock")]) };
    let runner =
        Triage::runner(shop).model(model()?).person(answer).observe(|event, _| println!("{event}"));
    let run = runner.run(TriageState::new(TICKET.to_owned())).await?;
    println!("{:?}\n{}", run.outcome, serde_json::to_string_pretty(&run.state.mail)?);
    Ok(())
}
// ANCHOR_END: main

// ANCHOR: answer
/// Answers for a person, who would be asked on a terminal or in a browser: the first mail is rejected, without a reason at
/// first, and the next one approved.
async fn answer(question: Arc<Question>) -> Release {
    static REJECTED: AtomicBool = AtomicBool::new(false);
    println!("{}", question.text);
    if question.issues.is_some() {
        REJECTED.store(true, Relaxed);
        return Release { approved: false, comment: Some("Say when it arrives.".to_owned()) };
    }
    Release { approved: REJECTED.load(Relaxed), comment: None }
}
// ANCHOR_END: answer

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
    let class = json!({
        "reason": "The screen is cracked.", "category": "defect", "urgency": "normal", "order": "4711",
    });
    let mail = |body: &str| json!({ "subject": "Your order 4711", "body": body });
    let choice = |to: &str, intent: &str, then: &str| json!({ "goTo": to, "intent": intent, "stepAfter": then });
    ScriptedModel::new([
        ModelReply::from(class),
        choice("answer", "the ticket says all", "send the mail").into(),
        ModelReply::calling([ToolCall::new("order_status", json!({ "number": "471" }))]),
        ModelReply::calling([ToolCall::new("order_status", json!({ "number": "4711" }))]),
        mail("We are sorry. We send a new screen today.").into(),
        mail("We are sorry. A new screen arrives on Friday.").into(),
    ])
}
// ANCHOR_END: script
