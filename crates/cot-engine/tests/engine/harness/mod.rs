//! Drives processes without macro, types, runner and clock.
//!
//! # How to declare a process
//!
//! A process is its tables; [`process!`] has one row for each task:
//!
//! ```ignore
//! process! {
//!     Desk {
//!         ask: ai("What is new?").output(NOTE).commit(append).next(&[Self::load]),
//!         load: code().result().max_retries(1).next(&[Self::done]),
//!         done: end(),
//!     }
//!     definition: Definition { max_retries: Some(0), ..PROCESS };       // if it declares more than tasks
//!     functions: ProcessCode { goal: Some(goal), ..functions() };       // if it has functions of its own
//!     context: App;                                                     // if it has a context
//! }
//! ```
//!
//! The state and all outputs are JSON. An output becomes the field of the state with the name of its task, unless
//! the row says otherwise ([`append`], or a closure). The rows of a for-each task work on the list `items` of the
//! state, and a sub-process starts with the field `start` of the state. [`NOTE`] is the schema of most outputs, [`note`] a value of it, and
//! [`schema!`] declares others. A row with a closure is `.commit(|output, state, view| …)`, `.read(|given, cx| …)`.
//!
//! A process is compiled for itself, so the tests of a file share one: with a few tasks, which tests reach with
//! [`Run::at`]. Unused functions of this harness are an error: add what a test needs, and no more.
//!
//! # How to drive it
//!
//! [`Run::start`] starts a run; then each call answers what the machine waits for, and fails if that is something else:
//!
//! ```ignore
//! let mut run = Run::start::<Desk>(json!({}));
//! let request = run.reply(json!({ "text": "nothing", "rank": 1 }));   // a model
//! run.finish_function(Ok(json!(3)));                                  // a function, or `run_function()`
//! assert_eq!(run.ending(), Ending::End("done"));                      // or `run.halt()`
//! assert_eq!(run.state()["load"], 3);
//! ```
//!
//! Tasks appear under their names. [`Run::only`] is the directive that the run waits for, [`Run::directives`] are
//! all of them, and [`Run::handle`] takes any event. [`Run::survives`] proves that a snapshot at this point continues
//! as the run does; [`Run::resumed`] is a run that went through one. [`Run::events`] are lines about what happened
//! since the last call.

#![allow(
    dead_code,
    unused_imports,
    reason = "the vocabulary of the tests, some of which come later"
)]

mod answers;
mod call;
mod driver;
mod functions;
mod process;
mod rows;
mod run;

pub(crate) use call::Call;
pub(crate) use functions::*;
pub(crate) use process::{
    FIXED, PROCESS, Plain, Task, VOLATILE, about, functions, process, seconds, texts,
};
pub(crate) use rows::*;
pub(crate) use run::{Run, SECOND, go, note};
