//! The history of a run, as prompts show it.

use std::{
    collections::{VecDeque, vec_deque},
    hash::Hasher,
};

use cot_model::internal::refer_to_blobs;
use fnv::FnvHasher;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeSeq};
use serde_json::value::{RawValue, to_raw_value};

/// The history of a run: its accepted outputs and transitions, and the entries that were added by hand,
/// newest last.
///
/// Entries are stored as JSON text, so that showing them in a prompt only copies them. A field of this type
/// in the state of a process can mirror the history of its runs.
#[derive(Debug, Clone, Default)]
pub struct History {
    entries: VecDeque<HistoryEntry>,
}

/// An accepted output, an accepted transition, or an entry that was added by hand.
#[derive(Debug, Clone)]
pub struct HistoryEntry {
    json: Box<RawValue>,
    transition: Option<TransitionFacts>,
}

/// What is known of the entry of a transition from its creation on, since each prompt asks for it.
#[derive(Debug, Clone, Copy)]
struct TransitionFacts {
    /// A hash of the JSON.
    hash: u64,
    /// Where the JSON ends that has the task, the target and the intent, if a model chose.
    choice: Option<usize>,
}

impl History {
    /// Creates an empty history.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: VecDeque::new() }
    }

    /// Returns an iterator over the entries, newest last.
    pub fn iter(&self) -> vec_deque::Iter<'_, HistoryEntry> {
        self.entries.iter()
    }

    /// Returns the newest entry.
    #[must_use]
    pub fn last(&self) -> Option<&HistoryEntry> {
        self.entries.back()
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the history has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds an entry by hand: any value that serializes to JSON. This history has no bound.
    ///
    /// ```
    /// use cot_core::History;
    ///
    /// let mut history = History::new();
    /// history.add("the user changed the goal")?;
    /// assert_eq!(history.last().unwrap().json(), r#""the user changed the goal""#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the entry does not serialize to JSON. The history is unchanged then.
    pub fn add<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        self.push(HistoryEntry::from_serialize(entry)?, None);
        Ok(())
    }

    /// Adds an entry and drops the oldest entries beyond `max`.
    pub(crate) fn push_newest(&mut self, entry: HistoryEntry, max: Option<usize>) {
        self.entries.push_back(entry);
        if let Some(max) = max {
            self.entries.drain(..self.entries.len().saturating_sub(max));
        }
    }

    /// Adds an entry. Beyond `max` entries, drops the older half of them at once: a history that lost its
    /// oldest entry at each step would begin differently in every prompt, and no prompt cache could serve it.
    pub(crate) fn push(&mut self, entry: HistoryEntry, max: Option<usize>) {
        self.entries.push_back(entry);
        if let Some(max) = max.filter(|max| self.entries.len() > *max) {
            let kept = max - max / 2;
            self.entries.drain(..self.entries.len().saturating_sub(kept));
        }
    }
}

impl History {
    /// Returns the number of first entries that are equal in both histories.
    pub(crate) fn count_equal(&self, other: &Self) -> usize {
        self.iter().zip(other).take_while(|(one, other)| one == other).count()
    }

    /// Returns the entries after the first ones.
    pub(crate) fn without_first(&self, count: usize) -> Self {
        Self { entries: self.iter().skip(count).cloned().collect() }
    }

    /// Returns the first entries, followed by others.
    pub(crate) fn start_with(&self, count: usize, rest: &Self) -> Self {
        Self { entries: self.iter().take(count).chain(rest).cloned().collect() }
    }
}

impl HistoryEntry {
    /// Creates an entry from any value that serializes to JSON.
    #[doc(hidden)]
    pub fn from_serialize<T: Serialize + ?Sized>(entry: &T) -> serde_json::Result<Self> {
        // Prompts show the history: a reference stands for an image or a document in it.
        refer_to_blobs(|| to_raw_value(entry)).map(Self::from_any_json)
    }

    /// Creates the entry of an output from its JSON.
    pub(crate) const fn from_json(json: Box<RawValue>) -> Self {
        Self { json, transition: None }
    }

