//! Lookup of names, tolerant of case, separators and accents.

/// A set of names, such as the options of an enum or the keys of an object, each with an index.
#[derive(Debug, Default)]
pub struct Names {
    entries: Vec<Name>,
}

#[derive(Debug)]
struct Name {
    index: usize,
    text: String,
    is_alias: bool,
    /// The normalized forms: in lower case, with uniform separators, without separators, without accents.
    forms: [String; FORMS],
}

const FORMS: usize = 4;
/// Maximum length of a name.
const MAX_NAME_BYTES: usize = 300;

/// The result of a lookup.
#[derive(Debug, PartialEq, Eq)]
pub enum NameLookup {
    Nothing,
    One(NameMatch),
    /// Several names match equally well.
    Several(Vec<usize>),
}

/// A matching name and the quality of the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameMatch {
    pub index: usize,
    pub nearness: Nearness,
}

/// The quality of a match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// The text is the name.
    Name,
    /// The text is an alias.
    Alias,
    /// The text differs in case.
    Case,
    /// The text differs in separators, and perhaps in case.
    Separators,
    /// The text differs in accents, and perhaps in separators and case.
    Accents,
}

/// The quality of a match for each normalized form.
const NEARNESS: [Nearness; FORMS] =
    [Nearness::Case, Nearness::Separators, Nearness::Separators, Nearness::Accents];

impl Names {
    /// Adds a name for an index. An index can have several names.
    pub fn add(&mut self, index: usize, text: &str, is_alias: bool) {
        self.entries.push(Name { index, text: text.to_owned(), is_alias, forms: forms(text) });
    }

    /// Looks up a name. An exact match is preferred to one that differs in case, separators or accents.
    pub fn find(&self, text: &str) -> NameLookup {
        if text.len() > MAX_NAME_BYTES || self.entries.is_empty() {
            return NameLookup::Nothing;
        }
        let mut exact = self.entries.iter().filter(|name| !name.is_alias && name.text == text);
        if let (Some(only), None) = (exact.next(), exact.next()) {
            return NameLookup::One(NameMatch { index: only.index, nearness: Nearness::Name });
        }
        for (is_alias, nearness) in [(false, Nearness::Name), (true, Nearness::Alias)] {
            let exact = self.matching(|name| name.is_alias == is_alias && name.text == text);
            if let Some(found) = lookup(&exact, nearness) {
                return found;
            }
        }
        // Names that match in any form match in the last one, too.
        if !self.entries.iter().any(|name| may_be_same(&name.text, text)) {
            return NameLookup::Nothing;
        }
        let farthest = farthest_form(text);
        let possible = self.matching(|name| name.forms[FORMS - 1] == farthest);
        if farthest.is_empty() || possible.is_empty() {
            return NameLookup::Nothing;
        }
        let forms = forms(text);
        for (form, nearness) in NEARNESS.into_iter().enumerate() {
            let same = self.matching(|name| name.forms[form] == forms[form]);
            if let Some(found) = lookup(&same, nearness) {
                return found;
            }
        }
        NameLookup::Nothing
    }

    /// Looks up a name and returns the match if it is unambiguous.
    pub fn find_unique(&self, text: &str) -> Option<NameMatch> {
        match self.find(text) {
            NameLookup::One(found) => Some(found),
            NameLookup::Nothing | NameLookup::Several(_) => None,
        }
    }

    fn matching(&self, is_it: impl Fn(&Name) -> bool) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for name in self.entries.iter().filter(|name| is_it(name)) {
            if !found.contains(&name.index) {
                found.push(name.index);
            }
        }
        found
    }
}

fn lookup(matching: &[usize], nearness: Nearness) -> Option<NameLookup> {
    match matching {
        [] => None,
        [index] => Some(NameLookup::One(NameMatch { index: *index, nearness })),
        several => Some(NameLookup::Several(several.to_vec())),
    }
}

/// Returns whether two names are equal except for case, separators and accents.
pub fn same_name(one: &str, other: &str) -> bool {
    let is_name = one.len().max(other.len()) <= MAX_NAME_BYTES && may_be_same(one, other);
    one == other || (is_name && farthest_form(one) == farthest_form(other))
}

fn farthest_form(text: &str) -> String {
    without_accents(&separated(&text.trim().to_lowercase(), false))
}

/// A quick check before the forms of two names are compared: returns false if they can't be equal in any
/// form.
fn may_be_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim().as_bytes(), other.trim().as_bytes());
    let is_like = |a: Option<&u8>, b: Option<&u8>| match (a, b) {
        (Some(a), Some(b)) => !a.is_ascii() || !b.is_ascii() || a.eq_ignore_ascii_case(b),
        (a, b) => a == b,
    };
    is_like(one.first(), other.first()) && is_like(one.last(), other.last())
}

