//! Stage three: reports invalid processes. Each rule is one function.

pub(crate) mod fields;
mod graph;
mod inputs;
mod items;
mod kinds;
mod mistake;
mod mocks;
pub(crate) mod names;
mod numbers;
mod on;
mod parts;
mod proof;
mod routes;
mod rules;
mod shown_parts;
mod state;
mod updates;
pub(crate) mod words;

pub(crate) use rules::{Checked, check};

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
