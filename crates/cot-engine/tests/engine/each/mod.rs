//! For-each tasks, over models, functions and processes.

mod in_flight;
mod interrupted;
mod models;
mod once;
mod processes;
