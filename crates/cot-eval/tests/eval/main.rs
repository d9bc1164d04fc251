//! Tests of evals through the public surface.

mod cache;
mod cases;
mod compare;
mod process;
mod report;
mod retrace;
mod scores;
mod trials;
