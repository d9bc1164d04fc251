//! What is shown of runs, without a terminal.

pub(crate) mod apply;
pub(crate) mod lines;
pub(crate) mod place;
pub(crate) mod run;
