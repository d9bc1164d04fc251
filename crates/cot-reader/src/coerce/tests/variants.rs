//! Choices: the variants of enums in the representations of `serde`, and others.

use serde_json::{Value, json};

use super::{issues, keeps, loses, reads, refuses};

fn object(properties: &Value, required: &Value) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn circle() -> Value {
    json!({ "type": "object", "properties": { "radius": { "type": "number" } }, "required": ["radius"] })
}

fn square() -> Value {
    json!({ "type": "object", "properties": { "side": { "type": "number" } }, "required": ["side"] })
}

fn external() -> Value {
    json!({ "oneOf": [
        { "type": "string", "enum": ["Empty", "Full"] },
        object(&json!({ "Circle": circle() }), &json!(["Circle"])),
        object(&json!({ "BigSquare": square() }), &json!(["BigSquare"])),
        object(&json!({ "Dots": { "type": "integer" } }), &json!(["Dots"])),
    ] })
}

fn internal() -> Value {
    let tagged = |tag: &str, mut schema: Value| {
        schema["properties"]["kind"] = json!({ "type": "string", "const": tag });
        schema["required"].as_array_mut().expect("a list").push(json!("kind"));
        schema
    };
    let empty = json!({ "type": "object", "properties": {}, "required": [] });
    json!({ "oneOf": [
        tagged("circle", circle()),
        tagged("big_square", square()),
        tagged("empty", empty),
    ] })
}

fn adjacent() -> Value {
    let tagged = |tag: &str, content: Value| {
        json!({
            "type": "object",
            "properties": { "t": { "type": "string", "const": tag }, "c": content },
            "required": ["t", "c"],
        })
    };
    json!({ "oneOf": [tagged("Circle", circle()), tagged("Dots", json!({ "type": "integer" }))] })
}

#[test]
fn externally_tagged() {
    let wanted = json!({ "Circle": { "radius": 1.5 } });
    keeps(&external(), &[wanted.clone(), json!("Empty"), json!({ "Dots": 3 })]);
    reads(
        &external(),
        &[
            (json!({ "circle": { "radius": "1.5" } }), wanted.clone()),
            (json!({ "Circle": { "Radius": 1.5 } }), wanted.clone()),
            (json!({ "type": "Circle", "radius": 1.5 }), wanted.clone()),
            (json!({ "kind": "circle", "radius": "1.5" }), wanted.clone()),
            (json!({ "type": "Circle", "value": { "radius": 1.5 } }), wanted.clone()),
            (json!({ "radius": 1.5 }), wanted.clone()),
            (json!([{ "Circle": { "radius": 1.5 } }]), wanted.clone()),
            (json!("{\"Circle\": {\"radius\": 1.5}}"), wanted),
            (json!({ "big_square": { "side": 1 } }), json!({ "BigSquare": { "side": 1 } })),
            (json!({ "type": "Dots", "count": 3 }), json!({ "Dots": 3 })),
            (json!("EMPTY"), json!("Empty")),
            (json!({ "Empty": null }), json!("Empty")),
            (json!({ "empty": {} }), json!("Empty")),
            (json!({ "type": "Full" }), json!("Full")),
        ],
    );
    refuses(
        &external(),
        &[
            json!("Circle"),
            json!({ "Triangle": { "side": 1 } }),
            json!({ "Circle": { "side": 1 } }),
            json!({ "Circle": { "radius": 1 }, "Dots": 3 }),
            json!({ "type": "Circle" }),
            json!({ "type": "Empty", "radius": 1 }),
            json!({}),
            json!(3),
            json!(null),
        ],
    );
}

