//! The book is complete and true: its links lead somewhere, and its programs print what its pages show.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod deployed;
mod llms;
mod pages;
mod pictures;
mod programs;
mod vendors;
mod walk;
