//! Tasks that run branches.

mod fan;
mod joining;
mod limits;