fn forms(text: &str) -> [String; FORMS] {
    let lower = text.trim().to_lowercase();
    let spaced = separated(&lower, true);
    let joined = separated(&lower, false);
    let plain = without_accents(&joined);
    [lower, spaced, joined, plain]
}

/// Replaces the separators within a text by a single `_`, or removes them. Leading and trailing separators
/// are part of the name: `A-` is not `A`. Between digits they are kept: `1.5` is not `15`.
fn separated(text: &str, keeps: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pending = String::new();
    let mut last: Option<char> = None;
    for c in text.chars() {
        if is_separator(c) {
            pending.push(c);
            continue;
        }
        match last {
            Some(last) if last.is_alphanumeric() && c.is_alphanumeric() => {
                let between_digits = last.is_numeric() && c.is_numeric();
                if !pending.is_empty() && (keeps || between_digits) {
                    // A decimal point is not a separator.
                    out.push(if between_digits && pending == "." { '.' } else { '_' });
                }
            }
            _ => out.push_str(&pending),
        }
        pending.clear();
        out.push(c);
        last = Some(c);
    }
    out.push_str(&pending);
    out
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '_' | '-' | '‐' | '‑' | '–' | '.' | '/')
}

/// Removes the diacritics of Latin letters.
fn without_accents(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Combining marks.
            '\u{300}'..='\u{36f}' => {}
            _ => match base(c) {
                Some(base) => out.push_str(base),
                None => out.push(c),
            },
        }
    }
    out
}

fn base(c: char) -> Option<&'static str> {
    BASES.iter().find(|(marked, _)| marked.contains(c)).map(|(_, base)| *base)
}

/// Lower-case letters with diacritics, and their base letters.
const BASES: [(&str, &str); 26] = [
    ("àáâãäåāăąǎ", "a"),
    ("çćĉċč", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįı", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŉ", "n"),
    ("òóôõöøōŏőǒ", "o"),
    ("ŕŗř", "r"),
    ("śŝşšș", "s"),
    ("ţťŧț", "t"),
    ("ùúûüũūŭůűųǔ", "u"),
    ("ŵ", "w"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("ß", "ss"),
    ("þ", "th"),
    ("ĳ", "ij"),
    ("ƒ", "f"),
    ("’", "'"),
];

/// Removes the quotes, brackets and punctuation that models put around a word.
pub fn strip_marks(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let before = rest;
        rest = rest.strip_prefix("- ").unwrap_or(rest);
        rest = rest.trim_matches(|c: char| c.is_whitespace() || QUOTES.contains(c));
        rest = rest.trim_end_matches(['.', '!', ';', ',', ':']);
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('_', '_')] {
            let inner = rest.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
            rest = inner.unwrap_or(rest);
        }
        if rest == before {
            return rest;
        }
    }
}

/// The quotes and emphasis marks that models put around a word.
pub const QUOTES: &str = "\"'`*“”‘’„«»";

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Names {
        let mut names = Names::default();
        for (i, text) in texts.iter().enumerate() {
            names.add(i, text, false);
        }
        names
    }

    #[test]
    fn finds_other_forms() {
        for (known, given) in [
            ("in_progress", "In Progress"),
            ("in_progress", "IN-PROGRESS"),
            ("InProgress", "in_progress"),
            ("inProgress", "in progress"),
            ("café", "CAFE"),
            ("cafe", "Café"),
            ("Straße", "strasse"),
            ("cafe\u{301}", "café"),
            ("2024-01", "2024_01"),
            ("gpt-4.1", "GPT 4.1"),
        ] {
            assert!(names(&[known, "zzz"]).find_unique(given).is_some(), "{known} {given}");
        }
    }

    #[test]
    fn does_not_take_one_name_for_another() {
        for (known, given) in [
            ("A", "A-"),
            ("A", "A+"),
            ("1", "-1"),
            ("15", "1.5"),
            ("2024", "20-24"),
            ("approved", "not approved"),
            ("approved", "!approved"),
            ("<=", "<"),
            ("", "-"),
        ] {
            assert_eq!(names(&[known]).find(given), NameLookup::Nothing, "{known} {given}");
        }
    }

    #[test]
    fn reports_ambiguous_names() {
        assert_eq!(names(&["a b", "a-b"]).find("a_b"), NameLookup::Several(vec![0, 1]));
        assert_eq!(names(&["Foo", "foo"]).find("FOO"), NameLookup::Several(vec![0, 1]));
        assert!(matches!(
            names(&["Foo", "foo"]).find("foo"),
            NameLookup::One(NameMatch { index: 1, .. })
        ));
    }

    #[test]
    fn strips_marks() {
        for (marked, plain) in [
            ("\"done\"", "done"),
            (" **Done** ", "Done"),
            ("'done'.", "done"),
            ("(a)", "a"),
            ("- a", "a"),
            ("!a", "!a"),
            ("C++.", "C++"),
        ] {
            assert_eq!(strip_marks(marked), plain);
        }
    }
}
