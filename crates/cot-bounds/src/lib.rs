//! What a run of a process can cost at most.
//!
//! A [`WorstCase`] has a [`Bound`] for each thing that a run uses up. `cot_process!` computes it from the declaration:
//! with the functions of this crate where all numbers are known, and with generated constants over the same functions
//! where sub-processes contribute theirs.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `bound`: a number that may be unbounded; `worst_case`: one for each quantity, with the operations on all of them;
// `quantity`: their names; `limits`: the limits of a
// process and their defaults.

mod bound;
mod limits;
mod quantity;
mod worst_case;

pub use bound::Bound;
pub use limits::{
    DEFAULT_FUNCTION_RETRIES, DEFAULT_HELD_CALLS, DEFAULT_MAX_RETRIES, DEFAULT_MAX_STEPS,
    DEFAULT_TOOL_CALLS, Limits,
};
pub use quantity::Quantity;
pub use worst_case::WorstCase;
