//! What functions may return.

use cot_core::{FunctionError, HaltReason, prelude::*};
use serde::{Deserialize, Serialize};

use super::drive::run;
use crate::drive::{Note, outcome, started};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Desk {
    notes: Vec<Note>,
    fails: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Login {
    user: String,
    keys: Vec<cot_core::Secret<String>>,
}

async fn log_in(_: &Desk) -> Result<Login, FunctionError> {
    Ok(Login { user: "ada".to_owned(), keys: vec![cot_core::Secret::new("k-1".to_owned())] })
}

cot_process! {
    process Logins {
        state: Desk,
        task log_in -> Login { run: log_in, update: { fails = output.user.is_empty() }, next: done }
        task done { end }
    }
}

#[test]
fn a_function_that_returns_a_secret_fails() {
    let mut machine = started::<Logins>(Desk::default());
    run(&mut machine);
    let why = outcome(&mut machine).halt().unwrap().reason.to_string();
    assert!(why.contains("the output holds a `Secret`"), "{why}");
}

async fn search(desk: &Desk) -> anyhow::Result<Note> {
    let line = std::io::Error::other("the line is dead");
    match desk.fails {
        true => Err(anyhow::Error::new(line).context("no answer").context("the search failed")),
        false => Ok(Note { text: "found".to_owned(), rank: 1 }),
    }
}

/// Takes its `String` as `&str`.
async fn count(_: &Desk, what: &str) -> Result<Note, String> {
    Err(format!("no {what} to count"))
}

cot_process! {
    process Search {
        state: Desk,
        max_retries: 0,
        task search -> Note { run: search, update: notes[], next: count with output.text }
        task count -> Note { inputs: String, run: count, update: notes[], next: done }
        task done { end }
    }
}

#[test]
fn an_error_is_whatever_becomes_a_boxed_one() {
    let why = |fails| {
        let mut machine = started::<Search>(Desk { fails, ..Desk::default() });
        run(&mut machine);
        if !fails {
            run(&mut machine);
        }
        let outcome = outcome(&mut machine);
        match &outcome.halt().unwrap().reason {
            HaltReason::CodeFailed(error) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(why(true), "the search failed: no answer: the line is dead");
    assert_eq!(why(false), "no found to count");
}
