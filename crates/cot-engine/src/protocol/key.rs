//! Keys that identify calls independently of the machine.

use std::{borrow::Cow, cmp::Ordering, fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// A visit of a task, as part of a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct VisitKey {
    pub(crate) task: Cow<'static, str>,
    /// The number of the visit, from 1.
    pub(crate) number: u32,
    /// The attempt, from 1. Each attempt at a sub-process makes calls with different keys.
    pub(crate) attempt: u32,
}

/// Identifies a call by its position in the run, independently of the machine: two runs of a process that do
/// the same make calls with the same keys in the same order.
///
/// Its text is like `research#1/summarize#2[5]@1`: the first visit of `research`, the second visit of
/// `summarize`, item 5, attempt 1. In the second attempt at the sub-process, it begins with `research#1@2`.
/// The async `check` of an output has the key of the call that gave the output, with the suffix `+check`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CallKey {
    /// The visits of the tasks that run the sub-processes, outermost first; `None` outside of sub-processes.
    outer: Option<Arc<[VisitKey]>>,
    /// The visit of the task that makes the call.
    visit: VisitKey,
    pub(crate) item: Option<usize>,
    is_check: bool,
}

impl CallKey {
    pub(crate) const fn new(outer: Option<Arc<[VisitKey]>>, visit: VisitKey) -> Self {
        Self { outer, visit, item: None, is_check: false }
    }

    /// Returns the key of the async `check` of the call's output.
    pub(crate) fn into_check(self) -> Self {
        Self { is_check: true, ..self }
    }

    /// Returns the text of the key without the number of the attempt.
    pub(crate) fn without_attempt(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` does not fail.
        let _ = self.write_path(&mut text);
        text
    }

    fn outer(&self) -> &[VisitKey] {
        self.outer.as_deref().unwrap_or_default()
    }

    /// Returns the name of the task that makes the call.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.visit.task
    }

    /// Returns the names of the tasks that run the sub-processes, outermost first, and of the task itself.
    #[doc(hidden)]
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        self.outer().iter().chain([&self.visit]).map(|visit| &*visit.task)
    }

    /// Returns the number of the visit of the task, from 1.
    #[must_use]
    pub const fn visit(&self) -> u32 {
        self.visit.number
    }

    /// Returns the number of the item, in a for-each task.
    #[must_use]
    pub const fn item(&self) -> Option<usize> {
        self.item
    }

    /// Returns whether the call is the async `check` of an output.
    #[must_use]
    pub const fn is_check(&self) -> bool {
        self.is_check
    }

    /// Returns the number of the attempt, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.visit.attempt
    }

    /// Returns the visits as they are compared. The attempt of the call itself is compared after the item.
    fn path(&self) -> impl Iterator<Item = (&str, u32, u32)> {
        let outer = self.outer().iter().map(|outer| (&*outer.task, outer.number, outer.attempt));
        outer.chain([(self.task(), self.visit(), 1)])
    }
}

impl Ord for CallKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |key: &Self| (key.item, key.attempt(), key.is_check);
        self.path().cmp(other.path()).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for CallKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl CallKey {
    /// Writes the key without the number of the attempt.
    fn write_path(&self, f: &mut impl fmt::Write) -> fmt::Result {
        for VisitKey { task, number, attempt } in self.outer() {
            write!(f, "{task}#{number}")?;
            if *attempt > 1 {
                write!(f, "@{attempt}")?;
            }
            f.write_str("/")?;
        }
        write!(f, "{}#{}", self.task(), self.visit())?;
        match self.item {
            Some(item) => write!(f, "[{item}]"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_path(f)?;
        write!(f, "@{}", self.attempt())?;
        if self.is_check { f.write_str(CHECK) } else { Ok(()) }
    }
}

impl From<CallKey> for String {
    fn from(key: CallKey) -> Self {
        key.to_string()
    }
}

/// The error of parsing a [`CallKey`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the key of a call: one is like `task#1@1`, `task#1[0]@2` or `outer#1/task#1@1`"
)]
pub struct ParseCallKeyError(String);

impl TryFrom<String> for CallKey {
    type Error = ParseCallKeyError;

    fn try_from(text: String) -> Result<Self, ParseCallKeyError> {
        parse_key(&text).ok_or(ParseCallKeyError(text))
    }
}

/// The suffix of the key of a check.
const CHECK: &str = "+check";

fn parse_key(text: &str) -> Option<CallKey> {
    let (text, is_check) = match text.strip_suffix(CHECK) {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (path, attempt) = text.rsplit_once('@')?;
    let (path, item) = match path.strip_suffix(']') {
        Some(path) => {
            let (path, item) = path.rsplit_once('[')?;
            (path, Some(item.parse().ok()?))
        }
        None => (path, None),
    };
    let mut outer = path.split('/').map(parse_visit).collect::<Option<Vec<_>>>()?;
    let visit = outer.pop().filter(|visit| visit.attempt == 1)?;
    let visit = VisitKey { attempt: attempt.parse().ok()?, ..visit };
    let outer = (!outer.is_empty()).then(|| outer.into());
    Some(CallKey { outer, visit, item, is_check })
}

fn parse_visit(text: &str) -> Option<VisitKey> {
    let (task, number) = text.rsplit_once('#')?;
    let (number, attempt) = match number.split_once('@') {
        Some((number, attempt)) => (number, attempt.parse().ok().filter(|attempt| *attempt > 1)?),
        None => (number, 1),
    };
    let visit = VisitKey { task: task.to_owned().into(), number: number.parse().ok()?, attempt };
    Some(visit).filter(|visit| !visit.task.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_from_its_text() {
        for text in ["a#1@1", "a#1[0]@2", "a#12/b#3[10]@4", "a#1@2/b#3@1", "a#1@2+check"] {
            let key = CallKey::try_from(text.to_owned()).unwrap();
            assert_eq!(key.to_string(), text);
        }
        let key = CallKey::try_from("a#12/b#3[10]@4".to_owned()).unwrap();
        assert_eq!((key.task(), key.visit(), key.item(), key.attempt()), ("b", 3, Some(10), 4));
        for text in [
            "",
            "a",
            "a#1",
            "a@1",
            "#1@1",
            "a#x@1",
            "a#1[@1",
            "a#1]@1",
            "a#1[x]@1",
            "a#1@1/b#1@1",
            "a#1@+check",
        ] {
            assert!(CallKey::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
