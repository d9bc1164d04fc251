//! Stage four: types and static tables. The expansion holds no logic: what decides lives in the
//! engine, which is compiled once.

mod about;
mod checks;
mod code;
mod definition;
mod edge;
mod fields;
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
mod site;
mod task_definition;
mod template;
mod types;
mod values;
mod warnings;

pub(crate) use process::expand;
pub(crate) use warnings::warnings;
