//! What waits for people: the inbox, and the form that answers a question.

mod answer;
mod approval;
mod batch;
mod context;
mod controls;
pub(crate) mod form;
mod inbox;
mod put;
mod question;
mod recent;
pub(crate) mod routes;
mod too_late;
