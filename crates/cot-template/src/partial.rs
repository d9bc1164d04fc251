//! Partial prompts, for debugging one aspect of a prompt.

use crate::{fragment::Fragment, mode::PromptMode};

/// Selects the fragments of a prompt to show for debugging: a [`PromptMode`] with adjustments.
///
/// Omitted data is replaced by a placeholder: `[state.orders omitted]`, `[12 earlier entries omitted]`,
/// `[3 more errors omitted]`. The state that a template function shows can't be detected and is not omitted.
///
/// ```
/// use cot_template::{Fragment, PartialPrompt, PromptMode};
///
/// let partial = PartialPrompt::new(PromptMode::StateTracking)
///     .add(Fragment::Errors)
///     .remove(Fragment::IntroPrompt)
///     .omit_state("orders")
///     .last_history(5);
/// # let _ = partial;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialPrompt {
    /// The standard fragments that are kept, one bit each.
    kept: u16,
    omitted_parts: Vec<String>,
    omitted_state: Vec<String>,
    /// State fields that are shown whatever their size.
    shown_state: Vec<String>,
    last_history: Option<usize>,
    first_errors: Option<usize>,
    /// Maximum bytes of data in one piece.
    max_data: Option<usize>,
}

/// Number of history entries and errors that mode `noData` keeps.
const NO_DATA_ENTRIES: usize = 3;
/// Maximum bytes of data in a piece in mode `noData`.
const NO_DATA_BYTES: usize = 200;

impl PartialPrompt {
    /// Creates a partial prompt that keeps the fragments of a mode.
    #[must_use]
    pub fn new(mode: PromptMode) -> Self {
        let no_data = mode == PromptMode::NoData;
        Self {
            kept: mode.fragments().iter().fold(0, |kept, fragment| kept | fragment.bit()),
            omitted_parts: Vec::new(),
            omitted_state: Vec::new(),
            shown_state: Vec::new(),
            last_history: no_data.then_some(NO_DATA_ENTRIES),
            first_errors: no_data.then_some(NO_DATA_ENTRIES),
            max_data: no_data.then_some(NO_DATA_BYTES),
        }
    }

