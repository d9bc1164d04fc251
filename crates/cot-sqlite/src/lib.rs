//! A store for the runs of chain-of-thought processes in a SQLite database: one file on one machine, no
//! server.
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
//! // Later, in another program: completed calls are not repeated.
//! let runner = Greeter::runner().model(ScriptedModel::new([""])).store(SqliteStore::open(&path)?);
//! assert_eq!(runner.resume("hello")?.await?.state.text, "Hello");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # Rows in the transaction of a step
//!
//! A function with `effect: transaction` writes its rows in the transaction in which the run makes its step, so that both agree
//! after any crash. The guide *Exactly once* of `cot-core` says what such a function may do, and what it costs others.
//!
//! ```
//! use cot_core::prelude::*;
//! use cot_sqlite::SqliteStore;
//! use rusqlite::Connection;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Clone, Serialize, Deserialize)]
//! struct Order { show: String, booking: i64 }
//!
//! cot_process! {
//!     process Shop {
//!         state: Order,
//!         task book -> i64 { run: book, effect: transaction, update: booking, next: done }
//!         task done { end }
//!     }
//! }
//!
//! async fn book(order: &Order, db: &mut Connection) -> Result<i64, rusqlite::Error> {
//!     let booked = db.execute("UPDATE seats SET free = free - 1 WHERE show = ? AND free > 0", [&order.show])?;
//!     if booked == 0 {
//!         return Err(rusqlite::Error::QueryReturnedNoRows);
//!     }
//!     db.execute("INSERT INTO bookings (show) VALUES (?)", [&order.show])?;
//!     Ok(db.last_insert_rowid())
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("shop.db");
//! let store = SqliteStore::open(&path)?;
//! // The tables of the program are in the same file.
//! Connection::open(&path)?.execute_batch(
//!     "CREATE TABLE seats (show TEXT, free INTEGER); INSERT INTO seats VALUES ('matinee', 1);
//!      CREATE TABLE bookings (id INTEGER PRIMARY KEY, show TEXT)",
//! )?;
//! let order = Order { show: "matinee".to_owned(), booking: 0 };
//! let run = Shop::runner().store(store).run_id("order-7").run(order).await?;
//! assert_eq!(run.state.booking, 1);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # Guarantees
//!
//! - Appended entries survive the death of the program at any instant; with [`Synchronous::Full`], the
//!   default, also a power failure, as far as the disk honours syncs.
//! - One program drives a run at a time. Other programs can take over at once when a driver dies, even
//!   by `SIGKILL`: each open store holds a lock on a file in a folder beside the database,
//!   `runs.db.owners`, which the operating system releases with the process. A lease that could not be
//!   released, because the disk was full or another program held the database lock, is released with the
//!   next write, or a second later. Database and folder must be on a local file system, not on a network
//!   drive.
//! - A full disk, a read-only file or a damaged one gives a specific error, and nothing that was
//!   committed is lost. After a full disk, writing continues once there is space. Each entry has a
//!   hash, which chains it to those before; a mismatch is [`StoreError::Corrupt`](cot_store::StoreError::Corrupt), and
//!   [`SqliteStore::cut`] removes a damaged tail on request. There is one exception: on a file system
//!   with blocks of less than 4 KB, as ext4 has by default below 512 MB, a disk that becomes full while
//!   SQLite extends the index of its write-ahead log ends the program with SIGBUS. A store is not opened
//!   there with less than 128 KB of free space, so this requires another program that fills the disk at
//!   that moment, or a reader that keeps the log from being shortened. Committed entries are not lost in
//!   this case either.
//! - A database that is deleted or replaced while it is open is noticed:
//!   [`StoreError::Gone`](cot_store::StoreError::Gone).
//! - All users of the database can use the files beside it: the lock files and their folder get the
//!   permissions of the database. If the lock file of a driver can't be opened, no program acquires its
//!   run, and [`driver_error`](cot_store::RunSummary::driver_error) contains the reason.
//!
//! # How it works
//!
//! The database is in write-ahead mode: readers and writers do not wait for each other. One thread
//! writes; entries that many runs append at the same time are committed together, which shares the cost
//! of a `FULL` commit, yet each append succeeds or fails alone. Another one moves the write-ahead log into the
//! database while commits continue. Other threads read. Futures only wait for these threads, so they block no
//! executor, and any executor works: the store needs no tokio runtime. While a run waits for a person's answer or
//! a request to cancel it, one more thread checks every 150 ms whether another program has changed the database;
//! what comes through the same store is delivered at once.
//!
//! With [`Synchronous::Normal`], a run that is alone in its store appends up to 64 KiB on the thread
//! that polls it: a hand-over would take longer than the write, some 100 µs. Work that must wait, for
//! the disk or for another program, is handed over. [`SqliteOptions::block_in_place`] makes the run
//! wait for the disk in place too.
//!
//! Lists of runs use an index for each order and the usual filters: a page of 50 with the number of all runs
//! takes some milliseconds at 100,000 runs. What runs have spent is summed up as they write it, in the same
//! commits. The beginning of replies that models are writing ([`Store::put_draft`](cot_store::Store::put_draft))
//! is no part of the database: it is in a file in the folder of the lock files, which costs no commit.
//!
//! # Maintenance
//!
//! [`SqliteStore::prune`] removes old runs, [`SqliteStore::vacuum`] returns free space to the disk,
//! [`SqliteStore::back_up`] copies the store while runs continue. The write-ahead log is moved into the
//! database from 16 MB on, and commits wait for that from 24 MB on. It becomes longer only while a reader needs it. The
//! tables are [documented](tables) and may be queried.

#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// The store of one machine: `writing` has the only connection that changes tables (`write_connection`); its `writer`
// commits waiting tasks together, or in place for a run that is alone, and its `checkpointer` moves the write-ahead
// log while commits continue; `driving` records which program drives a run, by locks that the operating system
// releases with the program, and counts those that died; `prompt` shares the texts of prompts; `blobs` has the bytes
// of images and documents; `schema/*.sql` defines the tables and views, a file for each version.

mod blobs;
mod chain;
mod column;
mod database_file;
mod disk_space;
mod driving;
mod error;
mod journal;
mod maintenance;
mod open;
mod options;
mod processes;
mod prompt;
mod readers;
mod runs;
mod schema;
mod spending;
mod store;
mod threads;
mod transaction;
mod upkeep;
mod version;
mod waiting;
mod writing;

#[doc = include_str!("../docs/tables.md")]
pub mod tables {}

pub use options::{SqliteOptions, Synchronous};
pub use store::SqliteStore;
