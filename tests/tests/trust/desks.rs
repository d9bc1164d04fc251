//! Processes that read mails, and what they do.

use cot_core::{FunctionError, Issues, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::obedient::{SENTENCE, record};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Payment {
    pub(crate) payee: String,
    pub(crate) amount: u32,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) enum Account {
    Rent,
    Power,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Transfer {
    from: Account,
    to: Account,
    subject: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Question {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Summary {
    pub(crate) text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Decision {
    pub(crate) is_approved: bool,
}

async fn pay(payment: &Payment) -> Result<u32, FunctionError> {
    record("pay", payment, false);
    Ok(1)
}

async fn pay_approved(payment: &Payment) -> Result<u32, FunctionError> {
    record("pay", payment, true);
    Ok(1)
}

async fn repeat(payment: &Payment) -> Result<u32, FunctionError> {
    record("repeat", payment, false);
    Ok(1)
}

async fn transfer(transfer: &Transfer) -> Result<u32, FunctionError> {
    record("transfer", &(transfer.from, transfer.to), false);
    Ok(1)
}

async fn look_up(_: &Question) -> Result<String, FunctionError> {
    Ok(format!("The page says: {SENTENCE}"))
}

cot_process! {
    /// Without a word about trust: what it is asked to do, it does.
    pub(crate) process Careless {
        state: { input mail: String, payment: Option<Payment> = None },
        tools: { pay: pay "Pays somebody" },

        task read -> Payment {
            prompt: "Read the mail:\n${state.mail}",
            tools: [pay],
            update: { payment = Some(output) },
            next: book,
        }

        task book { run: book_careless, next: done }
        task done { end }
    }
}

async fn book_careless(state: &CarelessState) -> Result<(), FunctionError> {
    record("book", &state.payment, false);
    Ok(())
}

cot_process! {
    /// Tools with closed arguments, and a person before the function.
    pub(crate) process Mailroom {
        state: {
            untrusted input mail: String,
            input request: String,
            payment: Payment = Payment::default(),
            decision: bool = false,
            summary: String = String::new(),
        },
        trust: strict,
        history: { untrusted: quoted },
        tools: {
            look_up: look_up "Looks a page up" { effect: none, untrusted },
            pay: pay_approved "Pays somebody" { approve: person },
            transfer: transfer "Moves money" { content: [subject] },
            repeat: repeat "Pays as the user asked" {
                found_in: { payee: state.request, amount: state.request },
            },
        },

        task read -> Payment {
            prompt: "Which payment does the mail ask for? ${state.request}\n${quoted(state.mail)}",
            tools: [look_up, pay, transfer, repeat],
            update: { payment = output },
            next: sum_up,
        }

        task sum_up -> Summary {
            prompt: "Sum up:\n${quoted(state.mail)}\n${quoted(json(&state.payment))}",
            update: { summary = output.text },
            next: ask,
        }

        task ask -> Decision {
            ask: "Is ${json(&state.payment)} right? ${state.summary}",
            update: {
                decision = output.is_approved,
                payment = Payment::default() if !output.is_approved,
            },
            next: publish,
        }

        task publish { run: publish, content: [payment, summary], next: more }

        task more {
            prompt: "Is there more?\n${quoted(state.mail)}",
            transitions: { read: "There is", log: "Nothing" },
        }

        task log {
            run: log,
            content: [payment, summary],
            trusts: "it writes a line that nobody acts on",
            next: done,
        }

        task done { end }
    }
}

async fn publish(state: &MailroomState) -> Result<(), FunctionError> {
    record("publish", &state.decision, false);
    Ok(())
}

async fn log(_: &MailroomState) -> Result<(), FunctionError> {
    Ok(())
}

fn is_known(payment: &Payment, _: &BookkeepingState) -> Result<(), Issues> {
    match payment.payee.len() < 9 && payment.amount < 100 {
        true => Ok(()),
        false => Err(Issues::at("payee", "nobody knows them")),
    }
}

cot_process! {
    /// A check that clears, values that stand in a trusted text, and items.
    pub(crate) process Bookkeeping {
        state: {
            untrusted input mails: Vec<String>,
            input known: String,
            approved: Vec<Payment> = vec![],
            payments: Vec<Payment> = vec![],
            payee: String = String::new(),
        },
        trust: strict,
        history: { untrusted: omit },
        tools: { pay: pay "Pays somebody" },

        task check_it -> Payment {
            prompt: "Which payment do they ask for?\n${quoted(list(&state.mails))}",
            check: is_known,
            clears: untrusted,
            on: { exhausted => all },
            trusts: "each way leads to `all`",
            update: approved[],
            next: book,
        }

        task book { run: book, content: [payments, payee], next: all }

        task all -> Payment {
            for_each: mail in state.mails,
            collect: all,
            prompt: "Which payment does it ask for?\n${quoted(mail)}",
            update: payments,
            next: name,
        }

        task name -> Payment {
            prompt: "Whom does it name?\n${quoted(list(&state.mails))}",
            found_in: { payee: state.known },
            on: { exhausted => plan },
            trusts: "each way leads to `plan`, and the note is written of a known payee alone",
            update: { payee = output.payee },
            next: note,
        }

        task note { run: note, content: [payments], next: plan }

        task plan -> Payment {
            prompt: "Whom do we pay every month?",
            tools: [pay],
            no_history,
            next: done,
        }

        task done { end }
    }
}

async fn book(state: &BookkeepingState) -> Result<(), FunctionError> {
    record("book", &state.approved, false);
    Ok(())
}

async fn note(state: &BookkeepingState) -> Result<(), FunctionError> {
    record("note", &state.payee, false);
    Ok(())
}
