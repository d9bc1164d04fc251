//! A stored run as a case of an eval.

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
    /// Without the description of its process, nobody knows which fields are private.
    #[error(
        "the store has no description of the process `{process}`, so that its private fields are not known: `--private` makes a \
         case with all fields"
    )]
    Undescribed {
        /// The process.
        process: String,
    },
    /// A private field is no member of its own.
    #[error(
        "a private field of the process `{process}` can't be told from others, since serde flattens it: `--private` makes a case \
         with all fields"
    )]
    Flattened {
        /// The process.
        process: String,
    },
    /// The run can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A state is not JSON.
    #[error("the state can't be written")]
    Json(#[from] serde_json::Error),
}

cot_schema::debug_as_sentence!(CaseLineError);

/// What a case has besides the state in which its run started.
#[derive(Debug, Clone)]
pub struct CaseParts {
    /// What is right.
    pub right: Right,
    /// The tags of the case.
    pub tags: Vec<String>,
    /// Whether the case has the fields of the state that the process declares as private.
    pub has_private: bool,
}

#[derive(Serialize)]
struct CaseLine<'a> {
    name: &'a RunId,
    state: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    /// The private fields that the case lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

/// Writes a run as a case of an eval: a line of JSON, with the state in which the run started. Images and
/// documents have their bytes in it, since a case belongs to no store. Fields of the state that the newest program declares as
/// private, and those to which its tasks write what they make of these, are left out unless they are asked for or empty. The
/// case names them.
///
/// # Errors
///
/// [`CaseLineError`].
pub async fn case_line(
    store: &dyn Store,
    run: &RunSummary,
    CaseParts { right, tags, has_private }: &CaseParts,
) -> Result<Box<RawValue>, CaseLineError> {
    let private =
        if *has_private { Vec::new() } else { private_members(store, &run.process).await? };
    let start = snapshot_at(store, &run.run, 0).await?;
    let end = match (right, &run.status) {
        (Right::LastState, Status::Ended { how: EndKind::End | EndKind::RanOut, .. }) => {
            Some(snapshot_at(store, &run.run, run.steps).await?)
        }
        (Right::LastState, _) => return Err(CaseLineError::NoEnd { run: run.run.clone() }),
        (Right::Unsaid | Right::Json(_), _) => None,
    };
    let mut left_out = Vec::new();
    let state = shown_state(&start, &private, "state", &mut left_out)?;
    let end = end.map(|end| shown_state(&end, &private, "expected", &mut left_out)).transpose()?;
    let expected = match right {
        Right::Json(json) => Some(&**json),
        _ => end.as_deref(),
    };
    let line = CaseLine { name: &run.run, state: &state, expected, tags, left_out };
    let line = to_raw_value(&line)?;
    if !line.get().contains(['\n', '\r']) {
        return Ok(line);
    }
    // What is right may be written on several lines.
    Ok(to_raw_value(&serde_json::from_str::<Value>(line.get())?)?)
}

/// Returns the members of the state that can hold private values, as the description of the process says.
async fn private_members(store: &dyn Store, process: &str) -> Result<Vec<String>, CaseLineError> {
    let Some(described) = store.process(process).await? else {
        return Err(CaseLineError::Undescribed { process: process.to_owned() });
    };
    let trust = described.manifest.get("trust").unwrap_or(&Value::Null);
    let names = trust.get("private_members").or_else(|| trust.get("private"));
    let names = names.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let names: Vec<String> = names.map(str::to_owned).collect();
    match names.iter().any(|name| name == "*") {
        true => Err(CaseLineError::Flattened { process: process.to_owned() }),
        false => Ok(names),
    }
}

/// Returns the state with the bytes of its images and documents, and without private fields. These are added to
/// `left_out`, with the name of the part of the case before theirs.
fn shown_state(
    snapshot: &Snapshot,
    private: &[String],
    part: &str,
    left_out: &mut Vec<String>,
) -> serde_json::Result<Box<RawValue>> {
    if snapshot.blobs().is_empty() && private.is_empty() {
        return Ok(snapshot.state().to_owned());
    }
    let mut state: Value = serde_json::from_str(snapshot.state().get())?;
    inline_blobs(&mut state, snapshot.blobs());
    for field in private {
        let members = state.as_object_mut();
        let is_left_out = members.is_some_and(|members| {
            let holds = members.get(field).is_some_and(|value| !is_empty(value));
            holds && members.remove(field).is_some()
        });
        if is_left_out {
            left_out.push(format!("{part}.{field}"));
        }
    }
    to_raw_value(&state)
}

/// Returns whether a value says nothing, so that the case can have it.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
