//! How well a run did: scores, and the usual comparisons that give them.
//!
//! A scorer is a function from a [`Trial`](crate::Trial) to a score: to a [`Score`], a `bool`, a number from 0 to 1, or
//! the result of a `check` of the process.

use std::{collections::BTreeSet, fmt::Debug};

use cot_schema::{Issues, OutputSchema};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How well a run did, by one scorer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Score {
    /// From 0, all wrong, to 1, all right.
    pub value: f64,
    /// What is wrong; empty if nothing is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The verdict of a judge, and what people say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
}

/// A verdict of a judge, and the label that people gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Judgement {
    /// What the judge says.
    pub verdict: String,
    /// What people say.
    pub label: String,
}

impl Score {
    /// All is right.
    pub const PASS: Self = Self { value: 1.0, why: String::new(), judgement: None };

    /// Creates the score of a run in which all is wrong.
    #[must_use]
    pub fn fail(why: impl Into<String>) -> Self {
        Self::partial(0.0, why)
    }

    /// Creates a score between 0 and 1. A value outside, or NaN, counts as the nearest, or as 0.
    #[must_use]
    pub fn partial(value: f64, why: impl Into<String>) -> Self {
        let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        Self { value, why: why.into(), judgement: None }
    }

    /// Adds the verdict of a judge, and the label that people gave to the same case, if there is one. Reports say how far
    /// [the two agree](crate::Report::agreement). Both are compared by their JSON, as texts.
    ///
    /// ```
    /// use cot_core::eval::score::Score;
    ///
    /// #[derive(serde::Serialize)]
    /// #[serde(rename_all = "snake_case")]
    /// enum Tone {
    ///     Friendly,
    ///     Rude,
    /// }
    ///
    /// let score = Score::fail("it is rude").labelled(&Tone::Rude, Some(&Tone::Friendly));
    /// assert_eq!(score.judgement.unwrap().verdict, "rude");
    /// ```
    #[must_use]
    pub fn labelled<T: Serialize>(mut self, verdict: &T, label: Option<&T>) -> Self {
        let word = |value: &T| match serde_json::to_value(value) {
            Ok(Value::String(word)) => word,
            Ok(other) => other.to_string(),
            Err(error) => error.to_string(),
        };
        self.judgement =
            label.map(|label| Judgement { verdict: word(verdict), label: word(label) });
        self
    }
}

impl From<bool> for Score {
    fn from(is_right: bool) -> Self {
        if is_right { Self::PASS } else { Self::fail("") }
    }
}

/// A number from 0 to 1. Of another one, as on a scale to 5, all is wrong.
impl From<f64> for Score {
    fn from(value: f64) -> Self {
        match (0.0..=1.0).contains(&value) {
            true => Self::partial(value, ""),
            false => Self::fail(format!("{value} is no score from 0 to 1")),
        }
    }
}

/// The score of a `check`: of an output that it accepts, all is right.
impl From<Result<(), Issues>> for Score {
    fn from(checked: Result<(), Issues>) -> Self {
        checked.map_or_else(|issues| Self::fail(issues.to_string()), |()| Self::PASS)
    }
}

/// Scores that a value is the right one.
#[must_use]
pub fn equal<T: PartialEq + Debug + ?Sized>(found: &T, right: &T) -> Score {
    if found == right { Score::PASS } else { Score::fail(format!("{found:?} is not {right:?}")) }
}

/// Scores which share of the members and items of a value is right, compared as JSON. What the right value lacks counts
/// as wrong, too.
///
/// ```
/// use cot_core::eval::score;
/// use serde_json::json;
///
/// let found = json!({"name": "Ann", "age": 30, "city": "Rome"});
/// let score = score::fields(&found, &json!({"name": "Ann", "age": 31, "city": "Rome"}));
/// assert!((score.value - 2.0 / 3.0).abs() < 1e-9);
/// assert_eq!(score.why, "$.age: 30 is not 31");
/// ```
#[must_use]
pub fn fields(found: &impl Serialize, right: &impl Serialize) -> Score {
    let (found, right) = match (serde_json::to_value(found), serde_json::to_value(right)) {
        (Ok(found), Ok(right)) => (found, right),
        (Err(error), _) | (_, Err(error)) => return Score::fail(error.to_string()),
    };
    let mut compared = Compared::default();
    compared.add("$", Some(&found), Some(&right));
    Score::partial(compared.right as f64 / compared.all.max(1) as f64, compared.wrong.join("; "))
}

/// The parts of two values.
#[derive(Default)]
struct Compared {
    all: usize,
    right: usize,
    wrong: Vec<String>,
}

