//! The lines of types.

use serde_json::Value;

use crate::dialect::sentence::joined;

/// The number of options that are written.
const MAX_OPTIONS: usize = 200;

/// The length of an object on one line.
const LINE: usize = 72;

/// A type as text, with the notes of its comment.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    text: String,
    notes: Vec<String>,
}

impl Shown {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), notes: Vec::new() }
    }

    /// Adds a note.
    pub(super) fn noted(mut self, note: &str) -> Self {
        self.notes.push(note.to_owned());
        self
    }

    /// Puts notes before the others.
    pub(super) fn all_noted(mut self, notes: Vec<String>) -> Self {
        self.notes.splice(0..0, notes);
        self
    }

    /// Puts a note before the others.
    pub(super) fn first_noted(mut self, note: &str) -> Self {
        self.notes.insert(0, note.to_owned());
        self
    }

    /// Returns whether it has one line of at most this length, and no notes.
    pub(super) fn is_short(&self, max: usize) -> bool {
        self.is_line() && self.notes.is_empty() && self.text.len() <= max
    }

    /// Returns whether null is among its values.
    pub(super) fn takes_null(&self) -> bool {
        self.text == "null" || self.text.ends_with(" or null")
    }

    fn is_line(&self) -> bool {
        !self.text.contains('\n')
    }

    fn is_choice(&self) -> bool {
        self.is_line() && self.text.contains(" or ")
    }

    /// Returns it between two texts. The notes stand at the end of the first line, or above it if a comment is
    /// there.
    pub(super) fn line(&self, before: &str, after: &str) -> String {
        let Self { text, notes } = self;
        if notes.is_empty() {
            return format!("{before}{text}{after}");
        }
        let notes = notes.iter().fold(String::new(), |before, note| match &*before {
            "" => note.clone(),
            before => joined(before, note),
        });
        match text.split_once('\n') {
            None => format!("{before}{text}{after} // {notes}"),
            Some((first, _)) if first.contains(" // ") => {
                format!("// {notes}\n{before}{text}{after}")
            }
            Some((first, rest)) => format!("{before}{first} // {notes}\n{rest}{after}"),
        }
    }

    /// Returns the list of such items.
    pub(super) fn listed(self) -> Self {
        let mut list = Self::new("[");
        list.push_item(self, "Each item");
        list.text.push_str(", ...]");
        list
    }

    /// Appends an item to the text of a list. The notes of an item on one line become notes of the list.
    pub(super) fn push_item(&mut self, item: Self, name: &str) {
        if !item.is_line() {
            return self.push(&item.line("", ""));
        }
        match item.is_choice() {
            true => self.push(&format!("({})", item.text)),
            false => self.push(&item.text),
        }
        self.notes.extend(item.notes.into_iter().map(|note| format!("{name}: {note}")));
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// Returns the choice between types.
pub(super) fn one_of(mut branches: Vec<Shown>) -> Shown {
    branches.dedup_by(|next, last| next.text == last.text && next.notes == last.notes);
    match branches.len() {
        0 => return Shown::new("nothing"),
        1 => return branches.remove(0),
        _ => {}
    }
    let mut shown = Shown::new("");
    for branch in branches {
        if !shown.text.is_empty() {
            shown.push(" or ");
        }
        if !branch.is_line() {
            shown.push(&branch.line("", ""));
            continue;
        }
        shown.push(&branch.text);
        // Small models copy a comment that stands between options.
        let name = if branch.is_choice() { "" } else { &format!("{}: ", branch.text) };
        shown.notes.extend(branch.notes.iter().map(|note| format!("{name}{note}")));
    }
    shown
}

/// Returns the choice between values.
pub(super) fn options(values: &[Value]) -> Shown {
    let shown = values.iter().take(MAX_OPTIONS).map(|value| Shown::new(value.to_string()));
    let options = one_of(shown.collect());
    match values.len().saturating_sub(MAX_OPTIONS) {
        0 => options,
        more => options.noted(&format!("{more} more options are not shown.")),
    }
}

/// Indents all lines but the first.
fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

/// Returns members between braces: on one line if they fit there and it has no comment, and each on lines of its own
/// otherwise.
pub(super) fn braces(members: &[(String, Shown)], has_comment: bool) -> Shown {
    let is_short =
        |(name, shown): &(String, Shown)| shown.is_short(LINE.saturating_sub(name.len()));
    if !has_comment && members.iter().all(is_short) {
        let members: Vec<_> =
            members.iter().map(|(name, shown)| format!("{name}: {}", shown.text)).collect();
        let text = format!("{{ {} }}", members.join(", "));
        if text.len() <= LINE {
            return Shown::new(text);
        }
    }
    let mut text = "{".to_owned();
    for (number, (name, shown)) in members.iter().enumerate() {
        let comma = if number + 1 == members.len() { "" } else { "," };
        let line = shown.line(&format!("{name}: "), comma);
        text.push_str("\n  ");
        text.push_str(&indented(&line));
    }
    text.push_str("\n}");
    Shown::new(text)
}
