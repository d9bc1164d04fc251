//! The results of other libraries, which `../peers` writes.

use std::{collections::BTreeMap, fs, path::PathBuf, time::Duration};

use cot_core::{
    Usage,
    eval::{Report, TrialResult},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    BenchError,
    bench::{Answer, cases, figures, joined},
    kinds::KINDS,
};

/// The result of a case: a line of JSON.
#[derive(Deserialize)]
pub(crate) struct PeerResult {
    id: String,
    kind: String,
    model: String,
    /// The name of the library with its setting.
    setting: String,
    seed: u32,
    /// The final value; `None` if every reply was rejected.
    value: Option<Value>,
    calls: u64,
    prompt_tokens: u64,
    reply_tokens: u64,
}

/// Judges results as those of the bench.
///
/// # Errors
///
/// If a file can't be read, or a line of it, or if a result is of no case.
pub(crate) fn judge(files: &[PathBuf]) -> Result<Report, BenchError> {
    let mut reports = Vec::new();
    for file in files {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
        for (index, line) in text.lines().enumerate() {
            let report =
                judge_line(line).map_err(|error| format!("{name}:{}: {error}", index + 1))?;
            reports.push(report);
        }
    }
    joined(reports)
}

/// Judges one result.
fn judge_line(line: &str) -> Result<Report, BenchError> {
    let result: PeerResult = serde_json::from_str(line)?;
    let kind = KINDS.iter().find(|kind| kind.name == result.kind);
    let kind = kind.ok_or_else(|| format!("there is no kind `{}`", result.kind))?;
    let (trial, scorers) = (kind.judge)(&result)?;
    Ok(serde_json::from_value(json!({
        "name": format!("prompts on {}", result.model),
        "process": "prompts",
        "variants": [result.setting],
        "scorers": scorers,
        "trials": [trial],
        "left_out": 0,
        "paid": trial.usage,
    }))?)
}

/// A trial, and the scorers with the score that each asks for.
pub(crate) type Judged = (TrialResult, BTreeMap<&'static str, f64>);

/// Judges the result of a kind.
///
/// # Errors
///
/// If there is no such case.
pub(crate) fn judge_kind<T: Serialize + DeserializeOwned>(
    result: &PeerResult,
) -> Result<Judged, BenchError> {
    let cases = cases::<T>(&result.kind, None)?;
    let case = cases.into_iter().find(|case| case.name == result.id);
    let case = case.ok_or_else(|| format!("there is no case `{}`", result.id))?;
    let value = result.value.as_ref().and_then(|value| T::deserialize(value).ok());
    let answer =
        Answer { value: value.as_ref(), is_valid: result.value.is_some(), calls: result.calls };
    let figures = figures::<T>();
    let scores = figures.map(|(name, _, figure)| (name, figure(&answer, &case.expected)));
    let mut usage = Usage::for_call(result.prompt_tokens, result.reply_tokens);
    usage.calls = result.calls;
    let trial = json!({
        "variant": result.setting,
        "case": case.name,
        "tags": case.tags,
        "repeat": result.seed,
        "passed": scores.iter().zip(&figures).all(|((_, score), (_, least, _))| score.value >= *least),
        "scores": BTreeMap::from(scores),
        "usage": usage,
        "elapsed": Duration::ZERO,
        "tasks": {},
    });
    let scorers = figures.map(|(name, least, _)| (name, least));
    Ok((serde_json::from_value(trial)?, scorers.into()))
}
