//! Looks the values of an output up in their sources.

use std::ops::Range;

use cot_schema::{
    Issue, Issues,
    internal::{PathSegment, format_path, truncate},
};
use serde_json::Value;

use super::{
    exact,
    numbers::Digits,
    passage::Passage,
    source::Source,
    values::{FoundValue, SourceText, ValueVisitor},
};

/// The number of issues that show the nearest passage, which takes a pass over the source.
const MAX_NEAR: usize = 5;
/// The number of values that are reported one by one.
const MAX_ISSUES: usize = 20;
/// The number of passages that are recorded for an output.
const MAX_PASSAGES: usize = 1000;
/// How many bytes of sources are read for an output.
const MAX_WORK: usize = 1 << 34;
/// Maximum length of the passage that an issue shows.
const MAX_SHOWN: usize = 400;

/// Looks the values of one output up in their sources.
///
/// Generated code calls it: it names a source, and then the members whose values have to stand in it.
#[derive(Debug, Default)]
pub struct PassageFinder<'s> {
    sources: Vec<(String, Source<'s>)>,
    /// The name of the source of the current row, and its texts among the sources.
    current: (&'static str, Range<usize>),
    named: Vec<(&'static str, Range<usize>)>,
    path: Vec<PathSegment>,
    passages: Vec<Passage>,
    issues: Issues,
    missing: usize,
    work: usize,
    /// Whether values have to stand in their sources as they are: the arguments of a tool.
    is_exact: bool,
    /// Whether there were more passages than are recorded.
    is_full: bool,
}

impl<'s> PassageFinder<'s> {
    /// Creates a finder for values that have to stand in their sources exactly.
    #[must_use]
    pub fn exact() -> Self {
        Self { is_exact: true, ..Self::default() }
    }

    /// Names the source of the values that follow. A source that was named before is not read again.
    pub fn source<S: SourceText + ?Sized>(&mut self, name: &'static str, source: &'s S) {
        if let Some(known) = self.named.iter().find(|(known, _)| *known == name) {
            self.current = known.clone();
            return;
        }
        let start = self.sources.len();
        source.texts(name, &mut |name, text| self.sources.push((name, Source::new(text))));
        self.current = (name, start..self.sources.len());
        self.named.push(self.current.clone());
    }

    /// Looks into a member of an output.
    /// The key is that in the JSON, or the index; `None` if the member stands in the place of the whole.
    pub fn member<T: ?Sized>(
        &mut self,
        key: Option<&str>,
        value: &T,
        look: impl FnOnce(&mut Self, &T),
    ) {
        let segment = key.map(|key| match key.parse() {
            Ok(index) => PathSegment::Index(index),
            Err(_) => PathSegment::Key(key.to_owned()),
        });
        match segment {
            Some(segment) => self.within(segment, |finder| look(finder, value)),
            None => look(self, value),
        }
    }

    /// Looks into a value that may be missing.
    pub fn optional<T>(&mut self, value: &Option<T>, look: impl FnOnce(&mut Self, &T)) {
        if let Some(value) = value {
            look(self, value);
        }
    }

    /// Looks into each item of a list.
    pub fn items<'v, L, T: 'v>(&mut self, list: &'v L, look: impl Fn(&mut Self, &T))
    where
        L: ?Sized,
        &'v L: IntoIterator<Item = &'v T>,
    {
        for (index, item) in list.into_iter().enumerate() {
            self.within(PathSegment::Index(index), |finder| look(finder, item));
        }
    }

    /// Returns the passages.
    ///
    /// # Errors
    ///
    /// An issue for each value that does not stand in its source.
    pub fn finish(mut self) -> Result<Vec<Passage>, Issues> {
        if let Some(more) = self.missing.checked_sub(MAX_ISSUES).filter(|more| *more > 0) {
            self.issues.push("$", format!("{more} more values do not stand in their sources"));
        }
        if self.work > MAX_WORK {
            let message = "there are too many values to look for in sources of this length";
            self.issues.push("$", message);
        }
        if self.is_exact && self.is_full {
            self.issues.push("$", format!("has more than {MAX_PASSAGES} values"));
        }
        self.issues.into_result().map(|()| self.passages)
    }

    fn within(&mut self, segment: PathSegment, look: impl FnOnce(&mut Self)) {
        self.path.push(segment);
        look(self);
        self.path.pop();
    }

    /// Returns the first source that has a passage, and the place in it.
    fn find(
        &mut self,
        find: impl Fn(&Source<'_>) -> Option<Range<usize>>,
    ) -> Option<(usize, Range<usize>)> {
        self.current.1.clone().find_map(|index| {
            let (_, source) = self.sources.get(index)?;
            self.work = self.work.saturating_add(source.text.len());
            let found = if self.work > MAX_WORK { Some(0..0) } else { find(source) };
            found.map(|range| (index, range))
        })
    }

    fn record(&mut self, found: Option<(usize, Range<usize>)>, text: &str, value: Value) {
        let path = format_path(&self.path);
        match found.and_then(|(index, range)| Some((self.sources.get(index)?, range))) {
            Some(((name, source), range)) => {
                self.is_full = self.passages.len() == MAX_PASSAGES;
                if !self.is_full && !range.is_empty() {
                    self.passages.push(Passage::new(&path, name, source.text, range));
                }
            }
            None => self.report(path, text, value),
        }
    }

    fn report(&mut self, path: String, text: &str, value: Value) {
        self.missing += 1;
        if self.missing <= MAX_ISSUES {
            let message = self.explain(text);
            self.issues.extend([Issue::new(path, message).value(&value)]);
        }
    }

    /// Returns the message of an issue, which shows the nearest passage.
    fn explain(&self, text: &str) -> String {
        let name = self.current.0;
        let asked = "copy the value from it as it is written there";
        let near = self.sources.get(self.current.1.clone()).unwrap_or_default().iter();
        let near = near.take(MAX_NEAR).filter(|_| self.missing <= MAX_NEAR);
        let near = near.filter_map(|(_, it)| Some(&it.text[it.nearest(text)?])).next();
        match near {
            Some(near) => {
                let near = quoted(truncate(near, MAX_SHOWN));
                format!("does not stand in {name}: {asked}; the nearest passage is\n{near}")
            }
            None => format!("does not stand in {name}, nor anything like it: {asked}"),
        }
    }
}

impl ValueVisitor for PassageFinder<'_> {
    /// Looks a text up. In an output, a text without content is nowhere, and accepted.
    fn text(&mut self, text: &str) {
        if self.is_exact {
            let found = self.find(|source| exact::find_text(source.text, text));
            self.record(found, text, text.into());
        } else if text.chars().any(char::is_alphanumeric) {
            let found = self.find(|source| source.find(text));
            self.record(found, text, text.into());
        }
    }

    /// Looks a number up.
    fn number(&mut self, number: &str, value: Value) {
        let (digits, is_exact) = (Digits::new(number), self.is_exact);
        let found = self.find(|source| match is_exact {
            true => exact::find_number(source.text, number),
            false => digits.find(source.text),
        });
        self.record(found, number, value);
    }

    fn enter(&mut self, index: usize) {
        self.path.push(PathSegment::Index(index));
    }

    fn leave(&mut self) {
        self.path.pop();
    }
}

/// Looks the texts and numbers of a value up.
pub fn look_up<V: FoundValue + ?Sized>(finder: &mut PassageFinder<'_>, value: &V) {
    value.look(finder);
}

/// Returns untrusted text in a fence that the text can't close.
#[must_use]
pub fn quoted(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}
