//! Trust: values from outside on every way that is right, and private values.
#![deny(warnings, missing_docs)]

use cot_core::{Issues, Private, Untrusted, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Account {
    Rent,
    Power,
}
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Payment {
    payee: String,
    amount: u32,
}
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Transfer {
    from: Account,
    to: Option<Account>,
    is_urgent: bool,
    subject: String,
}
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Question {
    text: Untrusted<String>,
    of: Private<String>,
}

cot_process! {
    process Inbox {
        state: {
            untrusted input mail: String,
            input untrusted mails: Vec<String>,
            input known: String,
            payments: Vec<Payment> = vec![],
            payee: String = String::new(),
            amount: u32 = 0,
            approved: Option<Payment> = None,
            summary: String = String::new(),
        },
        trust: strict,
        history: { untrusted: omit },
        prompts: { mail: "The mail:\n${quoted(state.mail)}" },
        tools: {
            look: look "Looks somebody up" { effect: none, untrusted },
            pay: pay "Pays" { approve: person },
            transfer: transfer "Moves money between accounts" { content: [subject] },
            repeat: pay "Pays again" { found_in: { payee: state.known, amount: state.known } },
        },

        task read -> Payment {
            prompt: "Which payment does it ask for?\n${part(mail)}\n${quoted(list(&state.mails))}",
            tools: [look, pay, transfer, repeat],
            check: is_right,
            clears: untrusted,
            update: { approved = Some(output) },
            next: book,
        }

        task book { run: book, next: find }

        task find -> Payment {
            prompt: "Whom does it name?\n${part(mail)}",
            found_in: { payee: state.known },
            update: { payee = output.payee, amount = output.amount },
            next: note,
        }

        task note { run: note, content: [amount], next: each }

        task each -> Payment {
            for_each: mail in state.mails,
            prompt: "Which payment does it ask for?\n${quoted(mail)}",
            update: payments,
            next: show,
        }

        task show -> Payment {
            ask: "Which one? ${json(&state.payments)} ${state.mail}",
            update: { approved = Some(output), payments = vec![] },
            next: pay,
        }

        task pay { run: book, content: [amount], next: tell }

        task tell -> Payment {
            prompt: "${state.amount} for ${state.payee}:\n${part(mail)}",
            update: { summary = output.payee },
            next: publish,
        }

        task publish { run: book, content: [summary, amount], next: choose }

        task choose {
            prompt: "Is there more?\n${part(mail)}",
            transitions: { log, done },
        }

        task log { run: book, trusts: "it writes a line to a log", next: done }
        task done { end }
    }
}

cot_process! {
    process Clinic {
        state: { private input name: String, input age: u32, is_urgent: bool = false },
        model: ["local", LOCAL],
        private: ["local", LOCAL],
        history: none,

        task read -> Payment {
            prompt: "${state.name}, ${state.age}",
            update: { is_urgent = output.amount > 3 },
            next: done,
        }

        task done { end }
    }
}

/// A state whose fields are types.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Desk {
    mail: Untrusted<String>,
    name: Private<String>,
    questions: Vec<Question>,
}

cot_process! {
    process Answering {
        state: Desk,

        task read -> Question {
            prompt: "${quoted(&state.mail)}${quoted(state.mail)} ${state.name.reveal()}",
            update: questions[],
            next: done,
        }

        task done { end }
    }
}

const LOCAL: &str = "small";

fn is_right(output: &Payment, _: &InboxState) -> Result<(), Issues> {
    if output.amount > 5 { Err(Issues::at("/amount", "too much")) } else { Ok(()) }
}
async fn look(_: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}
async fn pay(_: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}
async fn transfer(_: &Transfer) -> Result<u32, std::io::Error> {
    Ok(1)
}
async fn book(_: &InboxState) -> Result<(), std::io::Error> {
    Ok(())
}
async fn note(_: &InboxState) -> Result<(), std::io::Error> {
    Ok(())
}

/// Builds the runners.
pub fn main() {
    let _ = (Inbox::runner(), Clinic::runner(), Answering::runner());
}
