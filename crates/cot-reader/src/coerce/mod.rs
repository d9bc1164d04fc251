//! Coerces values to a schema and records the repairs.
//!
//! Coercion has two steps. First, a value is evaluated against the nodes of the compiled schema, which gives
//! an [outcome](outcome::Outcome) for each place: the new form, its cost and the number of misfits. Then the
//! chosen outcome is applied to the value. Nothing is guessed: an ambiguity is reported as a *doubt*, and a
//! part that does not fit (a *misfit*) is left unchanged, so that the validator explains it.

mod as_is;
mod assign;
mod choice;
mod coercer;
mod echoed;
mod either;
mod embedded;
mod entries;
mod flat;
mod list;
mod number;
mod object;
mod outcome;
mod partial;
mod resemblance;
mod retag;
mod scalar;
mod schema_shape;
pub(crate) mod shape;
pub(crate) mod target;
mod wrap;

#[cfg(test)]
mod tests;
