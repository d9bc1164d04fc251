//! The partial view of an output: which fields it has, and of which types.

use cot_core::{CotOutput, Incoming};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase")]
struct Report {
    main_title: String,
    #[serde(rename = "n", alias = "number")]
    count: Option<u32>,
    words: Vec<String>,
    #[cot(partial)]
    sections: Vec<Section>,
    #[cot(partial)]
    last: Option<Box<Section>>,
    kind: Kind,
    #[serde(skip)]
    _hidden: u8,
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    raw: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Section {
    text: String,
    #[cot(partial)]
    #[serde(default)]
    inner: Vec<Self>,
    parent: Option<Box<Self>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Kind {
    Long,
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

type Partial<T> = <T as CotOutput>::Partial;

fn read<T: CotOutput>(value: Value) -> Partial<T> {
    serde_json::from_value(value).unwrap()
}

#[test]
fn every_field_may_be_missing() {
    let nothing = read::<Report>(json!({}));
    assert_eq!(nothing.main_title, Incoming::Missing);
    assert_eq!(nothing.kind, Incoming::Missing);
    assert!(nothing.sections.get().is_none());
}

#[test]
fn fields_have_the_names_of_the_json() {
    let report = read::<Report>(json!({
        "mainTitle": "T",
        "number": null,
        "words": ["a"],
        "sections": [{ "inner": [{ "text": "deep" }] }],
        "last": { "text": "end" },
        "kind": "Long",
        "raw": "7",
        "more": 1,
    }));
    assert_eq!(report.main_title, Incoming::Finished("T".to_owned()));
    assert_eq!(report.count, Incoming::Finished(None));
    assert_eq!(report.words, Incoming::Finished(vec![Incoming::Finished("a".to_owned())]));
    assert_eq!(report.kind, Incoming::Finished(Kind::Long));
    assert_eq!(report.raw.get(), Some(&json!("7")));
    let sections: &Vec<Incoming<Partial<Section>>> = report.sections.get().unwrap();
    let section = sections[0].get().unwrap();
    assert!(section.text.get().is_none());
    let inner = section.inner.get().unwrap()[0].get().unwrap();
    assert_eq!(inner.text.get().unwrap(), "deep");
    let last: &Option<Box<Partial<Section>>> = report.last.get().unwrap();
    assert_eq!(last.as_ref().unwrap().text.get().unwrap(), "end");
}

#[test]
fn what_is_no_struct_comes_as_a_whole() {
    assert_eq!(read::<Kind>(json!("Long")), Incoming::Finished(Kind::Long));
}
