//! Reports of evals: pass rates, plots, and the cases that fail.

mod case_page;
mod cases;
mod list;
mod mark;
mod page;
mod plot;
pub(crate) mod reports;
mod request;
pub(crate) mod routes;
mod tables;
mod tasks;
