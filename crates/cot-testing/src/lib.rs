//! A test kit for processes, which needs no model.
//!
//! - [`Replies`] generates replies from a schema and a seed: valid, nearly valid, invalid and hostile ones,
//!   in the shares of a [`Mixture`]; without a schema, texts with reasoning steps;
//! - [`MonkeyModel`] is a [`LanguageModel`](cot_model::LanguageModel) that returns such replies;
//! - [`Monkey`] drives a process through thousands of runs with such replies and checks invariants;
//! - [`Coverage`] reports which tasks, transitions, routes and retries a test suite has exercised;
//! - [`check_store`] checks an implementation of [`Store`](cot_store::Store).
//!
//! All randomness comes from a seed, so that failures can be reproduced.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// The test kit: generated replies, `monkey`, `coverage`, `store_contract`.

mod corrupt;
mod coverage;
mod generate;
mod grammar;
mod hostile;
mod mixture;
mod monkey;
mod monkey_model;
mod pattern;
mod random;
mod reasoning_text;
mod replies;
mod shape;
mod store_contract;

pub use coverage::coverage::Coverage;
pub use mixture::{Mixture, ReplyKind};
pub use monkey::{
    failure::MonkeyError, invariants::Verdict, monkey::Monkey, problem::Problem,
    report::MonkeyReport,
};
pub use monkey_model::MonkeyModel;
pub use replies::Replies;
pub use store_contract::contract::check_store;
