//! Cases in JSON Lines.

use serde::{
    Deserialize,
    de::{DeserializeOwned, IntoDeserializer, value::Error as ValueError},
};
use serde_json::Value;

use super::{case::Case, error::CaseError, unique_cases::UniqueCases};

/// A line as it is written.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    bound = "S: Deserialize<'de>, E: Deserialize<'de>, I: Deserialize<'de>"
)]
struct Line<S, E, I> {
    name: String,
    // Not `Option<S>` without a function, since `null` has to stay what it means to `S`.
    #[serde(default = "left_out", deserialize_with = "given")]
    state: Option<S>,
    #[serde(default = "left_out", deserialize_with = "given")]
    inputs: Option<I>,
    #[serde(default = "left_out", deserialize_with = "given")]
    expected: Option<E>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default, rename = "left_out")]
    _left_out: Vec<String>,
}

/// The members of the parts of a case from which private fields were left out.
#[derive(Deserialize)]
struct Parts {
    #[serde(default)]
    left_out: Vec<String>,
    #[serde(default)]
    state: Value,
    #[serde(default)]
    expected: Value,
}

fn left_out<E>() -> Option<E> {
    None
}

fn given<'de, E: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<E>, D::Error> {
    E::deserialize(deserializer).map(Some)
}

impl<S: DeserializeOwned, E: DeserializeOwned, I: DeserializeOwned> Case<S, E, I> {
    /// Reads cases from JSON Lines: an object for each line, with `name`, `state`, `inputs`, `expected` and `tags`. `tags` can
    /// be left out, and so can an `expected` and `inputs` that may be null, and a state of which no member is needed. Empty
    /// lines are skipped. The private fields that `left_out` names need a value.
    ///
    /// # Errors
    ///
    /// The first line that is not a case, or repeats a name, with line and column; a text without a case.
    pub fn from_json_lines(text: &str) -> Result<Vec<Self>, CaseError> {
        let mut cases = UniqueCases::new();
        for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            cases.add(index + 1, read(text))?;
        }
        cases.finish()
    }
}

/// Reads a case. The error is a column and a reason.
fn read<S, E, I>(text: &str) -> Result<Case<S, E, I>, (usize, String)>
where
    S: DeserializeOwned,
    E: DeserializeOwned,
    I: DeserializeOwned,
{
    if text.contains("left_out") {
        check_left_out(text)?;
    }
    let Line { name, state, inputs, expected, tags, .. } =
        serde_json::from_str::<Line<S, E, I>>(text).map_err(|error| located(&error))?;
    let missing = |part: &str| (text.len(), format!("`{part}` is missing"));
    let state = state.or_else(|| serde_json::from_str("{}").ok()).or_else(null);
    Ok(Case {
        name,
        state: state.ok_or_else(|| missing("state"))?,
        inputs: inputs.or_else(null).ok_or_else(|| missing("inputs"))?,
        expected: expected.or_else(null).ok_or_else(|| missing("expected"))?,
        tags,
    })
}

/// Checks that the values are there which `cot runs case` left out.
fn check_left_out(text: &str) -> Result<(), (usize, String)> {
    let Ok(parts) = serde_json::from_str::<Parts>(text) else {
        // The case is read after that, with an error of its own.
        return Ok(());
    };
    for path in &parts.left_out {
        let (part, field) = path.split_once('.').unwrap_or(("state", path));
        let part = if part == "expected" { &parts.expected } else { &parts.state };
        if part.get(field).is_none() {
            let column = text.find("\"left_out\"").map_or(1, |index| index + 1);
            let reason = format!(
                "the private field `{path}` was left out: write its value there, or make the case with `--private`"
            );
            return Err((column, reason));
        }
    }
    Ok(())
}

/// Reads what a missing value stands for, if it can be missing.
fn null<E: DeserializeOwned>() -> Option<E> {
    E::deserialize(IntoDeserializer::<ValueError>::into_deserializer(())).ok()
}

fn located(error: &serde_json::Error) -> (usize, String) {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    (error.column().max(1), text.strip_suffix(&place).unwrap_or(&text).to_owned())
}
