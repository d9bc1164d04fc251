//! A duration has no unit.

use std::{collections::HashMap, io};

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a ticket is about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Class {
    /// Why, in one sentence.
    #[schemars(length(max = 200))]
    pub reason: String,
    /// 1 can wait, 5 is an emergency.
    #[schemars(range(min = 1, max = 5))]
    pub urgency: u8,
    /// The number of the order, if the ticket has one.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    pub order: Option<String>,
}

/// A mail to the customer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Mail {
    #[schemars(length(min = 1, max = 2000))]
    pub body: String,
    #[serde(default)]
    pub promises: Vec<String>,
}

/// What a person says about a mail.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Release {
    pub approved: bool,
    #[cot(when = !self.approved, required, because = "the writer has to know what is wrong")]
    pub comment: Option<String>,
}

/// The arguments of the tool.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct OrderNumber {
    pub number: String,
}

/// The context: what the program gives to its functions.
pub struct Shop {
    pub orders: HashMap<String, String>,
}

cot_process! {
    /// Answers one ticket of a shop.
    pub process Desk {
        state: {
            input ticket: String,
            class: Class,
            mail: Mail,
            comments: Vec<String> = Vec::new(),
            sent: String,
        },
        context: Shop,
        tools: { order_status: order_status "Returns where an order is" { timeout: 10 } },
        intro: "You answer the mails of a shop. The ticket:\n${quoted(state.ticket)}",
        max_steps: 20,
        budget: { calls: 40 },

        task classify -> Class {
            prompt: "Classify the ticket.",
            found_in: { order: state.ticket },
            update: class,
            next: decide,
        }

        task decide {
            prompt: "What is to be done? The class: ${json(state.class)}",
            transitions: {
                write: "Answer the ticket" if state.comments.len() < 3,
                escalate: "Leave it to a person",
            },
        }

        task write -> Mail {
            prompt: "Write the mail. What a person said: ${json(state.comments)}",
            tools: [order_status],
            check: is_brief,
            temperature: 0.3,
            update: mail,
            next: approve,
            on: { exhausted => escalate },
        }

        task approve -> Release {
            ask: "May this mail be sent?\n${json_pretty(state.mail)}",
            update: { comments[] = comment if let Some(comment) = output.comment },
            next: { send if output.approved, decide },
        }

        task send -> String {
            run: send_mail,
            effect: once,
            update: sent,
            next: done,
            on: { interrupted => escalate },
        }

        task done { end }
        task escalate { fail: "a person has to answer this ticket" }
    }
}

async fn order_status(
    order: &OrderNumber,
    _: &DeskState,
    cx: &Cx<'_, Desk>,
) -> Result<String, String> {
    cx.app().orders.get(&order.number).cloned().ok_or_else(|| format!("no order {}", order.number))
}

fn is_brief(mail: &Mail, _: &DeskState) -> Result<(), Issues> {
    match mail.promises.len() {
        0 | 1 => Ok(()),
        many => Err(Issues::at("$.promises", format!("has {many} items, and one is enough"))),
    }
}

async fn send_mail(state: &DeskState) -> Result<String, io::Error> {
    let mail = state.mail.as_ref().ok_or(io::Error::other("there is no mail"))?;
    Ok(format!("sent {} bytes", mail.body.len()))
}

pub fn main() {
    let _ = Desk::runner(Shop { orders: HashMap::new() });
}
