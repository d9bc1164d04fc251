//! Cases in JSON Lines.

use serde::{
    Deserialize,
    de::{DeserializeOwned, IntoDeserializer, value::Error as ValueError},
};

use super::{case::Case, error::CaseError, unique_cases::UniqueCases};

/// A line as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "S: Deserialize<'de>, E: Deserialize<'de>")]
struct Line<S, E> {
    name: String,
    state: S,
    // Not `Option<E>` with a default, since `null` has to stay what it means to `E`.
    #[serde(default = "left_out", deserialize_with = "given")]
    expected: Option<E>,
    #[serde(default)]
    tags: Vec<String>,
}

fn left_out<E>() -> Option<E> {
    None
}

fn given<'de, E: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<E>, D::Error> {
    E::deserialize(deserializer).map(Some)
}

impl<S: DeserializeOwned, E: DeserializeOwned> Case<S, E> {
    /// Reads cases from JSON Lines: an object for each line, with `name`, `state`, `expected` and `tags`. `tags` can be
    /// left out, and so can an `expected` that may be null. Empty lines are skipped.
    ///
    /// # Errors
    ///
    /// The first line that is not a case, or repeats a name, with line and column.
    pub fn from_json_lines(text: &str) -> Result<Vec<Self>, CaseError> {
        let mut cases = UniqueCases::new();
        for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            cases.add(index + 1, read(text))?;
        }
        Ok(cases.cases)
    }
}

/// Reads a case. The error is a column and a reason.
fn read<S, E>(text: &str) -> Result<Case<S, E>, (usize, String)>
where
    S: DeserializeOwned,
    E: DeserializeOwned,
{
    let Line { name, state, expected, tags } =
        serde_json::from_str::<Line<S, E>>(text).map_err(|error| located(&error))?;
    let expected = match expected {
        Some(expected) => expected,
        None => null().map_err(|_| (text.len(), "`expected` is missing".to_owned()))?,
    };
    Ok(Case { name, state, expected, tags })
}

/// Reads what a missing value stands for.
fn null<E: DeserializeOwned>() -> Result<E, ValueError> {
    E::deserialize(().into_deserializer())
}

fn located(error: &serde_json::Error) -> (usize, String) {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    (error.column().max(1), text.strip_suffix(&place).unwrap_or(&text).to_owned())
}
