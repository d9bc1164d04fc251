//! Tasks that run branches.

mod fan;
mod history;
mod joining;
mod limits;
