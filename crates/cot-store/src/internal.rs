//! Items for the other crates of this workspace. Semantic versioning does not cover them.

pub use crate::{
    chain::{ContentHash, TextDigest},
    history::run::read_journal,
    journal::journal::{RecoveredRun, SnapshotEncoder},
    questions::{know_process, know_questions},
};
