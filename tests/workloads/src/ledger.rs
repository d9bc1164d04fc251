//! A process that shows a growing list whole, with a fixed number of entries.

use std::time::Duration;

use cot_core::{
    Event, Machine, MachinePoll,
    model::{ModelReply, ModelRequest},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of entries that a run adds.
pub const ENTRIES: usize = 60;

/// An entry of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Booking {
    /// What was paid for.
    #[schemars(length(max = 80))]
    pub purpose: String,
    /// The amount in cents.
    pub cents: u32,
}

cot_process! {
    /// Books the payments of a bank statement one by one.
    pub process Ledger {
        state: {
            /// The statement.
            input statement: String,
            /// The bookings so far.
            bookings: Vec<Booking> = Vec::new(),
        },
        goal: "Book each payment of the statement once",
        history: none,

        task book -> Booking {
            prompt: "The statement:\n${state.statement}\n\nBook the first payment that is not among the \
                     bookings yet. The bookings:\n${json(state.bookings)}",
            update: bookings[],
            next: { done if state.bookings.len() >= ENTRIES, book },
        }

        task done { end }
    }
}

/// Runs the process on the machine, and passes each request to a function.
///
/// # Panics
///
/// If the process asks for anything but a model's reply.
pub fn with_prompts(mut seen: impl FnMut(&ModelRequest)) {
    let payments = (0..ENTRIES).map(|number| format!("{number}: invoice {}", number * 37));
    let statement = payments.collect::<Vec<_>>().join("\n");
    let mut machine = Machine::<Ledger>::new();
    machine.start(LedgerState::new(statement)).expect("it starts");
    let mut booked = 0;
    while let MachinePoll::Waiting([call]) = machine.poll() {
        seen(&call.as_model_call().expect("it only asks models").request);
        let reply = serde_json::json!({ "purpose": format!("invoice {}", booked * 37), "cents": 1200 + booked });
        booked += 1;
        let event =
            Event::Replied { id: call.id, reply: ModelReply::from(reply), elapsed: Duration::ZERO };
        machine.handle(event);
    }
}
