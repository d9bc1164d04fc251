//! Inputs that a run has for its task or for a caller, under another type.

use cot_core::{Machine, Process, ResumeOptions, SnapshotError, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Cart, conflicts, resume, stored};
use crate::drive::{Note, go, note, reply, started};

/// A version with these types of the inputs.
macro_rules! version {
    ($module:ident, $title:ty, $by:ty, $($more:tt)*) => {
        mod $module {
            use super::*;

            #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
            pub(super) struct Book {
                title: $title,
                $($more)*
            }

            #[derive(Debug, Clone, Serialize, Deserialize)]
            pub(super) struct Sender {
                by: $by,
            }

            cot_process! {
                pub(super) process Desk {
                    state: Cart,

                    task hub {
                        transitions: {
                            browse with model,
                            send with Sender { by: Default::default() },
                            done,
                        },
                    }

                    task browse {
                        inputs: Book,
                        prompt: "Browse ${inputs.title}.",
                        transitions: { fetch, done },
                    }

                    task send -> Note {
                        inputs: Sender,
                        prompt: "From ${inputs.by}.",
                        update: notes[],
                    }

                    task fetch -> Note { prompt: "Fetch.", update: notes[] }
                    task done { end }
                }
            }
        }
    };
}

version!(first, String, u32,);
version!(wider, String, u64, pages: Option<u32>,);
version!(other, bool, String,);

mod bare {
    use super::*;

    cot_process! {
        pub(super) process Desk {
            state: Cart,
            task hub { transitions: { browse, send, done } }
            task browse { prompt: "Browse.", transitions: { fetch, done } }
            task send -> Note { prompt: "Send.", update: notes[] }
            task fetch -> Note { prompt: "Fetch.", update: notes[] }
            task done { end }
        }
    }
}

fn browse() -> Value {
    let mut reply = go("browse");
    reply["inputs"] = json!({ "title": "Emma" });
    reply
}

/// A run that is about to start `browse` or `send`, has begun `browse`, or is at `fetch` and returns to `browse`.
fn at(place: &str) -> String {
    let mut machine: Machine<first::Desk> = started(Cart::default());
    reply(&mut machine, if place == "send" { go("send") } else { browse() });
    if place == "fetch" {
        reply(&mut machine, go("fetch"));
    }
    if place == "begun" {
        machine.poll();
    }
    stored(&machine)
}

fn check<P: Process<Context = ()>>(place: &str, expected: &[&str]) {
    assert_eq!(conflicts::<P>(&at(place), ResumeOptions::new()), expected, "{place}");
}

#[test]
fn inputs_that_fit_the_present_type_are_kept() {
    for place in ["browse", "send", "fetch"] {
        check::<wider::Desk>(place, &[]);
    }
    let mut run = resume::<wider::Desk>(&at("fetch"), ResumeOptions::new()).unwrap();
    reply(&mut run, note("f", 1));
    assert!(crate::drive::prompt(&mut run).contains("Browse Emma."), "the caller has its inputs");
    check::<wider::Desk>("begun", &["task_schema"]);
}

#[test]
fn inputs_that_do_not_fit_are_a_conflict() {
    check::<other::Desk>("browse", &["task_inputs"]);
    check::<other::Desk>("begun", &["task_inputs", "task_schema"]);
    check::<other::Desk>("fetch", &["caller_inputs"]);
    for place in ["browse", "send"] {
        check::<bare::Desk>(place, &["task_inputs"]);
    }
    check::<bare::Desk>("fetch", &["caller_inputs"]);
}

/// Inputs that no model provides have no schema; they are read when the run is resumed.
#[test]
fn inputs_without_a_schema_are_read() {
    let error = resume::<other::Desk>(&at("send"), ResumeOptions::new()).map(drop).unwrap_err();
    let SnapshotError::UnreadableInputs { task, issues } = &error else { panic!("{error}") };
    assert_eq!(task, "send");
    assert!(issues.to_string().starts_with("$.by: "), "{issues}");
    let moved = ResumeOptions::new().migrate(|run| {
        run.move_to("hub");
        Ok(())
    });
    assert!(resume::<bare::Desk>(&at("send"), moved).is_ok());
}
