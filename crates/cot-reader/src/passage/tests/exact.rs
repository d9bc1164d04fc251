//! Arguments of tools, which have to stand in their sources exactly.

use super::super::{
    finder::{PassageFinder, look_up},
    values::FoundValue,
};

/// Returns the issues of arguments.
fn refused<V: FoundValue + ?Sized>(text: &str, value: &V) -> Vec<String> {
    let mut finder = PassageFinder::exact();
    finder.source("state.request", text);
    look_up(&mut finder, value);
    let issues = finder.finish().err().into_iter();
    issues.flat_map(|issues| issues.iter().map(ToString::to_string).collect::<Vec<_>>()).collect()
}

#[test]
fn texts_of_arguments_stand_in_their_source_exactly() {
    for (text, value) in [
        ("Pay 15 to Ada Lovelace, as agreed.", "Ada Lovelace"),
        ("Pay 15 to Ada Lovelace, as agreed.", " Ada Lovelace\n"),
        ("Pay Ada's bill", "Ada"),
        ("Write to ada@example.org.", "ada@example.org"),
        ("Write to <ada@example.org>", "ada@example.org"),
        ("{\"to\":\"ada@example.org\"}", "ada@example.org"),
        ("Delete \"*\", please", "*"),
        ("List / and go", "/"),
        ("Read ../notes, then stop", "../notes"),
        ("We use C++, and C#.", "C++"),
        ("東京都に住む", "東京"),
        ("id 13-a", "13-a"),
    ] {
        assert_eq!(refused(text, value), [""; 0], "{value:?} in {text:?}");
    }
    for (text, value) in [
        ("Write to ada@example.org", "ada@exam-ple.org"),
        ("Write to ada@example.org", "Ada@example.org"),
        ("Write to ada@example.org", "ada@example.org."),
        ("Write to ada@example.org", "ada@ example.org"),
        ("Write to ada@example.org", "ada@example\u{ad}.org"),
        ("Write to ada@example.org.uk", "ada@example.org"),
        ("Write to ada-b@example.org", "b@example.org"),
        ("Open citibank.com", "cıtıbank.com"),
        ("Open citibank.com", "ｃitibank.com"),
        ("Read notes", "../notes"),
        ("Read ../notes", "/notes"),
        ("Read home/notes", "/notes"),
        ("Read notes", "notes/"),
        ("Pay Ada Lovelace", "Ada  Lovelace"),
        ("Pay Ada Lovelace", "Ada Love"),
        ("Pay O’Neil", "O'Neil"),
        ("File A13b", "13"),
        ("Pay 1,000,000", "1"),
        ("Pay -15", "15"),
        ("At 10:30", "30"),
        ("Delete it.", "."),
        ("Delete it ...", ".."),
        ("A half, 50% of it", "%"),
        ("a/b and 2*3", "/"),
        ("a/b and 2*3", "*"),
        ("Delete it", ""),
        ("Delete it", " \n"),
        ("", "Ada"),
    ] {
        assert_eq!(refused(text, value).len(), 1, "{value:?} in {text:?}");
    }
    let near = refused("Write to ada@example.org", "ada@exam-ple.org").concat();
    assert!(near.ends_with("the nearest passage is\n```text\nada@example.org\n```"), "{near}");
}

#[test]
fn numbers_of_arguments_have_one_reading() {
    for (text, number) in [
        ("Pay 15 to Ada", 15.0),
        ("Pay €15.", 15.0),
        ("Pay 15%", 15.0),
        ("{\"amount\":15}", 15.0),
        ("from -15 on", -15.0),
        ("from −15 on", -15.0),
        ("from +15 on", 15.0),
        ("costs 0.125", 0.125),
        ("costs 0,125", 0.125),
        ("for £129.00", 129.0),
        ("costs 1,234.50 each", 1234.5),
        ("kostet 1.234,50 Euro", 1234.5),
        ("about 1,000,000", 1_000_000.0),
        ("about 1'234", 1234.0),
        ("about 1234.567", 1234.567),
        ("either 1,234 or 1234", 1234.0),
        ("0 of them", 0.0),
        ("0 of them", -0.0),
    ] {
        assert_eq!(refused(text, &number), [""; 0], "{number} in {text:?}");
    }
    for (text, number) in [
        ("Pay 15 to Ada", -15.0),
        ("from -15 on", 15.0),
        ("from –15 on", 15.0),
        ("costs 0.125", 125.0),
        ("costs .125", 125.0),
        ("pay 13 250", 13250.0),
        ("pay 13 250", 13.0),
        ("pay 13 250", 250.0),
        ("pay 13\u{a0}250", 13250.0),
        ("pay 1,234", 1234.0),
        ("pay 1,234", 1.234),
        ("about 1,000,000", 0.0),
        ("about 1,000,000", 1.0),
        ("about 1,2,3,4,5,6,7,8,9,10", 9.0),
        ("about 1,2,3,4,5,6,7,8,9,10", 10.0),
        ("on 16.01.2026", 2026.0),
        ("on 2026-01-16", 2026.0),
        ("on 2026-01-16", 16.0),
        ("at 10:30", 30.0),
        ("3/4 of it", 4.0),
        ("A13b", 13.0),
        ("A13", 13.0),
        ("K-5365", 5365.0),
        ("K-5365", -5365.0),
        ("10kg", 10.0),
        ("1e5", 1.0),
        ("2_000", 2.0),
        ("15½", 15.0),
        ("three", 3.0),
    ] {
        assert_eq!(refused(text, &number).len(), 1, "{number} in {text:?}");
    }
}

#[test]
fn arguments_without_values_are_accepted_and_too_many_are_refused() {
    assert_eq!(refused("Ada", &None::<String>), [""; 0]);
    assert_eq!(refused("Ada", &Vec::<String>::new()), [""; 0]);
    assert_eq!(refused("Ada", &vec!["Ada"; 1000]), [""; 0]);
    assert_eq!(refused("Ada", &vec!["Ada"; 1001]), ["$: has more than 1000 values"]);
}
