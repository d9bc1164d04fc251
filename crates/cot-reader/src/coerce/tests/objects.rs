//! Keys, and objects in or around each other.

use serde_json::{Value, json};

use super::{fit, issues, keeps, loses, reads, refuses};

fn person(closed: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "first_name": { "type": "string" },
            "age": { "type": "integer" },
            "tags": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["first_name"],
    });
    if closed {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

#[test]
fn keys_in_another_form() {
    for closed in [false, true] {
        let wanted = json!({ "first_name": "Ada" });
        let given = [
            "firstName",
            "First Name",
            "first-name",
            "FIRST_NAME",
            "fïrst_name",
            "`first_name`",
            " first_name ",
        ];
        for key in given {
            reads(&person(closed), &[(json!({ key: "Ada" }), wanted.clone())]);
        }
        reads(
            &person(closed),
            &[(
                json!({ "first_name": "Ada", "Age": "36" }),
                json!({ "first_name": "Ada", "age": 36 }),
            )],
        );
    }
    refuses(&person(true), &[json!({ "name": "Ada" }), json!({ "first": "Ada" })]);
}

#[test]
fn keys_that_are_there_twice() {
    let twice = json!({ "first_name": "Ada", "firstName": "Eva" });
    for closed in [false, true] {
        let issues = issues(&person(closed), &twice);
        assert!(issues.contains("$.firstName: is given as `first_name` too"), "{issues}");
        reads(
            &person(closed),
            &[(json!({ "firstName": "Ada", "first_name": "Ada" }), json!({ "first_name": "Ada" }))],
        );
    }
    refuses(&person(true), &[json!({ "firstName": "Ada", "FirstName": "Eva" })]);
}

#[test]
fn unknown_keys() {
    loses(
        &person(true),
        &[
            (json!({ "first_name": "Ada", "zodiac": "Leo" }), json!({ "first_name": "Ada" })),
            (
                json!({ "first_name": "Ada", "age": 1, "ages": 2 }),
                json!({ "first_name": "Ada", "age": 1 }),
            ),
        ],
    );
    // Dropping an empty value is not a loss.
    reads(
        &person(true),
        &[(
            json!({ "first_name": "Ada", "zodiac": null, "signs": [] }),
            json!({ "first_name": "Ada" }),
        )],
    );
    keeps(&person(false), &[json!({ "first_name": "Ada", "zodiac": "Leo" })]);
    let issues = issues(&person(true), &json!({ "first_name": "Ada", "tgas": ["a"] }));
    assert!(issues.contains("did you mean `tags`"), "{issues}");
}

#[test]
fn nothing_for_a_field_that_may_be_absent() {
    reads(
        &person(true),
        &[
            (json!({ "first_name": "Ada", "age": null }), json!({ "first_name": "Ada" })),
            (json!({ "first_name": "Ada", "age": "None" }), json!({ "first_name": "Ada" })),
            (json!({ "first_name": "Ada", "tags": null }), json!({ "first_name": "Ada" })),
        ],
    );
    refuses(
        &person(true),
        &[json!({ "first_name": null }), json!({ "first_name": "Ada", "age": "x" })],
    );
}

#[test]
fn objects_in_objects() {
    let wanted = json!({ "first_name": "Ada" });
    for closed in [false, true] {
        reads(
            &person(closed),
            &[
                (json!({ "result": { "first_name": "Ada" } }), wanted.clone()),
                (json!({ "Person": { "firstName": "Ada" } }), wanted.clone()),
                (json!({ "data": { "result": { "first_name": "Ada" } } }), wanted.clone()),
                (json!({ "data": [{ "first_name": "Ada" }] }), wanted.clone()),
            ],
        );
    }
    let optional = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    reads(&optional, &[(json!({ "answer": { "a": 1 } }), json!({ "a": 1 }))]);
    keeps(
        &optional,
        &[json!({}), json!({ "answer": { "b": 1 } }), json!({ "a": 1, "x": { "a": 2 } })],
    );
    refuses(
        &person(true),
        &[json!({ "a": { "first_name": "Ada" }, "b": { "first_name": "Eva" } })],
    );
    // An error in a nested value is reported at its path.
    let issues = issues(&person(true), &json!({ "result": { "first_name": "Ada", "age": "x" } }));
    assert!(issues.starts_with("$.age"), "{issues}");
}

#[test]
fn objects_around_values() {
    let list = json!({
        "type": "object",
        "properties": { "people": { "type": "array", "items": person(true) } },
        "required": ["people"],
        "additionalProperties": false,
    });
    let wanted = json!({ "people": [{ "first_name": "Ada" }] });
    reads(
        &list,
        &[
            (json!([{ "first_name": "Ada" }]), wanted.clone()),
            (json!({ "first_name": "Ada" }), wanted.clone()),
            (json!({ "people": { "firstName": "Ada" } }), wanted.clone()),
            (json!([{ "people": [{ "first_name": "Ada" }] }]), wanted),
        ],
    );
    refuses(&list, &[json!([]), json!([1]), json!("Ada"), json!({})]);
    let value = json!({
        "type": "object",
        "properties": { "value": { "enum": ["a", "b"] } },
        "required": ["value"],
        "additionalProperties": false,
    });
    let wanted = json!({ "value": "a" });
    reads(
        &value,
        &[
            (json!("A"), wanted.clone()),
            (json!(["a"]), wanted.clone()),
            (json!({ "Value": "A" }), wanted.clone()),
            (json!({ "answer": "a" }), wanted.clone()),
            (json!({ "value": { "value": "a" } }), wanted),
        ],
    );
    refuses(&value, &[json!("c"), json!({ "verdict": "a" }), json!({ "a": null })]);
    let named = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    refuses(&named, &[json!("Ada"), json!(1), json!([1, 2])]);
}

#[test]
fn definitions_and_all_of() {
    let schema = json!({
        "$defs": {
            "Base": { "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"] },
            "Tree": {
                "type": "object",
                "properties": {
                    "size": { "type": "integer" },
                    "parts": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
                },
                "required": ["size"],
            },
        },
        "allOf": [{ "$ref": "#/$defs/Base" }],
        "properties": { "tree": { "$ref": "#/$defs/Tree", "description": "all of it" } },
        "unevaluatedProperties": false,
    });
    reads(
        &schema,
        &[(
            json!({ "Id": "1", "tree": { "Size": "2", "parts": { "size": "3", "parts": [{ "size": 4.0 }] } } }),
            json!({ "id": 1, "tree": { "size": 2, "parts": [{ "size": 3, "parts": [{ "size": 4 }] }] } }),
        )],
    );
    loses(&schema, &[(json!({ "id": 1, "more": 1 }), json!({ "id": 1 }))]);
}

