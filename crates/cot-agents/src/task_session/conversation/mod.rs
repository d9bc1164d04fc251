//! The process of a conversation: its state, its rules, and the prompts and replies of its model.

pub(super) mod calls;
pub(super) mod context;
pub(super) mod limits;
mod loss;
pub(super) mod opening;
pub(super) mod process;
pub(super) mod prompt;
pub(super) mod reply_parser;
mod resume;
mod rules;
pub(super) mod state;
pub(super) mod stop;
pub(super) mod text;
