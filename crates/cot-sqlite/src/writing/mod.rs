//! Writing: the thread that commits, its connection and caches, and the thread that moves the write-ahead log.

pub(crate) mod checkpointer;
pub(crate) mod log_length;
pub(crate) mod run_cache;
pub(crate) mod transaction;
pub(crate) mod write_connection;
pub(crate) mod writer;
