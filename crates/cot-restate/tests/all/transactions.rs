//! Functions that write in a transaction of a store, of which Restate has none.

use cot_core::{Models, prelude::*};
use cot_restate::Workflow;

/// Stands for the connection of a database.
pub(crate) struct Connection;

cot_process! {
    process Booking {
        state: { booked: bool = false },
        task book -> bool { run: book, effect: transaction, update: booked, next: done }
        task done { end }
    }
}

async fn book(_: &BookingState, _: &mut Connection) -> Result<bool, std::io::Error> {
    Ok(true)
}

#[test]
fn a_process_with_a_transaction_is_refused_when_its_workflow_is_made() {
    let error = Workflow::<Booking>::new(Models::new()).unwrap_err().to_string();
    assert!(error.contains("task `book`"), "{error}");
}
