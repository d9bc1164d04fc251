//! For-each tasks over functions and sub-processes.

mod collect;
mod events;
mod functions;
mod mill;
mod once;
mod processes;
mod stored;
