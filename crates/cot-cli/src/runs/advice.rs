//! What to do about what went wrong with a store.

use std::error::Error;

use annotate_snippets::Level;
use cot_core::store::StoreError;

use crate::{
    message,
    verdict::{Outcome, Verdict},
};

/// Says what went wrong with a store, and what to do. Other errors are not said here.
pub(super) fn tell(error: Box<dyn Error>) -> Outcome {
    let Some(error) = error.downcast_ref::<StoreError>() else { return Err(error) };
    message::error(error);
    if let Some(advice) = advice(error) {
        message::say(Level::HELP, advice);
    }
    Ok(verdict(error))
}

/// A run that is not as it was thought to be is no fault of the store.
const fn verdict(error: &StoreError) -> Verdict {
    match error {
        StoreError::UnknownRun { .. }
        | StoreError::RunExists { .. }
        | StoreError::UnknownStep { .. }
        | StoreError::Leased { .. }
        | StoreError::NotAsked { .. } => Verdict::Findings,
        _ => Verdict::Failed,
    }
}

fn advice(error: &StoreError) -> Option<String> {
    Some(match error {
        StoreError::UnknownRun { .. } => "`cot runs list` shows the runs of the store".to_owned(),
        StoreError::RunExists { .. } => "give the fork another name with `--as`".to_owned(),
        StoreError::UnknownStep { run, .. } => format!("`cot runs show {run}` shows its steps"),
        StoreError::Leased { .. } => {
            "wait until that program is done with the run, or stop it first".to_owned()
        }
        StoreError::NotAsked { run, .. } => format!("`cot runs show {run}` shows what it asks now"),
        StoreError::Corrupt { run, entry, .. } if *entry > 0 => format!(
            "the entries before it can be used: `cot runs cut {run} --from {entry} --yes` drops it and all \
             after it; copy the file first"
        ),
        StoreError::Corrupt { run, .. } => {
            format!(
                "nothing of it can be used: `cot runs remove {run} --yes` forgets it; copy the file first"
            )
        }
        StoreError::Full { .. } => "make room on the disk, or prune old runs".to_owned(),
        StoreError::ReadOnly { .. } => {
            "it takes the right to write to the file and to its folder".to_owned()
        }
        _ => return None,
    })
}

/// Says what would be done, and can't be undone.
pub(super) fn refuse_without_yes(what: String) -> Verdict {
    message::say(Level::ERROR, what);
    message::say(Level::HELP, "copy the file first, then add `--yes`");
    Verdict::Failed
}
