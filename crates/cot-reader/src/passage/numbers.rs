//! Finds a number in a text, in whatever notation it is written there.

use std::ops::Range;

/// The digits of a number, without its sign: a text says `5 below zero`, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Digits {
    whole: String,
    fraction: String,
}

/// Maximum number of groups of a number, as in `1 000 000`.
const MAX_GROUPS: usize = 8;

impl Digits {
    /// Takes the digits of a number in the notation of Rust.
    pub(super) fn new(number: &str) -> Self {
        let (whole, fraction) =
            number.trim_start_matches('-').split_once('.').unwrap_or((number, ""));
        Self::from_parts(whole.trim_start_matches('-'), fraction)
    }

    fn from_parts(whole: &str, fraction: &str) -> Self {
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        Self { whole: whole.to_owned(), fraction: fraction.to_owned() }
    }

    /// Returns the place of the first number in a text that can be read as this one.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        let mut at = 0;
        while let Some(start) = text.get(at..)?.find(|c: char| c.is_ascii_digit()) {
            let written = Written::read(text, at + start);
            if let Some(place) = written.place_of(self, text) {
                return Some(place);
            }
            at = written.next();
        }
        None
    }
}

/// Groups of digits in a text, with marks between them.
pub(super) struct Written {
    groups: Vec<Range<usize>>,
    /// The mark after each group but the last.
    marks: Vec<char>,
}

impl Written {
    /// Reads the groups from a digit on.
    pub(super) fn read(text: &str, start: usize) -> Self {
        let (mut groups, mut marks) = (vec![group(text, start)], Vec::new());
        while groups.len() < MAX_GROUPS
            && let Some(last) = groups.last()
            && let Some(mark) = text.get(last.end..).and_then(|rest| rest.chars().next())
        {
            let next = group(text, last.end + mark.len_utf8());
            let follows = match mark {
                '.' | ',' | '\'' | '’' => !next.is_empty(),
                ' ' | '\u{a0}' | '\u{202f}' => next.len() == 3 && last.len() <= 3,
                _ => false,
            };
            if !follows {
                break;
            }
            groups.push(next);
            marks.push(mark);
        }
        Self { groups, marks }
    }

    pub(super) fn range(&self) -> Range<usize> {
        let (first, last) = (self.groups.first(), self.groups.last());
        first.map_or(0, |it| it.start)..last.map_or(0, |it| it.end)
    }

    /// Returns the number that all groups are, if they can be read in one way alone. A space may separate two numbers, and
    /// a single mark may be the decimal point as well as a separator.
    pub(super) fn only_reading(&self, text: &str) -> Option<Digits> {
        let join = |groups: &[Range<usize>]| {
            groups.iter().map(|group| &text[group.clone()]).collect::<String>()
        };
        if self.marks.iter().any(|mark| mark.is_whitespace()) {
            return None;
        }
        let is_first = |it: &Range<usize>| it.len() <= 3 && !text[it.clone()].starts_with('0');
        let are_grouped = |groups: &[Range<usize>], marks: &[char]| {
            let is_one = marks.windows(2).all(|two| two[0] == two[1]);
            let first = marks.is_empty() || groups.first().is_some_and(is_first);
            first && is_one && groups.iter().skip(1).all(|it| it.len() == 3)
        };
        let is_whole = are_grouped(&self.groups, &self.marks);
        let whole = is_whole.then(|| Digits::from_parts(&join(&self.groups), ""));
        let (Some((mark, marks)), Some((fraction, groups))) =
            (self.marks.split_last(), self.groups.split_last())
        else {
            return whole;
        };
        let has_point =
            matches!(mark, '.' | ',') && !marks.contains(mark) && are_grouped(groups, marks);
        let point = has_point.then(|| Digits::from_parts(&join(groups), &text[fraction.clone()]));
        whole.xor(point)
    }

    /// Returns where the next number can begin: another one may have begun after a space.
    fn next(&self) -> usize {
        let space = self.marks.iter().position(|mark| mark.is_whitespace());
        let last = space.unwrap_or(self.groups.len() - 1);
        self.groups.get(last).map_or(usize::MAX, |group| group.end)
    }

    /// Returns the part of the groups that is this number: all up to some group, or one of a date or a version.
    fn place_of(&self, digits: &Digits, text: &str) -> Option<Range<usize>> {
        let is_it = |count: &usize| self.can_be(*count, digits, text);
        let is_end =
            |count: &usize| self.marks.get(count - 1).is_none_or(|mark| mark.is_whitespace());
        let counts = (1..=self.groups.len()).rev().filter(is_end);
        let whole = counts
            .into_iter()
            .find(is_it)
            .map(|count| self.groups[0].start..self.groups[count - 1].end);
        let is_listed = self.groups.len() > 2;
        whole.or_else(|| {
            let single = |group: &&Range<usize>| {
                is_listed && Digits::from_parts(&text[(*group).clone()], "") == *digits
            };
            self.groups.iter().find(single).cloned()
        })
    }

    /// Returns whether the first groups can be read as a number.
    fn can_be(&self, count: usize, digits: &Digits, text: &str) -> bool {
        let groups = &self.groups[..count];
        let join = |groups: &[Range<usize>]| {
            groups.iter().map(|group| &text[group.clone()]).collect::<String>()
        };
        let are_grouped = |groups: &[Range<usize>]| groups.iter().skip(1).all(|it| it.len() == 3);
        let is_whole = are_grouped(groups) && Digits::from_parts(&join(groups), "") == *digits;
        let Some((fraction, whole)) = groups.split_last().filter(|(_, whole)| !whole.is_empty())
        else {
            return is_whole;
        };
        let (mark, others) = (self.marks[count - 2], &self.marks[..count - 2]);
        let is_point = matches!(mark, '.' | ',') && !others.contains(&mark);
        let read = || Digits::from_parts(&join(whole), &text[fraction.clone()]);
        is_whole || is_point && are_grouped(whole) && read() == *digits
    }
}

fn group(text: &str, start: usize) -> Range<usize> {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    start..start + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}
