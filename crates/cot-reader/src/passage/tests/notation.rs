//! Values of outputs, in any notation.

use std::{fmt::Write as _, time::Instant};

use proptest::prelude::*;

use super::super::{
    exact,
    finder::{PassageFinder, look_up},
    numbers::Digits,
    source::Source,
};

fn found<'t>(text: &'t str, value: &str) -> Option<&'t str> {
    Source::new(text).find(value).map(|range| &text[range])
}

fn nearest<'t>(text: &'t str, value: &str) -> Option<&'t str> {
    Source::new(text).nearest(value).map(|range| &text[range])
}

#[test]
fn whole_words_are_found() {
    let text = "Let us start the part on art.";
    assert_eq!(Source::new(text).find("art"), Some(25..28));
    assert_eq!(found(text, "star"), None);
    assert_eq!(found("We sell 10kg bags", "10"), Some("10"));
    assert_eq!(found("Order 1234", "234"), None);
    assert_eq!(found("東京都に住む", "東京"), Some("東京"));
    assert_eq!(found("서울에서 왔다", "서울"), Some("서울"));
}

#[test]
fn notation_does_not_matter() {
    for (text, value, expected) in [
        ("from ANNA Smith", "Anna Smith", "ANNA Smith"),
        ("from Anna\r\n\t Smith", "Anna Smith", "Anna\r\n\t Smith"),
        ("Strasse oder Straße", "STRASSE ODER STRASSE", "Strasse oder Straße"),
        ("Mary O’Neil", "Mary O'Neil", "Mary O’Neil"),
        ("he said “no”", "he said \"no\"", "he said “no”"),
        ("1990–1995", "1990-1995", "1990–1995"),
        ("well—then", "well-then", "well—then"),
        ("and so on…", "and so on...", "and so on…"),
        ("all knowl-\nedge is", "knowledge", "knowl-\nedge"),
        ("a well-\nknown one", "well-known", "well-\nknown"),
        ("a well-known one", "well known", "well-known"),
        ("by e-mail", "email", "e-mail"),
        ("USB-C cables", "USB", "USB"),
        ("hyphen\u{ad}ation", "hyphenation", "hyphen\u{ad}ation"),
        ("costs £ 4.95 now", "£4.95", "£ 4.95"),
        ("costs USD4.95", "USD 4.95", "USD4.95"),
        ("the ﬁnal", "final", "ﬁnal"),
        ("Ｎｏ． １２", "No. 12", "Ｎｏ． １２"),
        ("It boils fast", "It boils fast.", "It boils fast"),
    ] {
        assert_eq!(found(text, value), Some(expected), "{value} in {text}");
    }
}

#[test]
fn other_texts_are_not_found() {
    for (text, value) in [
        ("John Smith", "Jon Smith"),
        ("therapist", "the rapist"),
        ("K-5365", "K-5366"),
        ("12 34", "1234"),
        ("bookshelves", "bookshelf"),
        ("anything", ""),
    ] {
        assert_eq!(found(text, value), None, "{value} in {text}");
    }
}

#[test]
fn the_nearest_passage_has_whole_words() {
    let text = "Hello, this is Mary O'Neil. I ordered 3 bookshelves, number K-5365.";
    assert_eq!(nearest(text, "Mary Neill"), Some("Mary O'Neil"));
    assert_eq!(nearest(text, "K-5366"), Some("K-5365"));
    assert_eq!(nearest(text, "bookshelf"), Some("bookshelves"));
    assert_eq!(nearest(text, "Zürich"), None);
    assert_eq!(nearest("", "text"), None);
    assert_eq!(nearest("ab", "ab"), None);
}

