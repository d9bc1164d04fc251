//! Schemas of Rust types: a value that was read for a type deserializes into it.

use std::collections::{BTreeMap, HashMap};

use cot_schema::{OutputSchema, internal::deserialize};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{coerce::shape, target::Target};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Order {
    order_id: u64,
    #[serde(default)]
    lines: Vec<Line>,
    priority: Priority,
    note: Option<String>,
    discount: Option<f32>,
    payment: Option<Payment>,
    shape: Option<Shape>,
    labels: HashMap<String, i32>,
    by_number: Option<BTreeMap<u8, String>>,
    place: Option<(f64, f64)>,
    parent: Option<Box<Order>>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Line {
    sku: String,
    count: u8,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Priority {
    /// Can wait.
    VeryLow,
    Normal,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "method", rename_all = "snake_case")]
enum Payment {
    Card { last_four: String },
    BankTransfer { iban: String },
    Cash,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Shape {
    Point,
    Circle { radius: f64 },
    Text(String),
}

/// Reads a value as a type.
#[track_caller]
fn read<T: JsonSchema + DeserializeOwned>(value: &Value) -> T {
    let schema = OutputSchema::for_type::<T>();
    let fitted = schema.fit(value.clone());
    assert!(fitted.issues.is_empty(), "{value}: {}", fitted.issues);
    let again = schema.fit(fitted.value.clone());
    assert!(again.repairs.is_empty() && again.value == fitted.value, "{value}: {}", again.value);
    deserialize(&schema.unwrap(fitted.value)).unwrap_or_else(|issues| panic!("{value}: {issues}"))
}

fn order() -> Value {
    json!({ "orderId": 1, "priority": "normal", "labels": {} })
}

fn order_with(key: &str, value: Value) -> Order {
    let mut order = order();
    order[key] = value;
    read(&order)
}

#[test]
fn structs() {
    let order: Order = read(&json!({
        "order_id": "12,345",
        "Lines": { "SKU": 77, "count": "2", "colour": "red" },
        "priority": "Very Low",
        "note": null,
        "discount": "12.5%",
        "labels": [{ "key": "a", "value": "1" }],
        "by_number": { "1": "x" },
        "place": ["1,5", 2],
        "parent": { "result": order() },
    }));
    assert_eq!(order.order_id, 12_345);
    assert_eq!(order.lines, [Line { sku: "77".to_owned(), count: 2 }]);
    assert_eq!(order.priority, Priority::VeryLow);
    assert_eq!(order.discount, Some(12.5));
    assert_eq!(order.labels, HashMap::from([("a".to_owned(), 1)]));
    assert_eq!(order.place, Some((1.5, 2.0)));
    assert_eq!(order.by_number, Some(BTreeMap::from([(1, "x".to_owned())])));
    assert_eq!(order.parent.map(|parent| parent.order_id), Some(1));
}

#[test]
fn tagged_variants() {
    let card = Some(Payment::Card { last_four: "1234".to_owned() });
    for given in [
        json!({ "method": "card", "last_four": "1234" }),
        json!({ "method": "Card", "lastFour": 1234 }),
        json!({ "card": { "last_four": "1234" } }),
        json!({ "type": "card", "last_four": "1234" }),
        json!({ "last_four": "1234" }),
        json!("{\"method\": \"card\", \"last_four\": \"1234\"}"),
    ] {
        assert_eq!(order_with("payment", given).payment, card);
    }
    for given in [json!("cash"), json!({ "method": "CASH" }), json!({ "Cash": {} })] {
        assert_eq!(order_with("payment", given).payment, Some(Payment::Cash));
    }
    assert_eq!(order_with("payment", json!("none")).payment, None);
    for given in
        [json!({ "circle": { "radius": 2 } }), json!({ "type": "Circle", "radius": "2.0" })]
    {
        assert_eq!(order_with("shape", given).shape, Some(Shape::Circle { radius: 2.0 }));
    }
    let text = Some(Shape::Text("hello".to_owned()));
    assert_eq!(order_with("shape", json!({ "text": "hello" })).shape, text);
    assert_eq!(order_with("shape", json!("point")).shape, Some(Shape::Point));
}

#[test]
fn types_that_are_no_objects() {
    let known = [
        json!("Very low"),
        json!({ "value": "very_low" }),
        json!({ "Priority": "VERY_LOW" }),
        json!([{ "answer": "very low" }]),
    ];
    for given in known {
        assert_eq!(read::<Priority>(&given), Priority::VeryLow);
    }
    let other = json!({ "importance": "very_low" });
    assert!(!OutputSchema::for_type::<Priority>().fit(other).issues.is_empty());
    assert_eq!(read::<u8>(&json!("7")), 7);
    assert_eq!(read::<Vec<Line>>(&json!([{ "sku": "a", "count": 1 }])).len(), 1);
    assert_eq!(read::<Vec<Line>>(&json!({ "sku": "a", "count": 1 })).len(), 1);
    assert_eq!(read::<Vec<u8>>(&json!({ "value": "1" })), [1]);
    assert_eq!(read::<String>(&json!("hello")), "hello");
}

#[test]
fn bare_texts() {
    for (is_taken, text) in
        [(true, "Very low"), (true, " normal. "), (false, "I can't say"), (false, ""), (false, "7")]
    {
        assert_eq!(OutputSchema::for_type::<Priority>().accepts_bare(text), is_taken, "{text}");
    }
    assert!(OutputSchema::for_type::<u8>().accepts_bare("7"));
    assert!(OutputSchema::for_type::<bool>().accepts_bare("Yes"));
    assert!(!OutputSchema::for_type::<bool>().accepts_bare("Yes, if it rains"));
    assert!(!OutputSchema::for_type::<String>().accepts_bare("hello"));
    assert!(!OutputSchema::for_type::<Order>().accepts_bare("hello"));
}

#[test]
fn kin() {
    let schema = OutputSchema::for_type::<Order>();
    for (resembles, given) in [
        (true, json!({ "OrderID": 1 })),
        (true, json!({ "result": { "OrderID": 1 } })),
        (true, json!([{ "orderId": 1 }])),
        (false, json!({ "error": "no" })),
        (false, json!({})),
        (false, json!([1, 2])),
        (false, json!(1)),
    ] {
        assert_eq!(
            shape::CoercionGraph::new(schema.graph()).resembles(&given),
            resembles,
            "{given}"
        );
    }
    let list = OutputSchema::for_type::<Vec<Line>>();
    assert!(list.fit(json!([{ "sku": "a", "count": 1 }])).resembles_target);
    assert!(list.fit(json!({ "sku": "a", "count": "many" })).resembles_target);
    assert!(!list.fit(json!([1])).resembles_target);
}
