//! The tool calls of an AI task, or of a task that performs calls of the state.
//!
//! A reply that calls tools starts a round. The calls of tools that are repeatable and need no approval are made at
//! once. The others follow one after the other, in the order of the reply, each after its approval. When every call
//! is answered, the model is called again. Calls of the state are one round, after which the task is done.

pub(crate) mod approval;
pub(crate) mod call;
pub(crate) mod conversation;
pub(crate) mod failure;
pub(crate) mod numbered_call;
pub(crate) mod pending_round;
pub(crate) mod progress;
pub(crate) mod question;
pub(crate) mod resolve;
pub(crate) mod round;