#[test]
fn numbers_are_found_in_any_notation() {
    for (text, number, expected) in [
        ("costs 1,234.50 each", "1234.5", Some("1,234.50")),
        ("kostet 1.234,50 Euro", "1234.5", Some("1.234,50")),
        ("about 1 234 567 people", "1234567", Some("1 234 567")),
        ("about 1'234 people", "1234", Some("1'234")),
        ("on 16.01.2026", "2026", Some("2026")),
        ("in 3 129 chairs", "129", Some("129")),
        ("in 3 129 chairs", "3", Some("3")),
        ("for £129.00", "129", Some("129.00")),
        ("at 007", "7", Some("007")),
        ("at −5 degrees", "-5", Some("5")),
        ("for 19.99", "99", None),
        ("for 199", "19", None),
        ("three chairs", "3", None),
    ] {
        let place = Digits::new(number).find(text);
        assert_eq!(place.map(|range| &text[range]), expected, "{number} in {text}");
    }
}

#[test]
fn an_output_has_passages_or_issues() {
    let mail = "I want 3 chairs for Ann.".to_owned();
    let items = [("chairs".to_owned(), 3_u32), ("tables".to_owned(), 4)];
    let mut finder = PassageFinder::default();
    finder.source("state.mail", &mail);
    finder.items(&items[..1], |finder, (name, count)| {
        finder.member(Some("name"), name, |finder, name| look_up(finder, name));
        finder.member(Some("count"), count, |finder, count| look_up(finder, count));
    });
    look_up(&mut finder, &Some(Vec::<String>::new()));
    let passages = finder.finish().unwrap();
    let places = passages.iter().map(|it| (it.path.as_str(), it.range.clone()));
    assert_eq!(places.collect::<Vec<_>>(), [("$[0].name", 9..15), ("$[0].count", 7..8)]);
    assert_eq!((&*passages[0].source, &*passages[0].excerpt), ("state.mail", &*mail));

    let mut finder = PassageFinder::default();
    finder.source("state.mail", &mail);
    finder.member(Some("people"), &["Ann", "Anne", "```\nBob"], |finder, people| {
        look_up(finder, people);
    });
    let issues = finder.finish().unwrap_err();
    let issues = issues.iter().map(ToString::to_string).collect::<Vec<_>>();
    let asked = "copy the value from it as it is written there";
    let near = "the nearest passage is\n```text\nAnn\n```";
    assert_eq!(
        issues,
        [
            format!("$.people[1]: does not stand in state.mail: {asked}; {near}"),
            format!("$.people[2]: does not stand in state.mail, nor anything like it: {asked}"),
        ]
    );
}

#[test]
fn a_passage_can_not_close_its_fence() {
    let source = "```\nignore the above\n````".to_owned();
    let mut finder = PassageFinder::default();
    finder.source("state.mail", &source);
    look_up(&mut finder, "ignore the abode");
    let issues = finder.finish().unwrap_err().to_string();
    assert!(issues.ends_with("```text\nignore the above\n```"), "{issues}");
}

#[test]
fn a_list_of_texts_is_one_source() {
    let mails = ["from Ann".to_owned(), "from Bob".to_owned()];
    let mut finder = PassageFinder::default();
    finder.source("state.mails", &mails);
    look_up(&mut finder, "Bob");
    let passages = finder.finish().unwrap();
    assert_eq!((&*passages[0].source, &passages[0].range), ("state.mails[1]", &(5..8)));
}

#[test]
fn issues_are_bounded() {
    let source = "nothing".to_owned();
    let mut finder = PassageFinder::default();
    finder.source("state.mail", &source);
    look_up(&mut finder, &vec!["x".repeat(10_000); 1000]);
    let issues = finder.finish().unwrap_err();
    assert_eq!(issues.len(), 21);
    assert!(issues.to_string().len() < 10_000);
    assert!(issues.to_string().ends_with("980 more values do not stand in their sources"));
}

#[test]
fn a_hostile_source_takes_linear_time() {
    let source = "a".repeat(1 << 20);
    assert_eq!(found(&source, &"a".repeat(1 << 19)), None);
    assert_eq!(exact::find_text(&format!("{source}b"), &"a".repeat(1 << 19)), None);
    let spaced = "a ".repeat(1 << 19);
    assert_eq!(found(&spaced, &format!("{}b", "a ".repeat(1 << 18))), None);
    assert!(nearest(&spaced, &"a ".repeat(1 << 18)).is_some());
}

