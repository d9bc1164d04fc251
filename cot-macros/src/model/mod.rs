//! Stage two: resolves names to indices and determines the kind of each task.
//!
//! A name that can't be resolved is reported and left out, and the task that refers to it is *incomplete*:
//! it may lead anywhere, so that later checks do not report errors that only follow from the first one.

mod build;
mod expressions;
mod kind;
mod media;
mod names;
mod process;
mod stability;
mod state_uses;
mod state_writes;
mod task;
mod templates;
#[cfg(test)]
mod tests;
mod text_facts;
mod tools;
mod uses;
mod visible_names;

pub(crate) use build::build;
pub(crate) use expressions::{all_expressions, expressions_in, is_tool_source, tool_expressions};
pub(crate) use media::{
    ShownMedia, called_name, is_media_helper, media_helper, media_in_expr, media_in_part,
    media_of_task,
};
pub(crate) use names::variant_name;
pub(crate) use process::Model;
pub(crate) use stability::expr_stability;
pub(crate) use state_uses::{FieldUse, StateUses};
pub(crate) use state_writes::Stability;
pub(crate) use task::{Edge, Task, is_once};
pub(crate) use templates::Role;
pub(crate) use text_facts::TextFacts;
pub(crate) use uses::{Exit, HELPERS, Uses, find_mention, root_of_place, same_tokens};
pub(crate) use visible_names::{Place, RESERVED, VisibleNames};
