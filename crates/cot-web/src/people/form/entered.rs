//! What a browser has entered into a form.

use std::{collections::BTreeMap, iter};

/// What was entered into a form: texts by the pointer of their place and their mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entered {
    texts: BTreeMap<(String, Mark), Vec<String>>,
}

/// What a text is for its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// The number of the chosen variant.
    As,
    /// Whether there is a value: [`HERE`], [`EMPTY`], [`NULL`] or [`NONE`].
    Is,
    /// The value, as JSON.
    Json,
    /// The key of a row of a map.
    Key,
    /// The number of rows.
    Rows,
    /// The text of a control.
    Value,
}

/// The mark [`Is`](Mark::Is) of a list, an object or a choice of several that is shown with its fields.
pub(super) const HERE: &str = "here";
/// The mark `Is` of a text that is empty rather than absent.
pub(super) const EMPTY: &str = "empty";
/// The mark `Is` of a value that is null if nothing is entered.
pub(super) const NULL: &str = "null";
/// The mark `Is` of a value that is absent if nothing is entered, although its schema has a default.
pub(super) const NONE: &str = "none";

const MARKS: [(Mark, &str); 6] = [
    (Mark::As, "as"),
    (Mark::Is, "is"),
    (Mark::Json, "json"),
    (Mark::Key, "key"),
    (Mark::Rows, "rows"),
    (Mark::Value, "v"),
];

/// The maximum number of rows of a list or map in a form.
pub(super) const MAX_ROWS: usize = 500;

impl Mark {
    /// Returns the name of the control with this mark.
    pub(super) fn name(self, pointer: &str) -> String {
        let name = MARKS.iter().find(|(mark, _)| *mark == self).map_or("", |(_, name)| name);
        format!("{name}:{pointer}")
    }

    fn parse(name: &str) -> Option<(Self, &str)> {
        let (mark, pointer) = name.split_once(':')?;
        let (mark, _) = MARKS.iter().find(|(_, name)| *name == mark)?;
        (pointer.starts_with('/') && pointer.ends_with('/')).then_some((*mark, pointer))
    }
}

impl Entered {
    /// Takes the pairs that belong to the fields of a form, and ignores others. Line breaks become `\n`.
    pub(crate) fn from_pairs<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> Self {
        let mut entered = Self::default();
        for (name, text) in pairs {
            let Some((mark, pointer)) = Mark::parse(name) else { continue };
            let text = text.replace("\r\n", "\n");
            entered.texts.entry((pointer.to_owned(), mark)).or_default().push(text);
        }
        entered
    }

    /// Returns the names and texts, as a browser posts them.
    #[cfg(test)]
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        self.texts.iter().flat_map(|((pointer, mark), texts)| {
            texts.iter().map(|text| (mark.name(pointer), text.clone()))
        })
    }

    /// Returns the text of a control; empty if there is none.
    pub(crate) fn plain(&self, pointer: &str) -> &str {
        self.text(pointer, Mark::Value).unwrap_or_default()
    }

    /// Returns the last text with a mark.
    pub(super) fn text(&self, pointer: &str, mark: Mark) -> Option<&str> {
        self.all(pointer, mark).last().map(String::as_str)
    }

    /// Returns all texts with a mark.
    pub(super) fn all(&self, pointer: &str, mark: Mark) -> &[String] {
        self.texts.get(&(pointer.to_owned(), mark)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn set(&mut self, pointer: &str, mark: Mark, text: impl Into<String>) {
        self.texts.insert((pointer.to_owned(), mark), vec![text.into()]);
    }

    pub(super) fn set_all(&mut self, pointer: &str, mark: Mark, texts: Vec<String>) {
        self.texts.insert((pointer.to_owned(), mark), texts);
    }

    /// Returns whether a place has a mark `Is` of this kind.
    pub(super) fn is(&self, pointer: &str, kind: &str) -> bool {
        self.text(pointer, Mark::Is) == Some(kind)
    }

    /// Returns the number of rows, at most [`MAX_ROWS`]; `None` if none was entered.
    pub(super) fn rows(&self, pointer: &str) -> Option<usize> {
        let rows: usize = self.text(pointer, Mark::Rows)?.parse().ok()?;
        Some(rows.min(MAX_ROWS))
    }

    /// Returns whether anything was entered at a place or within it.
    pub(super) fn has(&self, pointer: &str) -> bool {
        self.within(pointer).next().is_some()
    }

    fn within(&self, pointer: &str) -> impl Iterator<Item = &(String, Mark)> {
        let start = (pointer.to_owned(), Mark::As);
        let keys = self.texts.range(start..).map(|(key, _)| key);
        keys.take_while(move |(other, _)| other.starts_with(pointer))
    }

    /// Removes what was entered at a place and within it.
    pub(super) fn remove(&mut self, pointer: &str) {
        let keys: Vec<_> = self.within(pointer).cloned().collect();
        keys.iter().for_each(|key| drop(self.texts.remove(key)));
    }

    /// Moves what was entered at a place and within it to another place.
    pub(super) fn rename(&mut self, from: &str, to: &str) {
        let keys: Vec<_> = self.within(from).cloned().collect();
        for key in keys {
            let Some(texts) = self.texts.remove(&key) else { continue };
            let (pointer, mark) = key;
            self.texts.insert((format!("{to}{}", &pointer[from.len()..]), mark), texts);
        }
    }

    /// Adds all that another form has.
    pub(super) fn merge(&mut self, other: Self) {
        self.texts.extend(other.texts);
    }

    /// Removes a row of a list or map and moves the following ones up.
    pub(super) fn remove_row(&mut self, pointer: &str, index: usize) {
        let Some(rows) = self.rows(pointer).filter(|rows| index < *rows) else { return };
        self.remove(&super::pointer::row(pointer, index));
        for (to, from) in iter::zip(index.., index + 1..rows) {
            self.rename(&super::pointer::row(pointer, from), &super::pointer::row(pointer, to));
        }
        self.set(pointer, Mark::Rows, (rows - 1).to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_move_up_when_one_is_removed() {
        let pairs =
            [("rows:/l/", "3"), ("v:/l/0/", "a"), ("v:/l/1/", "b"), ("v:/l/2/x/", "c\r\nd")];
        let mut entered = Entered::from_pairs(pairs);
        entered.remove_row("/l/", 1);
        let left: Vec<_> = entered.pairs().collect();
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(left, [pair("rows:/l/", "2"), pair("v:/l/0/", "a"), pair("v:/l/1/x/", "c\nd")]);
        entered.remove_row("/l/", 7);
        assert_eq!(entered.pairs().count(), 3);
    }

    #[test]
    fn other_pairs_are_ignored() {
        let pairs = [("csrf", "x"), ("v:a", "1"), ("no:/a/", "2"), ("v:/a", "3"), (":", "")];
        assert_eq!(Entered::from_pairs(pairs), Entered::default());
        assert_eq!(Entered::from_pairs([("rows:/", "9999999")]).rows("/"), Some(MAX_ROWS));
    }
}
