//! Places in clean, broken and hostile replies.

use std::ops::Range;

use cot_schema::{
    Issues,
    internal::{PathSegment, format_path},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::places::ReplyPlaces;
use crate::{Reader, parse::has_odd_escapes, repair::catalogue::RepairKind};

fn places(reply: &str) -> (Value, ReplyPlaces) {
    let reading = Reader::any().read(reply).unwrap_or_else(|e| panic!("{reply}: {e}"));
    (reading.value, ReplyPlaces::find(reply, &reading.repairs, None))
}

/// Adds the paths of a value and of all values in it.
fn paths(value: &Value, path: &mut Vec<PathSegment>, all: &mut Vec<(String, Value)>) {
    all.push((format_path(path), value.clone()));
    let steps: Vec<(PathSegment, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, it)| (PathSegment::Index(index), it)).collect()
        }
        Value::Object(members) => {
            members.iter().map(|(key, it)| (PathSegment::Key(key.clone()), it)).collect()
        }
        _ => Vec::new(),
    };
    for (step, value) in steps {
        path.push(step);
        paths(value, path, all);
        path.pop();
    }
}

fn all_paths(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    paths(value, &mut Vec::new(), &mut all);
    all
}

/// Reads a reply and returns its repairs, each with the text at its place.
fn repaired(reply: &str) -> Vec<(String, Option<&str>)> {
    let reading = Reader::any().read(reply).unwrap_or_else(|e| panic!("{reply}: {e}"));
    let places = ReplyPlaces::find(reply, &reading.repairs, None);
    let text = |at| places.repair(at).map(|place: Range<usize>| &reply[place]);
    let repairs = reading.repairs.iter().enumerate();
    repairs.map(|(at, repair)| (repair.description.clone(), text(at))).collect()
}

#[test]
fn repairs_are_where_the_text_was_repaired() {
    let reply =
        "Sure:\n{ // a note\n \"a\": 'x', b: True,\n \"list\": [1 2,], \"a\\u0062\": “y” } ok";
    let expected = [
        ("a comment", Some("// a note\n ")),
        ("single quotes", Some("'x'")),
        ("a key without quotes", Some("b")),
        ("a Python literal", Some("True")),
        ("a missing comma", Some("")),
        ("a trailing comma", Some(",")),
        ("typographic quotes", Some("“y”")),
    ];
    let found = repaired(reply);
    for (description, text) in expected {
        let is_it = |(known, _): &&(String, Option<&str>)| {
            known.contains(description) || description.contains(known.as_str())
        };
        let repair = found.iter().find(is_it);
        assert_eq!(repair.map(|(_, text)| *text), Some(text), "{description}: {found:?}");
    }
}