impl Compared {
    fn add(&mut self, path: &str, found: Option<&Value>, right: Option<&Value>) {
        match (found, right) {
            (Some(Value::Object(found)), Some(Value::Object(right))) if !right.is_empty() => {
                let keys: BTreeSet<&String> = found.keys().chain(right.keys()).collect();
                for key in keys {
                    self.add(&format!("{path}.{key}"), found.get(key), right.get(key));
                }
            }
            (Some(Value::Array(found)), Some(Value::Array(right))) if !right.is_empty() => {
                for index in 0..found.len().max(right.len()) {
                    self.add(&format!("{path}[{index}]"), found.get(index), right.get(index));
                }
            }
            (found, right) => self.add_leaf(path, found, right),
        }
    }

    fn add_leaf(&mut self, path: &str, found: Option<&Value>, right: Option<&Value>) {
        self.all += 1;
        if found == right {
            self.right += 1;
            return;
        }
        self.wrong.push(match (found, right) {
            (Some(found), Some(right)) => format!("{path}: {found} is not {right}"),
            (None, Some(right)) => format!("{path}: {right} is missing"),
            (Some(found), None) => format!("{path}: {found} is too much"),
            (None, None) => path.to_owned(),
        });
    }
}

/// Scores that a text contains another one, without regard to case.
#[must_use]
pub fn contains(text: &str, part: &str) -> Score {
    if text.to_lowercase().contains(&part.to_lowercase()) {
        Score::PASS
    } else {
        Score::fail(format!("it lacks {part:?}"))
    }
}

/// Scores that a regular expression matches somewhere in a text.
#[must_use]
pub fn matches(text: &str, pattern: &str) -> Score {
    match Regex::new(pattern) {
        Ok(regex) if regex.is_match(text) => Score::PASS,
        Ok(_) => Score::fail(format!("nothing in it matches `{pattern}`")),
        Err(error) => Score::fail(error.to_string()),
    }
}

/// Scores that a value fits a JSON Schema: in most cases a stricter one than that of its type.
///
/// ```
/// use cot_core::eval::score;
/// use serde_json::json;
///
/// let score = score::schema(&"Bills", &json!({ "type": "string", "pattern": "^[a-z]+$" }));
/// assert_eq!(score.why, "$: must match the pattern `^[a-z]+$`");
/// ```
#[must_use]
pub fn schema(found: &impl Serialize, schema: &Value) -> Score {
    let found = match serde_json::to_value(found) {
        Ok(found) => found,
        Err(error) => return Score::fail(error.to_string()),
    };
    OutputSchema::from_json("value", schema.clone()).validate(&found).into()
}

/// Scores that a number is at most `tolerance` away from the right one.
#[must_use]
pub fn within(found: f64, right: f64, tolerance: f64) -> Score {
    if (found - right).abs() <= tolerance {
        Score::PASS
    } else {
        Score::fail(format!("{found} is more than {tolerance} away from {right}"))
    }
}

/// Scores how far two sets agree: the harmonic mean of precision and recall (F1). Two empty sets agree.
#[must_use]
pub fn overlap<T: Ord + Debug>(
    found: impl IntoIterator<Item = T>,
    right: impl IntoIterator<Item = T>,
) -> Score {
    let [found, right] = [found.into_iter().collect(), right.into_iter().collect::<BTreeSet<T>>()];
    if found == right {
        return Score::PASS;
    }
    let both = found.intersection(&right).count();
    let value = 2.0 * both as f64 / (found.len() + right.len()) as f64;
    let missing: Vec<&T> = right.difference(&found).collect();
    let wrong: Vec<&T> = found.difference(&right).collect();
    Score::partial(value, format!("missing: {missing:?}; wrong: {wrong:?}"))
}

/// Scores that all is right that other scores say: the least of them, with their reasons, and the first judgement.
#[must_use]
pub fn all(scores: impl IntoIterator<Item = Score>) -> Score {
    scores.into_iter().fold(Score::PASS, |all, score| {
        let why = [all.why, score.why].into_iter().filter(|why| !why.is_empty());
        Score {
            value: all.value.min(score.value),
            why: why.collect::<Vec<_>>().join("; "),
            judgement: all.judgement.or(score.judgement),
        }
    })
}

/// Scores the mean of other scores; of none, that all is right.
#[must_use]
pub fn mean(scores: impl IntoIterator<Item = Score>) -> Score {
    let scores: Vec<Score> = scores.into_iter().collect();
    let sum: f64 = scores.iter().map(|score| score.value).sum();
    let value = if scores.is_empty() { 1.0 } else { sum / scores.len() as f64 };
    Score { value, ..all(scores) }
}
