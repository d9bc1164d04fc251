//! Error messages of stores, with advice.

use std::error::Error;

use annotate_snippets::Level;
use cot_store::StoreError;

use crate::{
    message,
    verdict::{Outcome, Verdict},
};

/// Prints a store error with advice. Returns other errors unchanged.
pub(crate) fn report(error: Box<dyn Error>) -> Outcome {
    let Some(error) = error.downcast_ref::<StoreError>() else { return Err(error) };
    message::error(error);
    if let Some(advice) = advice(error) {
        message::print(Level::HELP, advice);
    }
    Ok(verdict(error))
}

/// Classifies a store error: a run in another state than expected is a finding, not a failure.
const fn verdict(error: &StoreError) -> Verdict {
    match error {
        StoreError::UnknownRun { .. }
        | StoreError::RunExists { .. }
        | StoreError::UnknownStep { .. }
        | StoreError::NotBegun { .. }
        | StoreError::HasEnded { .. }
        | StoreError::Leased { .. }
        | StoreError::NotAsked { .. } => Verdict::Findings,
        _ => Verdict::Failed,
    }
}

fn advice(error: &StoreError) -> Option<String> {
    Some(match error {
        StoreError::UnknownRun { .. } => "`cot runs list` shows the runs of the store".to_owned(),
        StoreError::RunExists { .. } => {
            "give the new run another name, a fork with `--as` and a start with `--id`".to_owned()
        }
        StoreError::HasEnded { run } => format!("`cot runs show {run}` shows how it ended"),
        StoreError::UnknownStep { run, .. } => format!("`cot runs show {run}` shows its steps"),
        StoreError::Leased { .. } => {
            "wait until that program has finished the run, or stop it first".to_owned()
        }
        StoreError::NotAsked { run, .. } => {
            format!("`cot runs show {run}` shows its current question")
        }
        StoreError::Corrupt { run, entry, .. } if *entry > 0 => format!(
            "the entries before it are readable: `cot runs cut {run} --from {entry} --yes` removes it and all \
             after it; copy the file first"
        ),
        StoreError::Corrupt { run, .. } => {
            format!(
                "the run can't be used: `cot runs remove {run} --yes` removes it; copy the file first"
            )
        }
        StoreError::Full { .. } => "free disk space, or prune old runs".to_owned(),
        StoreError::ReadOnly { .. } => {
            "this needs write permission for the file and its folder".to_owned()
        }
        _ => return None,
    })
}

/// Prints what the command would do irreversibly, and asks for `--yes`.
pub(super) fn refuse_without_yes(what: String) -> Verdict {
    message::print(Level::ERROR, what);
    message::print(Level::HELP, "copy the file first, then add `--yes`");
    Verdict::Failed
}
