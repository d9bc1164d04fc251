//! `check` on fields and types: where its issues are, what they say, and that all of them come.

use cot_core::{CotOutput, Issues};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::told;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase")]
#[cot(check = fits, because = "the van is small")]
struct Parcel {
    /// A text is checked by a function of `&str`.
    #[cot(check = no_blanks, check = lower)]
    parcel_code: String,
    #[cot(check = even, because = "boxes hold pairs.")]
    #[schemars(range(max = 100))]
    shoes: u32,
    #[serde(rename = "kg")]
    #[cot(check = rules::light)]
    weight: Option<f64>,
    tags: Vec<String>,
    #[serde(skip)]
    _note: String,
}

fn no_blanks(text: &str) -> Result<(), Issues> {
    if text.contains(' ') { Err(Issues::at("$", "must hold no blanks")) } else { Ok(()) }
}

fn lower(text: &str) -> Result<(), Issues> {
    if *text == text.to_lowercase() { Ok(()) } else { Err(Issues::at("", "must be lower case")) }
}

fn even(number: &u32) -> Result<(), Issues> {
    if number.is_multiple_of(2) { Ok(()) } else { Err(Issues::at("$", "must be even")) }
}

mod rules {
    use cot_core::Issues;

    pub(super) fn light(weight: &f64) -> Result<(), Issues> {
        if *weight > 30.0 { Err(Issues::at("$", "must be at most 30 kg")) } else { Ok(()) }
    }
}

fn fits(parcel: &Parcel) -> Result<(), Issues> {
    let mut issues = Issues::new();
    if parcel.shoes > 50 {
        issues.push("shoes", "is too many");
    }
    if parcel.tags.len() > 1 {
        issues.push("tags[1]", "is one tag too many");
    }
    issues.into_result()
}

#[test]
fn all_issues_come_at_once_and_with_their_reasons() {
    let reply = told!(Parcel, { "parcelCode": "A b", "shoes": 51, "kg": 40.0, "tags": ["a", "b"] });
    assert_eq!(
        reply,
        [
            "$.parcelCode: must hold no blanks",
            "$.parcelCode: must be lower case",
            "$.shoes: must be even, because boxes hold pairs",
            "$.kg: must be at most 30 kg",
            "$.shoes: is too many, because the van is small",
            "$.tags[1]: is one tag too many, because the van is small",
        ]
    );
    let good = told!(Parcel, { "parcelCode": "ab", "shoes": 2, "tags": [] });
    assert_eq!(good, [""; 0]);
}

#[test]
fn checks_see_only_what_fits_the_schema() {
    let reply = told!(Parcel, { "parcelCode": "A b", "shoes": 101, "tags": [] });
    // Those of the other fields do see theirs, that of the whole sees nothing.
    assert_eq!(
        reply,
        [
            "$.shoes: must be at most 100",
            "$.parcelCode: must hold no blanks",
            "$.parcelCode: must be lower case",
        ]
    );
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Gaps {
    #[cot(check = lower)]
    text: Option<String>,
    #[cot(check = even)]
    boxed: Box<Option<u32>>,
    #[cot(check = even)]
    inside: Option<Box<u32>>,
    #[cot(check = few)]
    list: Option<Vec<Option<u32>>>,
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<u32>")]
    #[cot(check = even, because = "it is half of a pair")]
    twice: Option<Option<u32>>,
    #[cot(when = self.text.is_none(), check = even)]
    otherwise: Option<u32>,
}

/// What is there, as `null` too, is told from what is not.
fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<u32>>, D::Error> {
    Option::deserialize(from).map(Some)
}

fn few(list: &[Option<u32>]) -> Result<(), Issues> {
    if list.len() > 2 { Err(Issues::at("[2]", "is one too many")) } else { Ok(()) }
}

#[test]
fn the_check_of_an_option_sees_what_is_there() {
    let all = told!(Gaps, {
        "text": "A", "boxed": 1, "inside": 3, "list": [1, null, 2], "twice": 5, "otherwise": 7,
    });
    assert_eq!(
        all,
        [
            "$.text: must be lower case",
            "$.boxed: must be even",
            "$.inside: must be even",
            "$.list[2]: is one too many",
            "$.twice: must be even, because it is half of a pair",
        ]
    );
    assert_eq!(told!(Gaps, {}), [""; 0]);
    assert_eq!(told!(Gaps, { "boxed": null, "twice": null, "list": [] }), [""; 0]);
    assert_eq!(
        told!(Gaps, { "otherwise": 7 }),
        ["$.otherwise: must be even (when `text.is_none()`)"]
    );
}

/// It is no object, and so the member `value` of a reply.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(check = short)]
struct Word(#[cot(check = no_blanks)] String);

fn short(word: &Word) -> Result<(), Issues> {
    if word.0.len() > 3 { Err(Issues::at("$", "is too long")) } else { Ok(()) }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Span(#[serde(skip)] (), u32, #[cot(check = even)] u32);

#[test]
fn what_has_no_name_is_checked_at_its_place() {
    assert_eq!(
        told!(Word, { "value": "a bcd" }),
        ["$.value: must hold no blanks", "$.value: is too long"]
    );
    assert_eq!(told!(Span, { "value": [1, 3] }), ["$.value[1]: must be even"]);
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
enum Step {
    Rest,
    WalkOn {
        #[cot(check = even)]
        paces: u32,
    },
    Jump(#[cot(check = even)] u32),
    Turn(u32, #[cot(check = even)] u32),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "kind")]
enum Shape {
    Circle {
        #[cot(check = even)]
        radius: u32,
    },
    #[serde(skip)]
    #[expect(dead_code, reason = "no reply has it")]
    Nothing(u32),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "kind", content = "of")]
enum Fruit {
    Apples(#[cot(check = even)] u32),
    Pears {
        #[cot(check = even)]
        count: u32,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(untagged)]
enum Amount {
    Exact(#[cot(check = even)] u32),
    Between {
        #[cot(check = even)]
        low: u32,
        high: u32,
    },
}

#[test]
fn paths_go_through_variants_as_the_json_does() {
    assert_eq!(told!(Step, { "value": "rest" }), [""; 0]);
    let odd = ": must be even";
    let cases = [
        (told!(Step, { "value": { "walk_on": { "paces": 1 } } }), "$.value.walk_on.paces"),
        (told!(Step, { "value": { "jump": 1 } }), "$.value.jump"),
        (told!(Step, { "value": { "turn": [1, 1] } }), "$.value.turn[1]"),
        (told!(Shape, { "kind": "Circle", "radius": 1 }), "$.radius"),
        (told!(Fruit, { "kind": "Apples", "of": 1 }), "$.of"),
        (told!(Fruit, { "kind": "Pears", "of": { "count": 1 } }), "$.of.count"),
        (told!(Amount, { "value": 1 }), "$.value"),
        (told!(Amount, { "value": { "low": 1, "high": 2 } }), "$.value.low"),
    ];
    for (issues, path) in cases {
        assert_eq!(issues, [format!("{path}{odd}")]);
    }
}
