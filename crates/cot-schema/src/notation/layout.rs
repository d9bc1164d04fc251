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

    pub(super) fn noted(mut self, note: &str) -> Self {
        self.notes.push(note.to_owned());
        self
    }

    pub(super) fn all_noted(mut self, notes: Vec<String>) -> Self {
        self.notes.extend(notes);
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

    /// Returns the list of such items. Their notes become notes of the list if they have one line.
    pub(super) fn listed(self, before: &str, after: &str) -> Self {
        if !self.is_line() {
            return Self::new(self.line(before, after));
        }
        let text = if self.is_choice() { format!("({})", self.text) } else { self.text };
        let notes = self.notes.into_iter().map(|note| format!("Each item: {note}")).collect();
        Self { text: format!("{before}{text}{after}"), notes }
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
    if branches.iter().all(|branch| branch.is_line() && branch.notes.is_empty()) {
        let texts: Vec<_> = branches.into_iter().map(|branch| branch.text).collect();
        return Shown::new(texts.join(" or "));
    }
    let mut text = String::new();
    for branch in branches {
        let line = branch.line("", "");
        if text.is_empty() {
            text = line;
        } else if ends_with_bracket(&text) {
            text = format!("{text} or {line}");
        } else {
            text = format!("{text}\n  or {}", indented(&line));
        }
    }
    Shown::new(text)
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

/// Returns whether a text can go on after a closing bracket, which no comment follows.
fn ends_with_bracket(text: &str) -> bool {
    text.lines().last().is_some_and(|line| matches!(line.trim_start(), "}" | "]" | "}, ...]"))
}

/// Indents all lines but the first.
fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

/// Returns members between braces: on one line if they fit there, and each on lines of its own otherwise.
pub(super) fn braces(members: &[(String, Shown)]) -> Shown {
    let is_short =
        |(name, shown): &(String, Shown)| shown.is_short(LINE.saturating_sub(name.len()));
    if members.iter().all(is_short) {
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
