//! For-each tasks over functions and sub-processes.

mod collect;
mod events;
mod functions;
mod interrupted;
mod limits;
mod mill;
mod once;
mod processes;
mod stored;
