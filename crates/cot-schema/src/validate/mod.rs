//! Validators of JSON schemas, and their errors in words.

mod explain;
mod message;
pub(crate) mod validator;