    /// Keeps a fragment.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "the counterpart of `remove`; it sums nothing"
    )]
    pub fn add(mut self, fragment: Fragment<'_>) -> Self {
        self.kept |= fragment.bit();
        match fragment {
            Fragment::Part(name) => self.omitted_parts.retain(|part| part != name),
            Fragment::State(name) => {
                self.omitted_state.retain(|field| field != name);
                self.shown_state.push(name.to_owned());
            }
            _ => {}
        }
        self
    }

    /// Omits a fragment.
    #[must_use]
    pub fn remove(mut self, fragment: Fragment<'_>) -> Self {
        self.kept &= !fragment.bit();
        match fragment {
            Fragment::Part(name) => self.omitted_parts.push(name.to_owned()),
            Fragment::State(name) => {
                self.shown_state.retain(|field| field != name);
                self.omitted_state.push(name.to_owned());
            }
            _ => {}
        }
        self
    }

    /// Omits a field of the state: templates show `[state.x omitted]` in its place. A path into a field and
    /// an unknown field are an error when the prompt is written.
    #[must_use]
    pub fn omit_state(self, name: &str) -> Self {
        self.remove(Fragment::State(name))
    }

    /// Limits the history to its last `entries` entries.
    #[must_use]
    pub fn last_history(mut self, entries: usize) -> Self {
        self.last_history = Some(entries);
        self
    }

    /// Limits the errors to the first `errors` ones.
    #[must_use]
    pub fn first_errors(mut self, errors: usize) -> Self {
        self.first_errors = Some(errors);
        self
    }

    /// Returns whether a fragment is kept.
    #[must_use]
    pub fn keeps(&self, fragment: Fragment<'_>) -> bool {
        self.kept & fragment.bit() != 0
    }

    /// Returns whether a part of `prompts` is omitted.
    #[must_use]
    pub fn omits_part(&self, name: &str) -> bool {
        self.omitted_parts.iter().any(|part| part == name)
    }

    /// Returns the parts of `prompts` that are omitted.
    pub fn omitted_parts(&self) -> impl Iterator<Item = &str> {
        self.omitted_parts.iter().map(String::as_str)
    }

    /// Returns the state fields that are omitted or kept by name.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        self.omitted_state.iter().chain(&self.shown_state).map(String::as_str)
    }

    /// Returns the number of errors that are shown, if it is limited.
    #[must_use]
    pub const fn errors_limit(&self) -> Option<usize> {
        self.first_errors
    }

    /// Returns how many of the oldest entries of a history are omitted, given the bytes of each entry.
    #[must_use]
    pub fn skipped_entries(
        &self,
        bytes: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator,
    ) -> usize {
        let entries = bytes.len();
        let by_number = self.last_history.unwrap_or(usize::MAX);
        let mut room = self.max_data.map_or(usize::MAX, |bytes| bytes * NO_DATA_ENTRIES);
        let newest = bytes.rev().take(by_number).take_while(|bytes| {
            let rest = room.checked_sub(*bytes);
            room = rest.unwrap_or(0);
            rest.is_some()
        });
        entries - newest.count()
    }

    /// Returns the placeholder for a piece that shows these state fields in `bytes` bytes, or `None` if the
    /// piece is shown.
    pub(crate) fn placeholder(&self, fields: &[&'static str], bytes: usize) -> Option<String> {
        let omitted = fields.iter().filter(|field| self.omits_field(field, bytes));
        let texts: Vec<String> = omitted.map(|field| omitted_field(field)).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    fn omits_field(&self, field: &str, bytes: usize) -> bool {
        let is_named = |names: &[String]| names.iter().any(|name| is_same_field(name, field));
        let is_whole = field.is_empty() && !self.omitted_state.is_empty();
        let is_large = self.max_data.is_some_and(|max| bytes > max);
        is_whole || is_named(&self.omitted_state) || (is_large && !is_named(&self.shown_state))
    }
}

/// Returns whether two names denote the same field, ignoring case and separators.
#[must_use]
pub fn is_same_field(one: &str, other: &str) -> bool {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-'));
        letters.flat_map(char::to_lowercase).collect()
    };
    one == other || letters(one) == letters(other)
}

fn omitted_field(field: &str) -> String {
    match field {
        "" => "[state omitted]".to_owned(),
        field => format!("[state.{field} omitted]"),
    }
}

impl Default for PartialPrompt {
    fn default() -> Self {
        Self::new(PromptMode::Full)
    }
}

impl From<PromptMode> for PartialPrompt {
    fn from(mode: PromptMode) -> Self {
        Self::new(mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_added_and_removed_one_by_one() {
        for fragment in Fragment::STANDARD {
            let without = PartialPrompt::default().remove(fragment);
            for other in Fragment::STANDARD {
                assert_eq!(without.keeps(other), other != fragment);
            }
            assert_eq!(without.add(fragment), PartialPrompt::default());
        }
    }

    #[test]
    fn a_variable_that_was_added_is_shown_at_any_size() {
        let partial = PartialPrompt::new(PromptMode::NoData).add(Fragment::State("x"));
        assert_eq!(partial.placeholder(&["x"], 10_000), None);
        assert_eq!(partial.placeholder(&["y"], 10_000).unwrap(), "[state.y omitted]");
        assert!(partial.omit_state("x").placeholder(&["x"], 1).is_some());
    }

    #[test]
    fn large_history_entries_are_data() {
        let history = || [3, 3, 3, 1002, 3].into_iter();
        assert_eq!(PartialPrompt::new(PromptMode::NoData).skipped_entries(history()), 4);
        assert_eq!(PartialPrompt::default().skipped_entries(history()), 0);
        assert_eq!(PartialPrompt::default().last_history(2).skipped_entries(history()), 3);
        assert_eq!(PartialPrompt::default().last_history(9).skipped_entries(history()), 0);
    }
}
