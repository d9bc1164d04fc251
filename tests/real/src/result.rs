//! The result of a case, a line of JSON each.

use std::{fs, io::ErrorKind, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ask::{Asked, BenchError},
    case::{Case, Half, cases},
    kinds::Kind,
    server::{Server, Setting},
};

/// The result of a case with a setting and a seed. `../peers` writes such results, too.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CaseResult {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) half: Half,
    pub(crate) model: String,
    /// The name of a [`Setting`], or of another library with its setting.
    pub(crate) setting: String,
    pub(crate) seed: u64,
    pub(crate) temperature: f64,
    /// Whether the final value is exactly the right one. Judged when a result is read.
    #[serde(skip_deserializing)]
    pub(crate) right: bool,
    /// The final value; `None` if every reply was rejected.
    pub(crate) value: Option<Value>,
    pub(crate) calls: u64,
    pub(crate) prompt_tokens: u64,
    pub(crate) reply_tokens: u64,
    /// The replies that were rejected.
    pub(crate) rejected: Vec<Rejected>,
}

/// A reply that was rejected, with its issues.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Rejected {
    pub(crate) reply: String,
    pub(crate) issues: Vec<String>,
}

/// What two results that can be compared have in common: case, model, setting and seed.
pub(crate) type Key<'a> = (&'a str, &'a str, &'a str, u64);

impl CaseResult {
    pub(crate) fn new(case: &Case, server: &Server, setting: Setting, asked: Asked) -> Self {
        let rejected = asked.failed.into_iter().map(|attempt| Rejected {
            reply: attempt.reply,
            issues: attempt.issues.iter().map(ToString::to_string).collect(),
        });
        Self {
            id: case.id.clone(),
            kind: case.kind,
            half: case.half,
            model: server.model.clone(),
            setting: name(setting),
            seed: server.seed,
            temperature: server.temperature,
            right: case.is_right(asked.value.as_ref()),
            value: asked.value,
            calls: asked.usage.calls,
            prompt_tokens: asked.usage.input_tokens,
            reply_tokens: asked.usage.output_tokens,
            rejected: rejected.collect(),
        }
    }

    pub(crate) fn key(&self) -> Key<'_> {
        (&self.id, &self.model, &self.setting, self.seed)
    }

    pub(crate) const fn is_valid(&self) -> bool {
        self.value.is_some()
    }

    pub(crate) const fn is_first_valid(&self) -> bool {
        self.is_valid() && self.rejected.is_empty()
    }

    /// The number of calls after the first one.
    pub(crate) const fn retries(&self) -> u64 {
        self.calls.saturating_sub(1)
    }

    /// Returns the result in a few words.
    pub(crate) fn verdict(&self) -> &'static str {
        match (self.is_valid(), self.right) {
            (_, true) => "right",
            (true, false) => "wrong",
            (false, false) => "rejected",
        }
    }
}

/// Returns the name that an option has in results and on the command line.
pub(crate) fn name(option: impl Serialize) -> String {
    let name = serde_json::to_value(option).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

/// Reads results, and judges their values; none if there is no file.
///
/// # Errors
///
/// If the file can't be read, or a line of it, or if a result is of no case.
pub(crate) fn read_results(file: &Path) -> Result<Vec<CaseResult>, BenchError> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| format!("{}: {error}", file.display()))?,
    };
    let cases = cases()?;
    let read = |(number, line)| {
        let place = |error| format!("{}:{}: {error}", file.display(), number + 1).into();
        judged(line, &cases).map_err(place)
    };
    text.lines().enumerate().map(read).collect()
}

fn judged(line: &str, cases: &[Case]) -> Result<CaseResult, BenchError> {
    let mut result: CaseResult = serde_json::from_str(line)?;
    let case = cases.iter().find(|case| case.id == result.id);
    let case = case.ok_or_else(|| format!("there is no case `{}`", result.id))?;
    result.right = case.is_right(result.value.as_ref());
    Ok(result)
}
