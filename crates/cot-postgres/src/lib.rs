//! A store for the runs of chain-of-thought processes in a Postgres database, for programs on several machines.
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `store` is the facade; `database` has the pool and repeats what is worth repeating; `append` writes entries, the row of
// the run and what was spent in one statement, whose arrays are in `entry_columns`; `driving` has leases, which the
// heartbeat of their owner keeps; `waiting` has answers and requests to cancel, and the task that hears of them; `prompt`
// shares the texts of prompts; `schema/*.sql` defines the tables and views, a file for each version.

mod append;
mod blobs;
mod column;
mod database;
mod driving;
mod entry_columns;
mod error;
mod journal;
mod maintenance;
mod options;
mod processes;
mod prompt;
mod runs;
mod schema;
mod spending;
mod store;
mod text;
mod waiting;

pub use options::PgOptions;
pub use store::PgStore;
