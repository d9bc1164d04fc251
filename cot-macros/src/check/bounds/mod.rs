//! Bounds: what a run can cost at most, computed from the declaration.
//!
//! `visit` says what one visit of a task costs, `ways` where a task leads, `guards` which guards count, and `counting`
//! which loops end because of them. `plan` puts them together: the costs of all paths as a list of sums and maxima, which is linear
//! in tasks and ways. It is evaluated here (`evaluate`) where all numbers are known, and by generated constants where
//! sub-processes contribute theirs. `causes` says why a bound is missing, and `rules` proves `at_most`.

pub(crate) mod causes;
mod counting;
pub(crate) mod evaluate;
mod guards;
pub(crate) mod plan;
pub(crate) mod rules;
pub(crate) mod visit;
mod ways;

#[cfg(test)]
mod tests;
