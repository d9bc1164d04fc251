//! Validation against JSON schemas, and messages for its errors.

mod explain;
mod message;
pub(crate) mod validator;
