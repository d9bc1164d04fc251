//! What this program knows of a run that it drives.

use cot_store::{EntryHash, RunSummary, internal::RunTexts};

use crate::runs::table::StoredRun;

/// A run as its driver has left it in the database.
#[derive(Debug)]
pub(crate) struct Driven {
    pub(crate) id: i64,
    pub(crate) summary: Option<RunSummary>,
    pub(crate) hash: Option<EntryHash>,
    pub(crate) texts: RunTexts,
}

impl Driven {
    pub(crate) fn new(StoredRun { id, summary, hash, .. }: StoredRun) -> Self {
        Self { id, summary, hash, texts: RunTexts::default() }
    }
}
