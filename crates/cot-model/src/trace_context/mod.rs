//! The context of a distributed trace, by W3C Trace Context, and the scopes in which it is current.

pub(crate) mod context;
pub(crate) mod error;
pub(crate) mod scope;
mod state;
