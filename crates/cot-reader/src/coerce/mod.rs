//! Brings a value that a model gave towards a schema, and says what it changed.
//!
//! A schema is compiled into nodes once. A value is first weighed against them, which gives an
//! [outcome](outcome::Outcome) for each place, and made only when it is known which outcome is meant.
//! Nothing is guessed: what could mean two things is a doubt, and what can't be brought into form
//! stays as it is, for the validator to say what is wrong.

mod as_is;
mod choice;
mod coercer;
mod either;
mod embedded;
mod entries;
mod flat;
mod kin;
mod list;
mod number;
mod object;
mod outcome;
mod partial;
mod place;
mod retag;
mod scalar;
pub(crate) mod shape;
pub(crate) mod target;
mod wrap;

#[cfg(test)]
mod tests;
