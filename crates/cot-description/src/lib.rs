//! Descriptions of chain-of-thought processes: a process as text, as DOT, and as a manifest with the layout of
//! its prompts.
//!
//! A [`Description`] is generated from the static tables of a process, without running it. Processes are declared
//! with `cot_process!` of the crate `cot-core`, which re-exports it.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// A process in words, as DOT and as a manifest, with the layout of its prompts (pure): `gather` reads the tables
// into `facts`, `edges` finds the next tasks of each task, `layout` what is known of its requests.

mod bounds;
mod description;
mod dot;
mod edges;
mod facts;
mod gather;
mod layout;
mod text;

pub use crate::description::Description;
