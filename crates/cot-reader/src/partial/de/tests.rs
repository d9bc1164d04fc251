//! Deserialization of incomplete values into types with `Incoming` fields, as the derive generates them.

use std::{collections::BTreeMap, net::IpAddr};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::de::read;
use crate::find::prefix::read_incomplete;
use crate::partial::incoming::Incoming::{self, Finished, Missing, Unfinished};

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Article {
    head_line: Incoming<String>,
    words: Incoming<u32>,
    mood: Incoming<Mood>,
    server: Incoming<IpAddr>,
    initial: Incoming<char>,
    subtitle: Incoming<Option<String>>,
    tags: Incoming<Vec<Incoming<String>>>,
    author: Incoming<Author>,
    sections: Incoming<Vec<Incoming<Author>>>,
    /// A type that must be complete.
    place: Incoming<Place>,
    places: Incoming<Vec<Place>>,
    anything: Incoming<Value>,
    counts: Incoming<BTreeMap<String, Incoming<u32>>>,
    codename: Incoming<Name>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Author {
    name: Incoming<String>,
    age: Incoming<u32>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mood {
    Glad,
    Sad { why: String },
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Place {
    name: String,
    country: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Name(String);

fn article(text: &str) -> Article {
    let prefix = read_incomplete(text).unwrap();
    read(&prefix.value, prefix.open).unwrap()
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn nothing_is_missing_and_no_error() {
    assert_eq!(article("{"), Article::default());
    assert_eq!(article(r#"{"unknown": {"a": [1, "b"#), Article::default());
}

#[test]
fn texts_come_letter_by_letter() {
    assert_eq!(article(r#"{"headLine": "#).head_line, Missing);
    assert_eq!(article(r#"{"headLine": ""#).head_line, Unfinished(text("")));
    assert_eq!(article(r#"{"headLine": "Th\u00"#).head_line, Unfinished(text("Th")));
    assert_eq!(article(r#"{"headLine": "The""#).head_line, Finished(text("The")));
    assert_eq!(article(r#"{"codename": "Th"#).codename, Unfinished(Name(text("Th"))));
}

#[test]
fn what_only_has_a_meaning_as_a_whole_is_missing_until_then() {
    assert_eq!(article(r#"{"words": 12"#).words, Missing);
    assert_eq!(article(r#"{"words": 12,"#).words, Finished(12));
    assert_eq!(article(r#"{"mood": "glad"#).mood, Missing);
    assert_eq!(article(r#"{"mood": "glad""#).mood, Finished(Mood::Glad));
    assert_eq!(article(r#"{"mood": {"sad": {"why": "rain"#).mood, Missing);
    assert_eq!(article(r#"{"mood": {"sad": {"why": "rain"}"#).mood, Missing);
    let sad = Mood::Sad { why: text("rain") };
    assert_eq!(article(r#"{"mood": {"sad": {"why": "rain"}}"#).mood, Finished(sad));
    assert_eq!(article(r#"{"server": "10.0.0.1"#).server, Missing);
    assert_eq!(article(r#"{"server": "10.0.0.12""#).server, Finished([10, 0, 0, 12].into()));
    assert_eq!(article(r#"{"initial": "T"#).initial, Missing);
    assert_eq!(article(r#"{"initial": "T""#).initial, Finished('T'));
    assert_eq!(article(r#"{"anything": {"a": 1"#).anything, Missing);
    assert_eq!(article(r#"{"anything": {"a": 1}"#).anything, Finished(json!({ "a": 1 })));
}

#[test]
fn options_come_as_what_is_in_them() {
    assert_eq!(article(r#"{"subtitle": nul"#).subtitle, Missing);
    assert_eq!(article(r#"{"subtitle": null,"#).subtitle, Finished(None));
    assert_eq!(article(r#"{"subtitle": "Or"#).subtitle, Unfinished(Some(text("Or"))));
    assert_eq!(article(r#"{"subtitle": "Or","#).subtitle, Finished(Some(text("Or"))));
}

#[test]
fn lists_come_item_by_item() {
    assert_eq!(article(r#"{"tags": ["#).tags, Missing);
    let begun = vec![Unfinished(text("s"))];
    assert_eq!(article(r#"{"tags": ["s"#).tags, Unfinished(begun));
    let one = || vec![Finished(text("sea"))];
    assert_eq!(article(r#"{"tags": ["sea", "#).tags, Unfinished(one()));
    assert_eq!(article(r#"{"tags": ["sea"]"#).tags, Finished(one()));
    assert_eq!(article(r#"{"tags": []"#).tags, Finished(vec![]));
    let mixed = vec![Missing, Finished(text("sea"))];
    assert_eq!(article(r#"{"tags": [1, "sea"]"#).tags, Finished(mixed));
}

#[test]
fn what_is_within_comes_part_by_part() {
    let author = |name, age| Author { name, age };
    assert_eq!(article(r#"{"author": {"#).author, Missing);
    let ann = Unfinished(author(Unfinished(text("An")), Missing));
    assert_eq!(article(r#"{"author": {"name": "An"#).author, ann);
    let ann = || author(Finished(text("Ann")), Finished(7));
    assert_eq!(article(r#"{"author": {"name": "Ann", "age": 7,"#).author, Unfinished(ann()));
    assert_eq!(article(r#"{"author": {"name": "Ann", "age": 7}"#).author, Finished(ann()));
    let nobody = Finished(author(Missing, Finished(1)));
    assert_eq!(article(r#"{"author": {"name": 5, "age": 1}, "#).author, nobody);

    let sections = article(r#"{"sections": [{"name": "A", "age": 1}, {"name": "B"#).sections;
    let first = Finished(author(Finished(text("A")), Finished(1)));
    let second = Unfinished(author(Unfinished(text("B")), Missing));
    assert_eq!(sections, Unfinished(vec![first, second]));

    let counts = article(r#"{"counts": {"a": 1, "b": 2"#).counts;
    assert_eq!(counts, Unfinished(BTreeMap::from([(text("a"), Finished(1))])));
}

#[test]
fn types_without_partials_come_as_a_whole() {
    assert_eq!(article(r#"{"place": {"name": "Ithaca"#).place, Missing);
    assert_eq!(article(r#"{"place": {"name": "Ithaca""#).place, Missing);
    assert_eq!(article(r#"{"place": {"name": "Ithaca", "country": null"#).place, Missing);
    let ithaca = || Place { name: text("Ithaca"), country: None };
    assert_eq!(article(r#"{"place": {"name": "Ithaca"}"#).place, Finished(ithaca()));
    assert_eq!(article(r#"{"places": [{"name": "Ithaca"}, {"#).places, Missing);
    assert_eq!(article(r#"{"places": [{"name": "Ithaca"}]"#).places, Finished(vec![ithaca()]));
}

#[test]
fn what_does_not_fit_is_missing_and_spoils_nothing_else() {
    let article = article(
        r#"{"headLine": 5, "words": "many", "tags": "one", "author": [1], "initial": "a"}"#,
    );
    assert_eq!(article, Article { initial: Finished('a'), ..Article::default() });
}

#[test]
fn plain_json_is_finished() {
    let author: Author = serde_json::from_str(r#"{"name": "Ann", "age": 7}"#).unwrap();
    assert_eq!(author, Author { name: Finished(text("Ann")), age: Finished(7) });
    assert!(serde_json::from_str::<Author>(r#"{"age": "Ann"}"#).is_err());
    let text: Incoming<Vec<Incoming<u8>>> = serde_json::from_value(json!([1, 2])).unwrap();
    assert_eq!(text, Finished(vec![Finished(1), Finished(2)]));
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Flat {
    id: Incoming<u32>,
    #[serde(flatten)]
    author: Author,
    last: Incoming<String>,
}

#[test]
fn flattened_fields_come_one_by_one() {
    let flat = |text: &str| {
        let prefix = read_incomplete(text).unwrap();
        read::<Flat>(&prefix.value, prefix.open).unwrap()
    };
    let begun = flat(r#"{"id": 1, "name": "An"#);
    assert_eq!(begun, Flat { id: Finished(1), ..Flat::default() });
    let named = flat(r#"{"id": 1, "name": "Ann", "age": "old", "other": 5, "last": "fi"#);
    let author = Author { name: Finished(text("Ann")), age: Missing };
    let last = Unfinished(text("fi"));
    assert_eq!(named, Flat { id: Finished(1), author: author.clone(), last });
    let all = flat(r#"{"id": 1, "name": "Ann"}"#);
    assert_eq!(all, Flat { id: Finished(1), author, last: Missing });
}

/// A type without a partial type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Open {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[test]
fn a_whole_output_may_be_one_incoming() {
    let open = |text: &str| {
        let prefix = read_incomplete(text).unwrap();
        read::<Incoming<Open>>(&prefix.value, prefix.open).unwrap()
    };
    assert_eq!(open(r#"{"#), Missing);
    assert_eq!(open(r#"{"name": "a", "b": 1, "#), Missing);
    let rest = BTreeMap::from([(text("b"), json!(1))]);
    assert_eq!(open(r#"{"name": "a", "b": 1}"#), Finished(Open { name: text("a"), rest }));
    let name: Incoming<Name> = read(&json!("Ann"), 1).unwrap();
    assert_eq!(name, Unfinished(Name(text("Ann"))));
}

#[test]
fn deep_values_that_do_not_fit_are_read_in_no_time() {
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Deep {
        inner: Box<Incoming<Self>>,
        size: Incoming<u8>,
        whole: u8,
    }
    let text = r#"{"inner": "#.repeat(100) + r#"{"size": 5, "whole": 7"#;
    let prefix = read_incomplete(&text).unwrap();
    assert_eq!(prefix.open, 101);
    let mut deep: Deep = read(&prefix.value, prefix.open).unwrap();
    let mut depth = 0;
    while let Unfinished(inner) = *deep.inner {
        deep = inner;
        depth += 1;
    }
    assert_eq!((depth, deep.size), (100, Finished(5)));
}
