//! A choice of transitions, two of them with inputs of the model.

use std::convert::Infallible;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Question;

/// The transition that the model chose, with its input.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Choice {
    target: String,
    order: Option<String>,
}

/// The order that a step is about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Concerned {
    /// Its number, as the mail has it.
    order: String,
}

cot_process! {
    /// Decides what to do with a mail.
    pub(crate) process Desk {
        state: Question<Choice>,
        goal: "Handle the mails of customers of a shop",

        task decide {
            prompt: "The mail:\n${quoted(state.text)}",
            temperature: 0.2,
            max_tokens: 384,
            transitions: {
                refund: "Pay the money back; the mail has to name the order" with model,
                send_again: "Send the goods again; the mail has to name the order" with model,
                ask_number: "Ask for the number of the order, without which nothing can be done",
                answer: "Answer a general question",
                escalate: "Pass it to a person: somebody was hurt, or threatens with a lawyer",
            },
        }

        task refund -> Choice {
            inputs: Concerned,
            run: chosen_with_order,
            update: { answer = Some(output) },
            next: done,
        }

        task send_again -> Choice {
            inputs: Concerned,
            run: chosen_with_order,
            update: { answer = Some(output) },
            next: done,
        }

        task ask_number -> Choice { run: chosen, update: { answer = Some(output) }, next: done }

        task answer -> Choice { run: chosen, update: { answer = Some(output) }, next: done }

        task escalate -> Choice { run: chosen, update: { answer = Some(output) }, next: done }

        task done { end }
    }
}

async fn chosen(_: &Question<Choice>, cx: &Cx<'_, Desk>) -> Result<Choice, Infallible> {
    Ok(Choice { target: cx.task.name.to_owned(), order: None })
}

async fn chosen_with_order(
    _: &Question<Choice>,
    concerned: &Concerned,
    cx: &Cx<'_, Desk>,
) -> Result<Choice, Infallible> {
    Ok(Choice { target: cx.task.name.to_owned(), order: Some(concerned.order.clone()) })
}
