//! For-each tasks, over models, functions and processes.

mod in_flight;
mod models;
mod once;
