//! Answers, requests to cancel, and who waits for them.

pub(crate) mod listener;
pub(crate) mod requests;
pub(crate) mod waiters;
