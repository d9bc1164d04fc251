//! A store for the runs of chain-of-thought processes in a Postgres database, for programs on several machines.
//!
//! ```no_run
//! use cot_core::{model::ScriptedModel, prelude::*};
//! use cot_postgres::PgStore;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use sqlx::PgPool;
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
//! let pool = PgPool::connect("postgres://app@127.0.0.1/app").await?;
//! let store = PgStore::new(pool).await?;
//! let runner = Greeter::runner().model(ScriptedModel::new([r#"{"text":"Hello"}"#])).store(store);
//! runner.run_id("hello").run(Greeting::default()).await?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # Rows in the transaction of a step
//!
//! A function with `effect: transaction` writes its rows in the transaction in which the run makes its step, so that both agree
//! after any crash. The guide *Exactly once* of `cot-core` says what such a function may do.
//!
//! ```no_run
//! use cot_core::prelude::*;
//! use cot_postgres::PgStore;
//! use serde::{Deserialize, Serialize};
//! use sqlx::{PgConnection, PgPool};
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
//! async fn book(order: &Order, db: &mut PgConnection) -> Result<i64, sqlx::Error> {
//!     let seat = sqlx::query("UPDATE seats SET free = free - 1 WHERE show = $1 AND free > 0");
//!     let booked = seat.bind(&order.show).execute(&mut *db).await?;
//!     if booked.rows_affected() == 0 {
//!         return Err(sqlx::Error::RowNotFound);
//!     }
//!     let booking = sqlx::query_scalar("INSERT INTO bookings (show) VALUES ($1) RETURNING id");
//!     booking.bind(&order.show).fetch_one(db).await
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let store = PgStore::new(PgPool::connect("postgres://app@127.0.0.1/app").await?).await?;
//! let order = Order { show: "matinee".to_owned(), booking: 0 };
//! Shop::runner().store(store).run_id("order-7").run(order).await?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # Guarantees
//!
//! - An entry that was appended survives a crash of the program, and of the server as far as its `synchronous_commit` is on.
//! - One program drives a run at a time. Its lease is worth something as long as its heartbeat renews it, by the clock of the
//!   server; each write names the token of its lease in the same statement, so that a driver which lost its lease can't write.
//! - An operation whose connection is lost is repeated, and is not done twice: an append is recognised by the hash of its last
//!   entry.
//! - Each entry has a hash, which chains it to those before; a mismatch is
//!   [`StoreError::Corrupt`](cot_store::StoreError::Corrupt), and [`PgStore::cut`] removes a damaged tail on request.
//!
//! # How it works
//!
//! An append is one statement: it inserts the entries, updates the row of the run, and adds what was spent. A run is one row, which
//! also has its lease, its answer and its request to be cancelled, so that the lock of this row is all that keeps a driver and
//! others apart. What runs have spent is summed up by run, so that no two drivers wait for each other.
//!
//! The store needs a tokio runtime: that of the pool. Heartbeats, releases and notifications have up to two connections beside the
//! pool, and appends two more, so that they don't wait for the work of the program. Where notifications don't come through (pgbouncer), the store
//! looks into the database once a second while runs wait. The guide *Postgres* of `cot-core` has the rest.
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `store` is the facade; `database` has the pool and repeats what is worth repeating; `append` writes entries, the rows
// of runs and what was spent in one statement (`batch`); `driving` has leases, which the
// heartbeat of their owner keeps; `waiting` has answers and requests to cancel, and the task that receives their notifications; `prompt`
// shares the texts of prompts; `schema/*.sql` defines the tables and views, a file for each version.

mod append;
mod blobs;
mod column;
mod database;
mod driving;
mod error;
mod journal;
mod maintenance;
mod open;
mod options;
mod processes;
mod prompt;
mod runs;
mod schema;
mod spending;
mod store;
mod text;
mod transaction;
mod upkeep;
mod waiting;

pub use options::PgOptions;
pub use store::PgStore;
