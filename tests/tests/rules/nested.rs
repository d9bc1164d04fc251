//! Types inside an output: those with rules of their own, and those without.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use cot_core::{CotOutput, Issues};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{schema, told};

/// A type with a rule.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, CotOutput,
)]
struct Item {
    #[cot(check = positive, because = "nothing is sold for nothing")]
    price: i32,
}

fn positive(number: &i32) -> Result<(), Issues> {
    if *number > 0 { Ok(()) } else { Err(Issues::at("$", "must be positive")) }
}

/// A type that knows nothing of rules.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Plain {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Shop {
    one: Item,
    some: Option<Item>,
    boxed: Box<Item>,
    list: Vec<Option<Item>>,
    queue: VecDeque<Box<Item>>,
    pair: [Item; 2],
    set: BTreeSet<Item>,
    map: HashMap<String, Vec<Item>>,
    numbered: BTreeMap<u8, Item>,
    plain: Plain,
    plains: Vec<Plain>,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Rest {
    #[cot(check = positive, because = "there is always some")]
    left: i32,
}

#[test]
fn issues_are_found_wherever_they_are() {
    let bad = serde_json::json!({ "price": 0 });
    let good = serde_json::json!({ "price": 1 });
    let issues = told!(Shop, {
        "one": bad, "some": bad, "boxed": bad, "list": [null, bad], "queue": [good, bad],
        "pair": [good, bad], "set": [good, bad], "map": { "a b": [bad] }, "numbered": { "7": bad },
        "plain": { "text": "" }, "plains": [{ "text": "" }], "left": 0,
    });
    let paths: Vec<&str> =
        issues.iter().filter_map(|issue| issue.split_once(": ")).map(|it| it.0).collect();
    assert_eq!(
        paths,
        [
            "$.one.price",
            "$.some.price",
            "$.boxed.price",
            "$.list[1].price",
            "$.queue[1].price",
            "$.pair[1].price",
            "$.set.price",
            r#"$.map["a b"][0].price"#,
            r#"$.numbered["7"].price"#,
            "$.left",
        ]
    );
}

#[test]
fn notes_of_inner_types_are_in_the_schema() {
    let note = "Nothing is sold for nothing.";
    assert_eq!(schema::<Shop>("/$defs/Item/properties/price/description"), note);
    assert_eq!(schema::<Shop>("/properties/left/description"), "There is always some.");
}

/// Flattened into what is flattened, and into itself.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Outer {
    #[serde(flatten)]
    middle: Middle,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Middle {
    #[serde(flatten)]
    rest: Rest,
    item: Option<Item>,
    outer: Option<Box<Outer>>,
}

#[test]
fn what_is_flattened_is_at_the_place_of_the_outermost() {
    let issues = told!(Outer, { "left": 0, "outer": { "left": -1 }, "item": { "price": 1 } });
    let reason = "must be positive, because there is always some";
    assert_eq!(issues, [format!("$.left: {reason}"), format!("$.outer.left: {reason}")]);
    for pointer in ["/properties/left/description", "/$defs/Item/properties/price/description"] {
        assert!(schema::<Outer>(pointer).is_string(), "{}", Outer::output_schema().text());
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Tree {
    #[cot(check = positive)]
    value: i32,
    children: Vec<Self>,
    next: Option<Box<Tree>>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Expression {
    Number(#[cot(check = positive)] i32),
    Sum(Vec<Expression>),
    Negated { of: Box<Self> },
}

#[test]
fn recursion_ends_where_the_value_does() {
    let leaf = |value| serde_json::json!({ "value": value, "children": [] });
    let tree = serde_json::json!({ "value": 1, "children": [leaf(1), leaf(0)], "next": leaf(-1) });
    assert_eq!(
        told!(Tree, { "value": 0, "children": [tree] }),
        [
            "$.value: must be positive",
            "$.children[0].children[1].value: must be positive",
            "$.children[0].next.value: must be positive",
        ]
    );
    assert_eq!(
        told!(Expression, { "Sum": [{ "Number": 1 }, { "Negated": { "of": { "Number": 0 } } }] }),
        ["$.Sum[1].Negated.of.Number: must be positive"]
    );
}

#[test]
fn a_flood_of_issues_is_counted() {
    let children = vec![serde_json::json!({ "value": 0, "children": [] }); 100];
    let issues = told!(Tree, { "value": 1, "children": children });
    assert_eq!(issues.len(), 21);
    assert_eq!(issues[20], "$: 80 more problems");
}
