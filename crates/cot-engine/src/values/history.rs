//! The history of a run, as prompts show it.

use std::{
    collections::{VecDeque, vec_deque},
    fmt,
};

use cot_model::internal::refer_to_blobs;
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
#[derive(Clone)]
pub struct HistoryEntry {
    json: Box<RawValue>,
    kind: EntryKind,
    /// Whether it is a transition that equals an earlier one of its history, which prompts do not show.
    is_repeated: bool,
}

/// What an entry holds. It is known from the creation on, since prompts and counts ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryKind {
    /// An output, or an entry that was added by hand.
    Other,
    /// The only transition that was open.
    OnlyTransition,
    /// A model's choice. Its task, target and intent are the JSON up to `end`.
    Choice { end: usize },
}

/// The number of newest entries among which an equal transition is looked for.
const MAX_LOOK_BACK: usize = 200;

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

    /// Adds an entry to a history that no prompt shows, and drops the oldest entries beyond `max`.
    pub(crate) fn push_newest(&mut self, entry: HistoryEntry, max: Option<usize>) {
        self.entries.push_back(entry);
        if let Some(max) = max {
            self.entries.drain(..self.entries.len().saturating_sub(max));
        }
    }

    /// Adds an entry. Beyond `max` entries, drops the older half of them at once: a history that lost its
    /// oldest entry at each step would begin differently in every prompt, and no prompt cache could serve it.
    pub(crate) fn push(&mut self, entry: HistoryEntry, max: Option<usize>) {
        let is_repeated = self.has_equal(self.entries.len(), &entry);
        self.entries.push_back(HistoryEntry { is_repeated, ..entry });
        if let Some(max) = max.filter(|max| self.entries.len() > *max) {
            let kept = max - max / 2;
            self.entries.drain(..self.entries.len().saturating_sub(kept));
            self.mark_repeated();
        }
    }

    /// Returns whether the entries before one contain an equal transition.
    fn has_equal(&self, before: usize, entry: &HistoryEntry) -> bool {
        let is_equal = |it: &HistoryEntry| it.kind == entry.kind && it == entry;
        let earlier = self.entries.range(..before).rev().take(MAX_LOOK_BACK);
        entry.kind != EntryKind::Other && earlier.into_iter().any(is_equal)
    }

    /// Marks what is repeated among entries that were put together.
    fn mark_repeated(&mut self) {
        for index in 0..self.entries.len() {
            let is_repeated = self.has_equal(index, &self.entries[index]);
            self.entries[index].is_repeated = is_repeated;
        }
    }

    fn from_entries(entries: VecDeque<HistoryEntry>) -> Self {
        let mut history = Self { entries };
        history.mark_repeated();
        history
    }
}

impl History {
    /// Returns the number of first entries that are equal in both histories.
    pub(crate) fn count_equal(&self, other: &Self) -> usize {
        self.iter().zip(other).take_while(|(one, other)| one == other).count()
    }

    /// Returns the entries after the first ones.
    pub(crate) fn without_first(&self, count: usize) -> Self {
        Self::from_entries(self.iter().skip(count).cloned().collect())
    }

    /// Returns the first entries, followed by others.
    pub(crate) fn start_with(&self, count: usize, rest: &Self) -> Self {
        Self::from_entries(self.iter().take(count).chain(rest).cloned().collect())
    }
}

impl HistoryEntry {
    /// Creates an entry from any value that serializes to JSON.
    #[doc(hidden)]
    pub fn from_serialize<T: Serialize + ?Sized>(entry: &T) -> serde_json::Result<Self> {
        // Prompts show the history: a reference stands for an image or a document in it.
        refer_to_blobs(|| to_raw_value(entry)).map(Self::from_any_json)
    }

    /// Creates the entry of an output.
    pub(crate) fn from_output(task: &str, output: &RawValue) -> serde_json::Result<Self> {
        let json = to_raw_value(&OutputEntry { task, output })?;
        Ok(Self { json, kind: EntryKind::Other, is_repeated: false })
    }

    fn from_any_json(json: Box<RawValue>) -> Self {
        let kind = EntryKind::from_json(json.get());
        Self { json, kind, is_repeated: false }
    }

    /// Creates the entry of a transition.
    pub(crate) fn from_transition(
        task: &str,
        go_to: &str,
        intent: &str,
        step_after: &str,
    ) -> serde_json::Result<Self> {
        // No part is shorter in JSON, so that nothing before this place is searched.
        let start = TASK_PREFIX.len() + task.len() + GO_TO.len() + go_to.len() + intent.len();
        let (intent, step_after) = (Some(intent), Some(step_after));
        let json = to_raw_value(&TransitionEntry { task, go_to, intent, step_after })?;
        let rest = json.get().as_bytes().get(start..).unwrap_or_default();
        let place = rest.windows(STEP_AFTER.len()).position(|part| part == STEP_AFTER.as_bytes());
        let kind =
            place.map_or(EntryKind::OnlyTransition, |at| EntryKind::Choice { end: start + at });
        Ok(Self { json, kind, is_repeated: false })
    }

    /// Creates the entry of a transition that no model chose.
    pub(crate) fn from_only_transition(task: &str, go_to: &str) -> serde_json::Result<Self> {
        let (intent, step_after) = (None, None);
        to_raw_value(&TransitionEntry { task, go_to, intent, step_after }).map(Self::from_any_json)
    }

    /// Returns whether prompts leave the entry out, since an equal transition precedes it.
    pub(crate) const fn is_repeated(&self) -> bool {
        self.is_repeated
    }

    /// Returns the task, the target and the intent of a model's choice, as JSON without an end.
    pub(crate) fn choice(&self) -> Option<&str> {
        match self.kind {
            EntryKind::Choice { end } => self.json().get(..end),
            EntryKind::OnlyTransition | EntryKind::Other => None,
        }
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

impl EntryKind {
    fn from_json(json: &str) -> Self {
        let rest = json.strip_prefix(TASK_PREFIX).and_then(|rest| rest.split_once('"'));
        match rest {
            Some((_, rest)) if rest.starts_with(GO_TO) => {
                json.find(STEP_AFTER).map_or(Self::OnlyTransition, |end| Self::Choice { end })
            }
            _ => Self::Other,
        }
    }
}

impl fmt::Debug for HistoryEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rest follows from the JSON, and is not known of every copy.
        f.debug_tuple("HistoryEntry").field(&format_args!("{}", self.json())).finish()
    }
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
        VecDeque::deserialize(deserializer).map(Self::from_entries)
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
struct OutputEntry<'a> {
    task: &'a str,
    output: &'a RawValue,
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
