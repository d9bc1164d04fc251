//! Evals: how often a process is right, what it costs, and whether it got worse.
//!
//! - [`Case`] is a state to run a process from, and what is right; cases are read from JSON Lines or CSV, or made in
//!   Rust;
//! - [`Eval`] runs the cases with each variant of a process (its models, its context) some times, and scores the
//!   [trials](Trial) with plain functions; [`score`] has the usual comparisons;
//! - [`Report`] has the results: pass rates with their intervals, tokens, cost, retries and repairs, by variant, tag,
//!   case and task; it is displayed as a table, and read and written as JSON;
//! - [`Comparison`] says what got better or worse between two reports beyond chance;
//! - [`retrace()`] puts stored runs through this build without a call, and says which would have done something else;
//! - [`ReplyCache`] keeps replies, so that an eval that is continued, or whose prompts have not changed, pays no call twice.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! use cot_core::{
//!     eval::{Case, Eval, score},
//!     model::ScriptedModel,
//!     prelude::*,
//! };
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
//! struct Folder {
//!     name: String,
//! }
//!
//! cot_process! {
//!     process Sorter {
//!         state: { input mail: String, folder: String },
//!         task sort -> Folder {
//!             prompt: "Name the folder for this mail: ${state.mail}",
//!             update: { folder = output.name },
//!             next: done,
//!         }
//!         task done { end }
//!     }
//! }
//!
//! let cases = r#"
//! {"name": "invoice", "state": {"mail": "Invoice 7"}, "expected": "bills", "tags": ["easy"]}
//! {"name": "hello", "state": {"mail": "How are you?"}, "expected": "friends"}
//! "#;
//! let cases = Case::<SorterState, String>::from_json_lines(cases)?;
//! let model = ScriptedModel::new([r#"{"name": "bills"}"#; 2]);
//! let report = Eval::new("folders", cases)
//!     .variant("small", Sorter::runner().model(model))
//!     .score("folder", |trial| score::equal(&trial.state().folder.as_ref(), &Some(trial.expected())))
//!     .score("calls", |trial| trial.usage().calls <= 2)
//!     .run()
//!     .await;
//! let small = report.summary("small");
//! assert_eq!((small.passed, small.trials), (1, 2));
//! assert!(report.to_string().contains("hello"));
//! # Ok::<_, cot_core::eval::CaseError>(())
//! # }).unwrap();
//! ```
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `cases`: what is run, and its reading; `run`: trials of all variants (`eval` is their builder,
// `running` runs them, `trial` is what scorers see, `watch` gathers
// the facts of a run, `reply_cache` answers calls that were made before); `score`: comparisons; `retrace`: stored runs in
// this build (`path` follows one); `report`: results
// (`interval`, `comparison` and `agreement` are their statistics, `table` their text).

mod cases;
mod report;
mod retrace;
mod run;
pub mod score;

pub use cases::{case::Case, error::CaseError};
pub use report::{
    agreement::Agreement,
    comparison::{Change, Comparison},
    interval::Interval,
    report::Report,
    result::{TaskTotals, TrialResult},
    summary::Summary,
};
pub use retrace::{
    retrace::retrace,
    retraced::{Course, Divergence, Retraced},
};
pub use run::{
    eval::{Eval, Progress},
    reply_cache::{CacheError, ReplyCache},
    trial::Trial,
};
