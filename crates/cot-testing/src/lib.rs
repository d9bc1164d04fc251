//! The test kit of chain-of-thought processes: what tests a process without a model.
//!
//! - [`Replies`] makes replies from a schema and a seed: valid ones, nearly valid ones, and those that
//!   no program expects, each as often as a [`Mixture`] says; without a schema, texts that think aloud;
//! - [`MonkeyModel`] is a [`LanguageModel`](cot_model::LanguageModel) that answers with them;
//! - [`Monkey`] drives a process through thousands of runs with them, and checks what has to hold;
//! - [`Coverage`] lists which tasks, transitions, routes and retries a test suite has exercised;
//! - [`check_store`] checks an implementation of [`Store`](cot_store::Store).
//!
//! Everything random comes from a seed, so that a failure reproduces.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod coverage;
mod generate;
mod grammar;
mod hostile;
mod mixture;
mod monkey;
mod monkey_model;
mod pattern;
mod random;
mod replies;
mod shape;
mod spoil;
mod store_contract;
mod thought;

pub use coverage::coverage::Coverage;
pub use mixture::{Mixture, ReplyKind};
pub use monkey::{
    failure::MonkeyError, invariants::Verdict, monkey::Monkey, problem::Problem,
    report::MonkeyReport,
};
pub use monkey_model::MonkeyModel;
pub use replies::Replies;
pub use store_contract::contract::check_store;
