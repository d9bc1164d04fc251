//! Outputs and the state: all of an update or none of it, and outcomes by their types.

use cot_core::{HaltReason, prelude::*};
use serde::{Deserialize, Serialize};

use crate::drive::{Note, after, call, note, outcome, reply, request, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Ledger {
    notes: Vec<Note>,
    total: u32,
    touched: Vec<String>,
}

fn book(note: &Note, ledger: &mut Ledger) -> Result<(), Issues> {
    ledger.touched.push(note.text.clone());
    if ledger.total > 100 {
        return Err(Issues::at("rank", format!("{} is too much", ledger.total)));
    }
    Ok(())
}

cot_process! {
    process Books {
        state: Ledger,
        max_retries: 1,

        task enter -> Note {
            prompt: "PROMPT",
            update: { notes[] = output, total = state.total + output.rank },
            process_output: book,
            next: { enter if state.notes.len() < 3, done },
        }

        task done { end }
    }
}

#[test]
fn what_fails_after_the_update_takes_the_update_back() {
    let mut machine = after::<Books, _>(Ledger::default(), [note("a", 60)]);
    let before = state(&machine).clone();
    reply(&mut machine, note("b", 60));
    assert_eq!(*state(&machine), before);
    assert_eq!(machine.history().len(), 1);
    let call = call(&mut machine);
    assert_eq!((call.task, call.key.attempt()), (BooksTask::Enter, 2));
    assert!(request(&call).prompt().contains("120 is too much"), "issues are fed back");
    reply(&mut machine, note("b", 20));
    assert_eq!((state(&machine).total, state(&machine).touched.len()), (80, 2));
}

#[test]
fn outcomes_can_be_compared_and_say_why_a_run_failed() {
    let replies = [note("a", 1), note("b", 1), note("c", 1)];
    let mut machine = after::<Books, _>(Ledger::default(), replies);
    assert_eq!(outcome(&mut machine), BooksOutcome::Done);
    assert_eq!(outcome(&mut machine).why(), None);
    let mut halted = after::<Books, _>(Ledger::default(), ["no", "no"]);
    let halted = outcome(&mut halted);
    let halt = halted.halt().unwrap();
    assert_eq!((halt.task, &halt.reason), (BooksTask::Enter, &HaltReason::Exhausted));
    assert_eq!(halted.why(), Some(halt.to_string()));
}