#[test]
fn internally_tagged() {
    let wanted = json!({ "kind": "circle", "radius": 1.5 });
    keeps(&internal(), &[wanted.clone(), json!({ "kind": "empty" })]);
    reads(
        &internal(),
        &[
            (json!({ "kind": "Circle", "radius": "1.5" }), wanted.clone()),
            (json!({ "Kind": "CIRCLE", "Radius": 1.5 }), wanted.clone()),
            (json!({ "type": "circle", "radius": 1.5 }), wanted.clone()),
            (json!({ "Circle": { "radius": 1.5 } }), wanted.clone()),
            (json!({ "circle": { "kind": "circle", "radius": 1.5 } }), wanted.clone()),
            (json!({ "radius": 1.5 }), wanted.clone()),
            (json!({ "radius": "1.5" }), wanted),
            (
                json!({ "kind": "Big Square", "side": 1 }),
                json!({ "kind": "big_square", "side": 1 }),
            ),
            (json!("empty"), json!({ "kind": "empty" })),
            (json!({ "empty": {} }), json!({ "kind": "empty" })),
        ],
    );
    refuses(
        &internal(),
        &[
            json!({ "kind": "triangle", "radius": 1 }),
            json!({ "kind": "circle", "side": 1 }),
            json!({ "radius": 1, "side": 1 }),
            json!({ "radius": 1, "colour": "red" }),
            json!({}),
            json!("circle"),
            json!({ "diameter": 1 }),
        ],
    );
    let issues = issues(&internal(), &json!({ "kind": "Circle", "radius": "wide" }));
    assert_eq!(issues, "$.radius: expected number, got string");
}

#[test]
fn adjacently_tagged() {
    let wanted = json!({ "t": "Circle", "c": { "radius": 1 } });
    reads(
        &adjacent(),
        &[
            (json!({ "t": "circle", "c": { "radius": "1" } }), wanted.clone()),
            (json!({ "T": "Circle", "C": { "radius": 1 } }), wanted.clone()),
            (json!({ "Circle": { "radius": 1 } }), wanted.clone()),
            (json!({ "t": "Circle", "radius": 1 }), wanted.clone()),
            (json!({ "c": { "radius": 1 } }), wanted),
            (json!({ "Dots": "3" }), json!({ "t": "Dots", "c": 3 })),
        ],
    );
    refuses(
        &adjacent(),
        &[json!({ "t": "Circle" }), json!({ "t": "Dots", "c": "many" }), json!("Dots")],
    );
}

#[test]
fn untagged() {
    let schema = json!({ "anyOf": [circle(), square(), { "type": "integer" }] });
    reads(
        &schema,
        &[
            (json!({ "radius": "1" }), json!({ "radius": 1 })),
            (json!({ "Side": 1 }), json!({ "side": 1 })),
            (json!("3"), json!(3)),
            (json!([3]), json!(3)),
        ],
    );
    refuses(&schema, &[json!({}), json!("three"), json!([1, 2])]);
    reads(
        &json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] }),
        &[(json!(5), json!("5")), (json!([5]), json!(["5"]))],
    );
    keeps(
        &json!({ "anyOf": [{ "type": "integer" }, { "type": "string" }] }),
        &[json!("1"), json!(1)],
    );
}

#[test]
fn the_nearest_variant_is_meant() {
    let one = object(&json!({ "x": { "type": "integer" } }), &json!(["x"]));
    let two =
        object(&json!({ "x": { "type": "integer" }, "y": { "type": "integer" } }), &json!(["x"]));
    let open = |mut schema: Value| {
        schema["additionalProperties"] = json!(true);
        schema
    };
    let wanted = json!({ "x": 1, "y": 2 });
    let given = json!({ "X": 1, "Y": 2 });
    reads(&json!({ "anyOf": [one.clone(), two.clone()] }), &[(given.clone(), wanted.clone())]);
    reads(&json!({ "anyOf": [open(one), open(two)] }), &[(given, wanted)]);
}

