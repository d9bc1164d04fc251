//! Stage three: reports invalid processes. Each rule is one function.

pub(crate) mod bounds;
mod branches;
mod diagnostic;
pub(crate) mod expressions;
pub(crate) mod fields;
mod found_in;
mod graph;
mod inputs;
mod items;
mod kinds;
mod media;
mod mocks;
pub(crate) mod names;
mod numbers;
mod on;
mod order;
mod parts;
mod proof;
mod routes;
mod rules;
mod shown_parts;
mod state;
mod tools;
mod trust;
mod updates;

pub(crate) use found_in::{is_tool, written};
pub(crate) use rules::{Checked, check};
pub(crate) use trust::{
    Condition, Finding, Inputs, TaskMarks, findings, is_marked, is_strict, marked_fields,
    passed_private, private_members, task_marks,
};

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
