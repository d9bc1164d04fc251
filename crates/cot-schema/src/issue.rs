//! Errors in replies, with messages that help the model to correct them.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{
    path::{PathSegment, format_path},
    text::truncate,
};

/// A single error in a reply: its path, a message and the rejected value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON path of the rejected value, from the root `$`: `$.fields[0].name`.
    pub path: String,
    /// The error and, where possible, what is expected instead.
    pub message: String,
    /// The rejected value, truncated if it is long.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// Deserializes a value that is present, so that `null` becomes `Some(Value::Null)`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Issue {
    /// Creates an issue at a JSON path.
    ///
    /// `name` and `$.name` are the same path. `$` and the empty path denote the whole reply.
    #[must_use]
    pub fn new(path: impl AsRef<str>, message: impl Into<String>) -> Self {
        Self { path: rooted(path.as_ref()), message: message.into(), value: None }
    }

    /// Adds the rejected value, truncated if it is long.
    #[must_use]
    pub fn value(mut self, value: &Value) -> Self {
        self.value = Some(cut(value));
        self
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// All errors in one reply.
///
/// This is the error type of `check` functions. [`Issues::into_result`] converts a list that may be empty
/// into their result.
///
/// ```
/// use cot_core::Issues;
///
/// fn check(name: &str) -> Result<(), Issues> {
///     let mut issues = Issues::new();
///     if name.is_empty() {
///         issues.push("name", "must not be empty");
///     }
///     issues.into_result()
/// }
/// assert_eq!(check("").unwrap_err().to_string(), "$.name: must not be empty");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Issues(Vec<Issue>);

impl Issues {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Creates a list with one issue at a JSON path.
    #[must_use]
    pub fn at(path: impl AsRef<str>, message: impl Into<String>) -> Self {
        Issue::new(path, message).into()
    }

    /// Adds an issue at a JSON path.
    pub fn push(&mut self, path: impl AsRef<str>, message: impl Into<String>) {
        self.0.push(Issue::new(path, message));
    }

    /// Returns an iterator over the issues, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Issue> {
        self.0.iter()
    }

    /// Returns the number of issues.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no issues.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Prefixes all paths with a member name, for a value that is a member of a larger one.
    #[doc(hidden)]
    #[must_use]
    pub fn prefixed_with(self, member: &str) -> Self {
        let inner = |path: String| match path.strip_prefix('$') {
            Some(rest) => format!("$.{member}{rest}"),
            None => path,
        };
        let moved = |issue: Issue| Issue { path: inner(issue.path), ..issue };
        Self(self.0.into_iter().map(moved).collect())
    }

    /// Prefixes all paths with a path, for a value that lies inside a larger one.
    pub(crate) fn prefixed(self, path: &[PathSegment]) -> impl Iterator<Item = Issue> {
        let parent = format_path(path);
        self.0.into_iter().map(move |issue| match issue.path.strip_prefix('$') {
            Some(rest) => Issue { path: format!("{parent}{rest}"), ..issue },
            None => issue,
        })
    }

    /// Returns `Ok` if the list is empty.
    ///
    /// # Errors
    ///
    /// Returns the issues themselves if there are any.
    pub fn into_result(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<Issue> for Issues {
    fn from(issue: Issue) -> Self {
        Self(vec![issue])
    }
}

impl FromIterator<Issue> for Issues {
    fn from_iter<I: IntoIterator<Item = Issue>>(issues: I) -> Self {
        Self(issues.into_iter().collect())
    }
}

impl Extend<Issue> for Issues {
    fn extend<I: IntoIterator<Item = Issue>>(&mut self, issues: I) {
        self.0.extend(issues);
    }
}

impl IntoIterator for Issues {
    type Item = Issue;
    type IntoIter = std::vec::IntoIter<Issue>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Issues {
    type Item = &'a Issue;
    type IntoIter = std::slice::Iter<'a, Issue>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Issues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, issue) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            issue.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Issues {}

/// Maximum size of a rejected value in an issue, in bytes of JSON.
const MAX_VALUE_BYTES: usize = 200;

fn cut(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() > MAX_VALUE_BYTES => {
            Value::String(format!("{}…", truncate(text, MAX_VALUE_BYTES)))
        }
        Value::Array(items) => short_or(value, || format!("[… {} items]", items.len())),
        Value::Object(members) => short_or(value, || format!("{{… {} members}}", members.len())),
        _ => value.clone(),
    }
}

fn short_or(value: &Value, summary: impl FnOnce() -> String) -> Value {
    if value.to_string().len() > MAX_VALUE_BYTES { Value::String(summary()) } else { value.clone() }
}

fn rooted(path: &str) -> String {
    match path.chars().next() {
        None => "$".to_owned(),
        Some('$') => path.to_owned(),
        Some('[') => format!("${path}"),
        Some(_) => format!("$.{path}"),
    }
}