#[test]
fn two_equally_near_variants_are_a_doubt() {
    let wrapped = |key: &str| object(&json!({ key: circle() }), &json!([key]));
    let schema = json!({ "oneOf": [wrapped("Disc"), wrapped("Ring")] });
    let issues = issues(&schema, &json!({ "radius": 1 }));
    assert!(issues.contains("Disc") && issues.contains("Ring"), "{issues}");
    reads(&schema, &[(json!({ "ring": { "radius": 1 } }), json!({ "Ring": { "radius": 1 } }))]);
    refuses(&json!({ "anyOf": [{ "enum": ["ab"] }, { "enum": ["AB"] }] }), &[json!("aB")]);
    reads(
        &json!({ "anyOf": [{ "type": "integer" }, { "type": "number" }, { "type": "boolean" }] }),
        &[(json!("1"), json!(1))],
    );
}

#[test]
fn flattened_alternatives() {
    let schema = json!({
        "type": "object",
        "properties": { "id": { "type": "integer" } },
        "required": ["id"],
        "oneOf": internal()["oneOf"],
        "unevaluatedProperties": false,
    });
    let wanted = json!({ "id": 1, "kind": "circle", "radius": 2 });
    reads(&schema, &[(json!({ "Id": "1", "kind": "Circle", "Radius": "2" }), wanted.clone())]);
    let more = json!({ "Id": "1", "kind": "Circle", "Radius": "2", "zzz": 0 });
    loses(&schema, &[(more, wanted)]);
}

#[test]
fn optional_objects() {
    let schema = json!({ "anyOf": [circle(), { "type": "null" }] });
    reads(
        &schema,
        &[
            (json!("null"), json!(null)),
            (json!({ "Radius": "1" }), json!({ "radius": 1 })),
            (json!({ "circle": { "radius": 1 } }), json!({ "radius": 1 })),
            (json!("{\"radius\": 1}"), json!({ "radius": 1 })),
        ],
    );
    let issues = issues(&schema, &json!({ "radius": "wide" }));
    assert!(issues.starts_with("$.radius"), "{issues}");
}

#[test]
fn names_around_alternatives() {
    let cat = json!({ "type": "integer" });
    let dog = json!({ "type": "string" });
    let of = |age| json!({ "type": "object", "properties": { "age": age }, "required": ["age"] });
    let pet = json!({
        "anyOf": [{ "$ref": "#/$defs/Cat" }, { "$ref": "#/$defs/Dog" }],
        "$defs": { "Cat": of(cat), "Dog": of(dog) },
    });
    reads(
        &pet,
        &[
            (json!({ "Cat": { "age": "5" } }), json!({ "age": 5 })),
            (json!({ "Dog": { "age": "5" } }), json!({ "age": "5" })),
            (json!({ "option_1": { "age": "5" } }), json!({ "age": 5 })),
            (json!({ "reply": { "cat": { "age": "5" } } }), json!({ "age": 5 })),
            (json!({ "reply": { "age": "5" } }), json!({ "age": "5" })),
        ],
    );
    for given in [json!({ "Cat": { "age": "x" } }), json!({ "reply": { "Cat": { "age": "x" } } })] {
        let issues = issues(&pet, &given);
        assert!(issues.contains("does not fit `Cat`"), "{issues}");
    }
}

#[test]
fn what_fits_an_alternative_is_not_made_to_fit_the_one_that_it_names() {
    let by_key = json!({ "anyOf": [
        object(&json!({ "set": { "type": "boolean" } }), &json!(["set"])),
        { "type": "object", "properties": { "set": { "type": "number" } }, "required": ["set"] },
    ] });
    keeps(&by_key, &[json!({ "set": 0 }), json!({ "set": 1.0 }), json!({ "set": true })]);
    reads(&by_key, &[(json!({ "set": "yes" }), json!({ "set": true }))]);

    let kind = |schema: Value, number: &str| {
        object(&json!({ "kind": schema, "n": { "type": number } }), &json!(["kind", "n"]))
    };
    let by_tag = json!({ "anyOf": [
        kind(json!({ "const": "a" }), "boolean"),
        kind(json!({ "const": "b" }), "boolean"),
        kind(json!({ "type": "string" }), "number"),
    ] });
    keeps(&by_tag, &[json!({ "kind": "a", "n": 1 }), json!({ "kind": "a", "n": true })]);
}