    fn from_any_json(json: Box<RawValue>) -> Self {
        let transition = TransitionFacts::from_json(json.get());
        Self { json, transition }
    }

    /// Creates the entry of a transition.
    pub(crate) fn from_transition(
        task: &str,
        go_to: &str,
        intent: &str,
        step_after: &str,
    ) -> serde_json::Result<Self> {
        let words = (Some(intent), Some(step_after));
        let json = TransitionEntry { task, go_to, intent: words.0, step_after: words.1 };
        let json = to_raw_value(&json)?;
        // What follows the intent: the key, the text and the brace.
        let rest = STEP_AFTER.len() + serde_json::to_string(step_after)?.len();
        let choice = json.get().len().checked_sub(rest);
        let transition = Some(TransitionFacts { hash: hash(json.get()), choice });
        Ok(Self { json, transition })
    }

    /// Creates the entry of a transition that no model chose.
    pub(crate) fn from_only_transition(task: &str, go_to: &str) -> serde_json::Result<Self> {
        let (intent, step_after) = (None, None);
        to_raw_value(&TransitionEntry { task, go_to, intent, step_after }).map(Self::from_any_json)
    }

    /// Returns a hash of the entry, if it is a transition.
    pub(crate) fn transition_hash(&self) -> Option<u64> {
        self.transition.map(|facts| facts.hash)
    }

    /// Returns the task, the target and the intent of a model's choice, as JSON without an end.
    pub(crate) fn choice(&self) -> Option<&str> {
        self.json().get(..self.transition?.choice?)
    }

    /// Returns the name of the task that made the entry. Empty for an entry added by hand without a task
    /// name.
    #[must_use]
    pub fn task(&self) -> &str {
        let rest = self.json().strip_prefix(TASK_PREFIX).unwrap_or_default();
        rest.split_once('"').map_or("", |(task, _)| task)
    }

    /// Returns the entry as JSON: `{"task", "output"}`, `{"task", "goTo", "intent", "stepAfter"}`,
    /// `{"task", "goTo"}` for the only transition that was open, or the value that was added by hand.
    #[must_use]
    pub fn json(&self) -> &str {
        self.json.get()
    }
}

impl TransitionFacts {
    fn from_json(json: &str) -> Option<Self> {
        let (_, rest) = json.strip_prefix(TASK_PREFIX)?.split_once('"')?;
        let is_transition = rest.starts_with(GO_TO);
        is_transition.then(|| Self { hash: hash(json), choice: json.find(STEP_AFTER) })
    }
}

fn hash(json: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(json.as_bytes());
    hasher.finish()
}

impl PartialEq for HistoryEntry {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<'a> IntoIterator for &'a History {
    type Item = &'a HistoryEntry;
    type IntoIter = vec_deque::Iter<'a, HistoryEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Serialize for History {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for entry in self {
            list.serialize_element(entry)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        VecDeque::deserialize(deserializer).map(|entries| Self { entries })
    }
}

impl Serialize for HistoryEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.json.serialize(serializer)
        } else {
            serializer.serialize_str(self.json())
        }
    }
}

impl<'de> Deserialize<'de> for HistoryEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Goes through a `Value`, since a `RawValue` can't be read inside flattened or tagged types.
        let json = if deserializer.is_human_readable() {
            to_raw_value(&serde_json::Value::deserialize(deserializer)?)
        } else {
            RawValue::from_string(String::deserialize(deserializer)?)
        };
        json.map(Self::from_any_json).map_err(D::Error::custom)
    }
}

const TASK_PREFIX: &str = r#"{"task":""#;
const GO_TO: &str = r#","goTo":""#;
/// Outside of the intent: quotes within it are escaped.
const STEP_AFTER: &str = r#"","stepAfter":""#;

/// The entry of an output.
#[derive(Serialize)]
pub(crate) struct OutputEntry<'a> {
    pub(crate) task: &'a str,
    pub(crate) output: &'a RawValue,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TransitionEntry<'a> {
    task: &'a str,
    go_to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_after: Option<&'a str>,
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
