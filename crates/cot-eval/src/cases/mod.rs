//! What an eval runs.

pub(crate) mod case;
mod cell;
mod csv;
pub(crate) mod error;
mod json_lines;
mod unique_cases;