#[test]
fn equal_repairs_have_their_own_places() {
    let reply = "{'a': 'x', 'b': {'a': 'y'}}";
    let texts: Vec<_> = repaired(reply).into_iter().filter_map(|(_, text)| text).collect();
    for text in ["'a'", "'x'", "'b'", "'y'"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
    assert_eq!(texts.iter().filter(|text| **text == "'a'").count(), 2, "{texts:?}");
}

#[test]
fn strings_that_look_like_punctuation_end_where_valid_json_says() {
    let object = r#"{"a":[","],"`":null}"#;
    for reply in [object.to_owned(), format!("So: {object}.")] {
        let (value, found) = places(&reply);
        assert_eq!(value, json!({ "a": [","], "`": null }));
        let text = |path| found.value(path).map(|place| &reply[place]);
        assert_eq!((text("$.a"), text("$.a[0]")), (Some(r#"[","]"#), Some(r#"",""#)), "{reply}");
    }
}

#[test]
fn the_reading_with_the_issues_counts() {
    let reply = "Not {\"x\": 1} but\n```json\n{\"name\": {\"first\": 5}}\n```";
    let issues = Issues::at("$.name.first", "is a number");
    let places = ReplyPlaces::find(reply, &[], Some(&issues));
    let issue = issues.iter().next().unwrap();
    assert_eq!(places.issue(issue).map(|place| &reply[place]), Some("5"));
}

#[test]
fn paths_are_found_although_coercion_changed_them() {
    let (_, found) = places(r#"{"result": {"First Name": "Ann", "tags": "a"}}"#);
    assert_eq!(found.value("$.first_name"), Some(26..31));
    assert_eq!(found.value("$.result.tags[0]"), Some(41..44));
    assert_eq!(found.value("$.nothing"), None);
}

#[test]
fn a_malformed_reply_has_the_place_at_which_it_is_malformed() {
    let reply = r#"{"a": 1, "b": {"c" & 2}}"#;
    let unreadable = Reader::any().read(reply).unwrap_err();
    let places = ReplyPlaces::find(reply, &[], Some(&unreadable.issues));
    let issue = unreadable.issues.iter().next().unwrap();
    let place = places.issue(issue);
    assert!(place.is_some_and(|place| place.start > 14), "{issue:?}");
    assert_eq!(places.value("$.a"), Some(6..7));
}

#[test]
fn a_malformed_value_has_no_place_that_ends_before_it_begins() {
    let reply = r#"0{\"&:\}"#;
    let places = ReplyPlaces::find(reply, &[], None);
    assert_eq!(places.value("$"), None);
}

#[test]
fn values_in_a_row_and_escaped_json_have_places() {
    let (value, found) = places("{\"a\": 1}\n{\"a\": 2}");
    assert_eq!(value, json!([{ "a": 1 }, { "a": 2 }]));
    assert_eq!((found.value("$[0].a"), found.value("$[1].a")), (Some(6..7), Some(15..16)));
    let reply = r#"{\"a\": \"x\"}"#;
    let (_, found) = places(reply);
    assert_eq!(found.value("$.a").map(|place| &reply[place]), Some(r#"\"x\""#));
    let (_, found) = places("\"a\": 1, \"b\": 2}");
    assert_eq!(found.value("$.b"), Some(13..14));
}

#[test]
fn most_paths_of_broken_replies_are_found() {
    let (mut found, mut all) = (0, 0);
    for reply in RepairKind::ALL.iter().map(|kind| kind.example()) {
        let Ok(reading) = Reader::any().read(reply) else { continue };
        let places = ReplyPlaces::find(reply, &reading.repairs, None);
        for (path, _) in all_paths(&reading.value) {
            all += 1;
            found += usize::from(places.value(&path).is_some());
        }
    }
    assert!(all > 150 && found * 100 >= all * 95, "{found} of {all}");
}

#[test]
fn long_and_hostile_replies_take_linear_time() {
    let long = 20_000;
    for reply in [
        "{".repeat(long),
        "{\"a\":".repeat(long),
        "{'".repeat(long),
        "[ ".repeat(long),
        "{\"a\":1,}".repeat(long),
        format!("[{}]", "{'a': 1,},".repeat(long)),
    ] {
        let repairs = Reader::any().read(&reply).map_or_else(|e| e.repairs, |it| it.repairs);
        let _ = ReplyPlaces::find(&reply, &repairs, None);
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn each_path_of_clean_json_gives_the_text_of_its_value(value in json_value(), pretty: bool) {
        prop_assume!(value.is_object() || value.is_array());
        let reply = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        prop_assume!(!has_odd_escapes(&reply));
        let places = ReplyPlaces::find(&reply, &[], None);
        for (path, value) in all_paths(&value) {
            let text = places.value(&path).map(|place| reply[place].to_owned());
            let read = text.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
            prop_assert_eq!(read.as_ref(), Some(&value), "{}: {:?}", path, text);
        }
    }

    #[test]
    fn ranges_are_within_any_text(
        text in r#"[{}\[\]()"'“”`\\<>/#a-c:,=+;0-9\n …é&]{0,80}"#,
        any in "(?s).{0,80}",
    ) {
        for reply in [text, any] {
            let (repairs, issues) = match Reader::any().may_be_truncated(true).read(&reply) {
                Ok(reading) => (reading.repairs, Issues::new()),
                Err(unreadable) => (unreadable.repairs, unreadable.issues),
            };
            let places = ReplyPlaces::find(&reply, &repairs, Some(&issues));
            let of_repairs = (0..repairs.len()).filter_map(|at| places.repair(at));
            let of_issues = issues.iter().filter_map(|issue| places.issue(issue));
            for place in of_repairs.chain(of_issues).chain(places.value("$")) {
                prop_assert!(reply.get(place.clone()).is_some(), "{:?} in {:?}", place, reply);
            }
        }
    }
}
