//! Names that mean the same though they are written otherwise.

/// Names by which something is known: the options of an enum, the keys of an object.
#[derive(Debug, Default)]
pub struct Names {
    entries: Vec<Name>,
}

#[derive(Debug)]
struct Name {
    of: usize,
    text: String,
    is_alias: bool,
    /// In lower case; with one sort of separator; without any; without accents too.
    forms: [String; FORMS],
}

const FORMS: usize = 4;
/// Longer texts are no names.
const MAX_NAME_BYTES: usize = 300;

/// Which of the known names a text is.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Nothing,
    One(Match),
    /// It is equally near to several.
    Several(Vec<usize>),
}

/// A name that was found, and how far the text is from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    pub of: usize,
    pub how: Nearness,
}

/// How near a text is to a name, from the nearest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// It is the name.
    Name,
    /// It is another name of the same thing.
    Alias,
    /// It differs in case.
    Case,
    /// It differs in separators, too.
    Separators,
    /// It differs in accents, too.
    Accents,
}

/// How near a text is that is the same in a form of the name.
const NEARNESS: [Nearness; FORMS] =
    [Nearness::Case, Nearness::Separators, Nearness::Separators, Nearness::Accents];

impl Names {
    /// Adds a name of the thing with a number.
    pub fn add(&mut self, of: usize, text: &str, is_alias: bool) {
        self.entries.push(Name { of, text: text.to_owned(), is_alias, forms: forms(text) });
    }

    /// The thing that a text names.
    pub fn find(&self, text: &str) -> Found {
        if text.len() > MAX_NAME_BYTES || self.entries.is_empty() {
            return Found::Nothing;
        }
        let mut exact = self.entries.iter().filter(|name| !name.is_alias && name.text == text);
        if let (Some(only), None) = (exact.next(), exact.next()) {
            return Found::One(Match { of: only.of, how: Nearness::Name });
        }
        for (is_alias, how) in [(false, Nearness::Name), (true, Nearness::Alias)] {
            let exact = self.matching(|name| name.is_alias == is_alias && name.text == text);
            if let Some(found) = found(&exact, how) {
                return found;
            }
        }
        // What is the same in a nearer form is the same in the farthest one, too.
        if !self.entries.iter().any(|name| may_be_same(&name.text, text)) {
            return Found::Nothing;
        }
        let farthest = farthest_form(text);
        let possible = self.matching(|name| name.forms[FORMS - 1] == farthest);
        if farthest.is_empty() || possible.is_empty() {
            return Found::Nothing;
        }
        let forms = forms(text);
        for (tier, how) in NEARNESS.into_iter().enumerate() {
            let same = self.matching(|name| name.forms[tier] == forms[tier]);
            if let Some(found) = found(&same, how) {
                return found;
            }
        }
        Found::Nothing
    }

    /// The thing that a text names, if it can only be that one.
    pub fn one(&self, text: &str) -> Option<Match> {
        match self.find(text) {
            Found::One(found) => Some(found),
            Found::Nothing | Found::Several(_) => None,
        }
    }

    fn matching(&self, is_it: impl Fn(&Name) -> bool) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for name in self.entries.iter().filter(|name| is_it(name)) {
            if !found.contains(&name.of) {
                found.push(name.of);
            }
        }
        found
    }
}

fn found(matching: &[usize], how: Nearness) -> Option<Found> {
    match matching {
        [] => None,
        [of] => Some(Found::One(Match { of: *of, how })),
        several => Some(Found::Several(several.to_vec())),
    }
}

/// Whether two names differ in case, separators and accents at most.
pub fn same_name(one: &str, other: &str) -> bool {
    let is_name = one.len().max(other.len()) <= MAX_NAME_BYTES && may_be_same(one, other);
    one == other || (is_name && farthest_form(one) == farthest_form(other))
}

fn farthest_form(text: &str) -> String {
    without_accents(&separated(&text.trim().to_lowercase(), false))
}

/// Whether it is worth while to compare the forms of two names: all of them begin and end alike.
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

/// Separators within a text become one `_`, or nothing. Those around it are part of it: `A-` is not
/// `A`. Between digits they stay: `1.5` is not `15`.
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
                    // A decimal point is no separator.
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

/// Latin letters without their marks.
fn without_accents(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Marks that stand by themselves.
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

/// Lower-case letters with marks, and what they are without.
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

/// A text without the quotes and marks that models put around a word.
pub fn without_marks(text: &str) -> &str {
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
            assert!(names(&[known, "zzz"]).one(given).is_some(), "{known} {given}");
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
            assert_eq!(names(&[known]).find(given), Found::Nothing, "{known} {given}");
        }
    }

    #[test]
    fn says_which_are_equally_near() {
        assert_eq!(names(&["a b", "a-b"]).find("a_b"), Found::Several(vec![0, 1]));
        assert_eq!(names(&["Foo", "foo"]).find("FOO"), Found::Several(vec![0, 1]));
        assert!(matches!(names(&["Foo", "foo"]).find("foo"), Found::One(Match { of: 1, .. })));
    }

    #[test]
    fn takes_marks_off() {
        for (marked, plain) in [
            ("\"done\"", "done"),
            (" **Done** ", "Done"),
            ("'done'.", "done"),
            ("(a)", "a"),
            ("- a", "a"),
            ("!a", "!a"),
            ("C++.", "C++"),
        ] {
            assert_eq!(without_marks(marked), plain);
        }
    }
}