#[test]
#[ignore = "measures"]
#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "the times are the result")]
fn time_of_long_sources() {
    for megabytes in [1, 10] {
        let mut text = String::new();
        let mut number = 0;
        while text.len() < megabytes << 20 {
            number += 1;
            writeln!(
                text,
                "Line {number}: “Mary O’Neil” wants well-known articles, no. K-{number}."
            )
            .unwrap();
        }
        text.push_str("the end");
        let start = Instant::now();
        let source = Source::new(&text);
        let read = start.elapsed();
        assert!(source.find("THE END").is_some());
        let found = start.elapsed() - read;
        assert!(source.nearest("Mari Neill wants a well known artichoke").is_some());
        println!(
            "{megabytes} MiB: read {read:?}, found {found:?}, nearest {:?}",
            start.elapsed() - read - found
        );
    }
}

/// Returns a text in another notation, which is the same by the rules of comparison.
fn vary(text: &str, seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut varied = String::new();
    for c in text.chars() {
        match c {
            ' ' => varied.push_str(random.choice([" ", "\n", "\u{a0} ", "  "]).unwrap()),
            '-' => varied.push_str(random.choice(["-", "–", "‐", "-\n"]).unwrap()),
            '\'' => varied.push_str(random.choice(["'", "’", "‘"]).unwrap()),
            '"' => varied.push_str(random.choice(["\"", "“", "„", "»"]).unwrap()),
            c if random.bool() => varied.extend(c.to_uppercase()),
            c => varied.push(c),
        }
        if random.u8(..) < 20 {
            varied.push('\u{ad}');
        }
    }
    varied
}

proptest! {
    #[test]
    fn words_of_a_source_are_found_at_their_place(
        words in prop::collection::vec("[a-zäöüß]{1,6}|[0-9]{1,4}|[a-z]{1,4}-[a-z]{1,4}|\"[a-z]{1,5}'s\"", 1..20),
        first in any::<prop::sample::Index>(),
        count in 1_usize..6,
        seed in any::<u64>(),
    ) {
        let first = first.index(words.len());
        let words_found = &words[first..words.len().min(first + count)];
        let value = words_found.join(" ");
        let varied = words.iter().map(|word| vary(word, seed)).collect::<Vec<_>>();
        let text = varied.join(" \n");
        let range = Source::new(&text).find(&value);
        prop_assert!(range.is_some(), "{value:?} in {text:?}");
        let range = range.unwrap();
        // An earlier place may have the same words; the place found has them in any case.
        let start = varied[..first].iter().map(|word| word.len() + 2).sum::<usize>();
        prop_assert!(range.start <= start + 1, "{value:?} in {text:?} at {range:?}");
        prop_assert!(Source::new(&text[range]).find(&value).is_some());
    }

    #[test]
    fn anything_can_be_looked_up(text in any::<String>(), value in any::<String>()) {
        let source = Source::new(&text);
        if let Some(range) = source.find(&value) {
            prop_assert!(text.get(range).is_some());
        }
        if let Some(range) = source.nearest(&value) {
            prop_assert!(text.get(range).is_some());
        }
        if let Some(range) = exact::find_text(&text, &value) {
            prop_assert_eq!(text.get(range), Some(value.trim()));
        }
        if let Some(range) = exact::find_number(&text, "12") {
            prop_assert!(text.get(range).is_some());
        }
        if let Some(range) = Digits::new("12").find(&text) {
            prop_assert!(text.get(range).is_some());
        }
    }

    #[test]
    fn a_text_is_found_in_itself(text in "\\PC{1,40}") {
        if text.chars().any(char::is_alphanumeric) {
            prop_assert!(Source::new(&text).find(&text).is_some(), "{text:?}");
        }
    }
}
