//! A stored run as a case of an eval.

use std::borrow::Cow;

use cot_engine::Snapshot;
use cot_model::internal::inline_blobs;
use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use crate::{
    error::StoreError,
    fork::snapshot_at,
    run_id::RunId,
    status::{EndKind, Status},
    store::Store,
    summary::RunSummary,
};

/// What is right in a case.
#[derive(Debug, Clone)]
pub enum Right {
    /// The case does not say it.
    Unsaid,
    /// The state in which the run ended.
    LastState,
    /// This JSON.
    Json(Box<RawValue>),
}

/// The error for a run that can't be made a case.
#[derive(thiserror::Error)]
pub enum CaseLineError {
    /// The last state of a run is right only if the run ended well.
    #[error("the run `{run}` has not ended well, so that its last state is not what is right")]
    NoEnd {
        /// The run.
        run: RunId,
    },
    /// The run can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A state is not JSON.
    #[error("the state can't be written")]
    Json(#[from] serde_json::Error),
}

cot_schema::debug_as_sentence!(CaseLineError);

#[derive(Serialize)]
struct CaseLine<'a> {
    name: &'a RunId,
    state: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
}

/// Writes a run as a case of an eval: a line of JSON, with the state in which the run started. Images and
/// documents have their bytes in it, since a case belongs to no store.
///
/// # Errors
///
/// [`CaseLineError`].
pub async fn case_line(
    store: &dyn Store,
    run: &RunSummary,
    right: &Right,
    tags: &[String],
) -> Result<Box<RawValue>, CaseLineError> {
    let start = snapshot_at(store, &run.run, 0).await?;
    let end = match (right, &run.status) {
        (Right::LastState, Status::Ended { how: EndKind::End | EndKind::RanOut, .. }) => {
            Some(snapshot_at(store, &run.run, run.steps).await?)
        }
        (Right::LastState, _) => return Err(CaseLineError::NoEnd { run: run.run.clone() }),
        (Right::Unsaid | Right::Json(_), _) => None,
    };
    let end = end.as_ref().map(whole_state).transpose()?;
    let expected = match right {
        Right::Json(json) => Some(&**json),
        _ => end.as_deref(),
    };
    let line = CaseLine { name: &run.run, state: &whole_state(&start)?, expected, tags };
    let line = to_raw_value(&line)?;
    if !line.get().contains(['\n', '\r']) {
        return Ok(line);
    }
    // What is right may be written on several lines.
    Ok(to_raw_value(&serde_json::from_str::<Value>(line.get())?)?)
}

/// Returns the state with the bytes of its images and documents.
fn whole_state(snapshot: &Snapshot) -> serde_json::Result<Cow<'_, RawValue>> {
    if snapshot.blobs().is_empty() {
        return Ok(Cow::Borrowed(snapshot.state()));
    }
    let mut state: Value = serde_json::from_str(snapshot.state().get())?;
    inline_blobs(&mut state, snapshot.blobs());
    to_raw_value(&state).map(Cow::Owned)
}
