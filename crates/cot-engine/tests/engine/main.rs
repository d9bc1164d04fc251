//! The rules of the engine, each shown on tables: events in, directives out. Nothing here needs the macro, types, a
//! runner or a clock; what does is tested where it is.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod branches;
mod budgets;
mod calls;
mod default_steps;
mod each;
mod effects;
mod function;
mod harness;
mod human;
mod model;
mod pending_check;
mod sub_process;
mod tools;
