//! Input that nobody hopes for.

mod replies;
mod snapshots;
