//! The test kit: what helps to test processes without a model.
//!
//! - [`Replies`] makes replies from a schema and a seed: valid ones, nearly valid ones, and those that
//!   no program expects, each as often as a [`Mixture`] says; without a schema, texts that think aloud;
//! - [`MonkeyModel`] is a [`LanguageModel`](crate::LanguageModel) that answers with them;
//! - [`Monkey`] drives a process through thousands of runs with them, and checks what has to hold;
//! - [`Coverage`] says which tasks, transitions, routes and retries a test suite has exercised;
//! - [`check_store`] checks a [`Store`](cot_store::Store) of your own.
//!
//! Everything random comes from a seed, so that a failure reproduces.

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
mod store;
mod thought;

pub use coverage::Coverage;
pub use mixture::{Mixture, ReplyKind};
pub use monkey::{Monkey, MonkeyFailure, MonkeyReport, Problem, Verdict};
pub use monkey_model::MonkeyModel;
pub use replies::Replies;
pub use store::check_store;