#[test]
fn repairs_say_where_and_what() {
    let fitted =
        fit(&person(true), &json!({ "First Name": 1, "age": "1,000", "tags": "a", "more": 1 }));
    let told: Vec<String> = fitted.repairs.into_repairs().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "$.first_name: the key was written `First Name` (coercion)",
            "$.more: unknown key, which would be left out; the known ones are `first_name`, `age`, `tags` (loss)",
            "$.first_name: a text was written without quotes (coercion)",
            "$.age: a number was written with separators (coercion)",
            "$.tags: a single value was given for a list (coercion)",
        ]
    );
}

#[test]
fn objects_that_say_nothing_of_what_is_expected() {
    let settings = |closed: bool| {
        json!({
            "type": "object",
            "properties": { "depth": { "type": "integer" }, "name": { "type": "string" } },
            "additionalProperties": !closed,
        })
    };
    let closed = settings(true);
    let mut unsaid = closed.clone();
    unsaid.as_object_mut().expect("an object").remove("additionalProperties");
    for schema in [&closed, &unsaid] {
        reads(
            schema,
            &[
                (json!({ "reply": "{\"depth\": 2}" }), json!({ "depth": 2 })),
                (json!({ "reply": [{ "Depth": 2 }] }), json!({ "depth": 2 })),
            ],
        );
        let issues = issues(schema, &json!({ "reply": "red" }));
        assert!(issues.contains("none of the keys that are known, such as `depth`"), "{issues}");
    }
    refuses(&closed, &[json!({ "colour": "red" }), json!({ "colour": "red", "size": 2 })]);
    keeps(&settings(false), &[json!({ "colour": "red" }), json!({ "reply": "red" })]);
    keeps(&closed, &[json!({}), json!({ "name": "a" })]);
}

#[test]
fn keys_of_maps_are_not_lost() {
    let person = json!({
        "type": "object",
        "properties": { "name": { "type": "string" } },
        "required": ["name"],
    });
    let people = json!({ "type": "object", "additionalProperties": person });
    let wrapped = json!({ "reply": { "ann": { "name": "Ann" } } });
    let issues = issues(&people, &wrapped);
    assert_eq!(issues, "$: `reply` could be a key of the map, or hold the map");
    keeps(&people, &[json!({ "reply": { "name": "Ann" } })]);
}
