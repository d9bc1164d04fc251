//! Stage four: generates types and static tables. The generated code contains no logic, which is in the
//! engine and compiled once.

mod about;
mod checks;
mod code;
mod conversation;
mod definition;
mod edge;
mod fields;
mod found_in;
mod hash;
mod helpers;
mod inputs;
mod kinds;
mod locals;
mod mermaid;
mod mock;
mod names;

mod output;
mod parts;
mod process;
mod proofs;
mod settings;
mod site;
mod task_definition;
mod template;
mod texts;
mod tools;
mod types;
mod values;
mod warnings;

pub(crate) use about::{description, title};
pub(crate) use process::expand;
pub(crate) use types::outline::outline;
pub(crate) use warnings::warnings;
