//! What waits for people: the inbox, and the form that answers a question.

mod answer;
mod approval;
mod context;
pub(crate) mod form;
mod inbox;
mod question;
mod recent;
pub(crate) mod routes;
mod too_late;
