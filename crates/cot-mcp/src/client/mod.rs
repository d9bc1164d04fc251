//! The tools of MCP servers.

pub(crate) mod builder;
mod child;
mod connection;
pub(crate) mod error;
mod group;
mod limited;
mod link;
mod listing;
mod outcome;
mod schema;
mod secrets;
mod selection;
mod settings;
mod target;
pub(crate) mod tools;
mod watched;
