//! The driver: performs the directives of a machine, and submits the events that answer them.

pub(crate) mod announcement;
mod answers;
mod directive_future;
mod dispatch;
pub(crate) mod drafts;
pub(crate) mod driven_run;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod driver;
pub(crate) mod driver_trace;
mod held_call;
pub(crate) mod in_flight;
mod open_question;
pub(crate) mod perform;
pub(crate) mod stream_events;
pub(crate) mod transactions;
mod until;
