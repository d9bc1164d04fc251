//! What a call is, whatever its machine: where in which visit of which task.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// Where in a process a call is made: the way from the outermost process to the task that asks.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The visits of the tasks that run the sub-processes, the outermost first.
    pub(super) outer: Option<Arc<[VisitKey]>>,
    pub(super) visit: VisitKey,
}

/// A visit of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct VisitKey {
    pub(super) process: &'static str,
    pub(super) task: &'static str,
    /// How many times the run has come to the task, from 1.
    pub(super) number: u32,
    /// The attempt at its sub-process, from 1: the calls of each are others.
    pub(super) attempt: u32,
}

impl Place {
    /// The same place, seen from the process whose task runs the process that it lies in.
    pub(super) fn within(self, outer: VisitKey) -> Self {
        let mut visits = vec![outer];
        visits.extend(self.outer.iter().flat_map(|visits| visits.iter().copied()));
        Self { outer: Some(visits.into()), visit: self.visit }
    }
}

/// What a call is, whatever its machine: two runs of one process that do the same make calls of the
/// same keys in the same order.
///
/// Its text is like `research#1/summarize#2[5]@1`: in the first visit of `research`, the second visit
/// of `summarize`, the item 5, the first attempt. In the second attempt at the sub-process, it begins
/// with `research#1@2`. The async `check` of what a call came to has the key of that call with `+check`
/// behind it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CallKey {
    /// The tasks, the outermost first.
    path: Vec<Step>,
    item: Option<usize>,
    attempt: u32,
    is_check: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Step {
    task: String,
    visit: u32,
    /// Of the sub-process; that of the last step is the key's own.
    attempt: u32,
}

impl CallKey {
    pub(super) fn new(place: &Place, item: Option<usize>, attempt: u32) -> Self {
        let outer = place.outer.iter().flat_map(|visits| visits.iter());
        let visits = outer.chain([&place.visit]);
        let path = visits.map(|visit| Step {
            task: visit.task.to_owned(),
            visit: visit.number,
            attempt: visit.attempt,
        });
        let path = path.collect();
        Self { path, item, attempt, is_check: false }
    }

    /// The key of the check of what the call came to.
    pub(super) fn of_check(self) -> Self {
        Self { is_check: true, ..self }
    }

    /// Name of the task that asks.
    #[must_use]
    pub fn task(&self) -> &str {
        self.path.last().map_or("", |step| &step.task)
    }

    /// Names of the tasks on the way to it, the outermost first.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &str> {
        self.path.iter().map(|step| step.task.as_str())
    }

    /// How many times the run had come to that task, this one included.
    #[must_use]
    pub fn visit(&self) -> u32 {
        self.path.last().map_or(0, |step| step.visit)
    }

    /// The number of the item, in a for-each task.
    #[must_use]
    pub const fn item(&self) -> Option<usize> {
        self.item
    }

    /// Whether it is the async `check` of an output.
    #[must_use]
    pub const fn is_check(&self) -> bool {
        self.is_check
    }

    /// The number of the attempt, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Step { task, visit, attempt }) in self.path.iter().enumerate() {
            let slash = if index == 0 { "" } else { "/" };
            write!(f, "{slash}{task}#{visit}")?;
            if *attempt > 1 {
                write!(f, "@{attempt}")?;
            }
        }
        if let Some(item) = self.item {
            write!(f, "[{item}]")?;
        }
        write!(f, "@{}", self.attempt)?;
        if self.is_check { f.write_str(CHECK) } else { Ok(()) }
    }
}

impl From<CallKey> for String {
    fn from(key: CallKey) -> Self {
        key.to_string()
    }
}

/// The text of a key is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the key of a call: one is like `task#1@1`, `task#1[0]@2` or `outer#1/task#1@1`"
)]
pub struct BadCallKey(String);

impl TryFrom<String> for CallKey {
    type Error = BadCallKey;

    fn try_from(text: String) -> Result<Self, BadCallKey> {
        parse(&text).ok_or(BadCallKey(text))
    }
}

/// What the key of a check ends with.
const CHECK: &str = "+check";

fn parse(text: &str) -> Option<CallKey> {
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
    let path = path.split('/').map(step).collect::<Option<Vec<_>>>()?;
    Some(CallKey { path, item, attempt: attempt.parse().ok()?, is_check })
}

fn step(text: &str) -> Option<Step> {
    let (task, visit) = text.rsplit_once('#')?;
    let (visit, attempt) = match visit.split_once('@') {
        Some((visit, attempt)) => (visit, attempt.parse().ok().filter(|attempt| *attempt > 1)?),
        None => (visit, 1),
    };
    let step = Step { task: task.to_owned(), visit: visit.parse().ok()?, attempt };
    Some(step).filter(|step| !step.task.is_empty())
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
