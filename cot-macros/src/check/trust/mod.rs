//! Trust: follows untrusted and private values from the places where they enter to the prompts and effects that they
//! reach.
//!
//! `facts` numbers what can be untrusted before a task, `node` finds what each task makes of it, `flow` follows that
//! through the process, and the rules report what it reaches.

mod effects;
mod facts;
mod finding;
mod flow;
mod marks;
mod members;
mod node;
mod path;
mod private;
mod processes;
mod records;
pub(super) mod rules;
mod summary;
mod templates;
#[cfg(test)]
mod tests;
mod tools;
mod unused;
mod ways;
mod writes;

pub(crate) use effects::findings;
pub(crate) use finding::{Condition, Finding, Inputs};
pub(crate) use marks::is_strict;
pub(crate) use members::private_members;
pub(crate) use private::passed_private;
pub(crate) use summary::{TaskMarks, is_marked, marked_fields, task_marks};
