//! Keeps the runs of chain-of-thought processes in a SQLite database: one file on one machine, no server.
//!
//! ```
//! use cot_core::{model::ScriptedModel, prelude::*};
//! use cot_sqlite::SqliteStore;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
//! struct Greeting { text: String }
//!
//! cot_process! {
//!     process Greeter {
//!         state: Greeting,
//!         task greet -> Greeting { prompt: "Greet the world.", update: { text = output.text }, next: done }
//!         task done { end }
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("runs.db");
//! let store = SqliteStore::open(&path)?;
//! let runner = Greeter::runner().model(ScriptedModel::new([r#"{"text":"Hello"}"#])).store(store);
//! assert_eq!(runner.run_id("hello").run(Greeting::default()).await?.state.text, "Hello");
//!
//! // Later, in another program: what was paid for is there.
//! let runner = Greeter::runner().model(ScriptedModel::new([""])).store(SqliteStore::open(&path)?);
//! assert_eq!(runner.resume("hello")?.await?.state.text, "Hello");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # What is promised
//!
//! - What was appended is there after the death of the program at any instant; with [`Synchronous::Full`],
//!   which is what you get if you say nothing, also after a power failure, as far as the disk tells the truth.
//! - One program drives a run at a time. A driver that dies, even by `SIGKILL`, is taken over from at once:
//!   each open store holds a lock on a file in a folder beside the database, `runs.db.owners`, which the
//!   operating system drops with the process. A run that could not be given back, as the disk was full or
//!   another program kept the database locked, is given back with what is written next, or a second later.
//!   Database and folder belong on one machine's own file system, not on a network drive.
//! - A full disk, a read-only file or a damaged one gives an error that says so, and nothing that was
//!   committed is lost. After a full disk, writing goes on once there is room. Each entry has a check sum, and
//!   one that does not fit is [`StoreError::Corrupt`](cot_core::store::StoreError::Corrupt);
//!   [`SqliteStore::cut`] drops a damaged tail, if you say so. There is one exception: on a file system with blocks
//!   of less than 4 KB, as ext4 has by default below 512 MB, a disk that becomes full while SQLite makes the index
//!   of its write-ahead log ends the program with SIGBUS. A store is not opened there with less than 128 KB of free
//!   space, so it takes another program that fills the disk at this moment, or a reader that keeps the log from
//!   being shortened. What was committed is kept then, too.
//! - All who may use the database may use the files beside it: the lock files and their folder get the rights of the
//!   database. Where the lock file of a driver can't be opened, nobody takes its run, and
//!   [`driver_error`](cot_core::store::RunSummary::driver_error) says why.
//!
//! # How it works
//!
//! The database is in write-ahead mode: reading and writing don't wait for each other. One thread writes; what
//! many runs append at the same time is committed together, which shares the price of a `FULL` commit, and
//! yet each succeeds or fails alone. Other threads read. Futures only wait for these threads, so no executor is
//! blocked, and any will do: the store needs no tokio runtime. While somebody waits for a person's answer, one
//! more thread asks every 150 ms whether another program has changed the database; an answer through
//! the same store is there at once.
//!
//! With [`Synchronous::Normal`], a run that is alone in its store appends up to 64 KiB on the thread that polls
//! it: to hand that over would take longer than to write it, some 100 µs. What has to wait, for the disk or for
//! another program, is handed over. [`SqliteOptions::block_in_place`] has it wait for the disk there, too.
//!
//! # Looking after a store
//!
//! [`SqliteStore::prune`] forgets old runs, [`SqliteStore::vacuum`] gives free space back to the disk,
//! [`SqliteStore::back_up`] copies the store while runs go on. The write-ahead log is moved into the database
//! at 16 MB. The tables are [documented](tables) and free to be queried.

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod answers;
mod column;
mod desk;
mod driven;
mod error;
mod journal;
mod keep;
mod lease;
mod open;
mod options;
mod owed;
mod owner;
mod prompt;
mod readers;
mod room;
mod row;
mod runs;
mod schema;
mod store;
mod threads;
mod writer;

#[doc = include_str!("../docs/tables.md")]
pub mod tables {}

pub use options::{SqliteOptions, Synchronous};
pub use store::SqliteStore;
