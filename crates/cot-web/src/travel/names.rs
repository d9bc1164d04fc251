//! Names of new runs.

use cot_store::{RunId, StoreError};

use crate::{error::PageError, fields::Fields, visit::Visit};

/// The number of names that are tried.
const TRIED: u32 = 100;

/// Returns a name for a fork that no run has yet; empty if none is found.
pub(super) async fn for_fork(visit: &Visit, run: &RunId, at: u64) -> Result<String, PageError> {
    for number in 1..=TRIED {
        let again = if number == 1 { String::new() } else { format!("-{number}") };
        let Ok(name) = format!("{run}-at-{at}{again}").parse::<RunId>() else { break };
        if visit.store().run(&name).await?.is_none() {
            return Ok(name.to_string());
        }
    }
    Ok(String::new())
}

/// Reads the name of a new run.
pub(super) fn entered(fields: &Fields) -> Result<Option<RunId>, String> {
    let Some(name) = fields.filled("name") else { return Ok(None) };
    name.parse().map(Some).map_err(|error: cot_store::ParseRunIdError| format!("{error}."))
}

/// Returns the issue of a name that another run has; other errors are pages.
pub(super) fn taken(error: StoreError) -> Result<String, PageError> {
    match error {
        StoreError::RunExists { .. } => Ok("A run has this name already.".to_owned()),
        other => Err(other.into()),
    }
}
