//! Replies in the shape of their schema, as small models write them.

use serde_json::{Value, json};

use crate::{Reader, Repair};

fn read(schema: &Value, reply: &Value) -> Result<(Value, Vec<Repair>), Vec<String>> {
    let reader = Reader::new(schema).expect("a schema").may_be_truncated(true);
    let reading = reader.read(&reply.to_string());
    let reading = reading
        .map_err(|error| error.issues.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok((reading.value, reading.repairs))
}

fn boat() -> Value {
    json!({
        "type": "object",
        "title": "Boat",
        "properties": {
            "name": { "type": "string" },
            "length": { "type": "number" },
            "home": { "anyOf": [{ "$ref": "#/$defs/Port" }, { "type": "null" }] },
            "crew": { "type": "array", "items": { "$ref": "#/$defs/Sailor" } },
            "notes": { "type": "object", "additionalProperties": { "type": "string" } },
        },
        "required": ["name", "length"],
        "$defs": {
            "Port": {
                "type": "object",
                "properties": { "town": { "type": "string" } },
                "required": ["town"],
            },
            "Sailor": {
                "type": "object",
                "properties": {
                    "name": { "type": "string" },
                    "role": { "enum": ["skipper", "cook"] },
                },
                "required": ["name", "role"],
            },
        },
    })
}

#[test]
fn values_in_the_place_of_types_are_read() {
    let values = json!({ "name": "Gull", "length": 9.5 });
    for reply in [
        json!({ "type": "object", "properties": values, "required": ["name", "length"] }),
        json!({ "type": "object", "title": "Boat", "properties": values }),
        json!({ "type": "object", "properties": values, "$defs": boat()["$defs"] }),
        json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "properties": values }),
        json!({ "description": "A boat.", "properties": values, "additionalProperties": false }),
        json!({ "properties": values }),
        json!({ "Boat": { "type": "object", "properties": values } }),
    ] {
        let (value, repairs) =
            read(&boat(), &reply).unwrap_or_else(|why| panic!("{reply}: {why:?}"));
        assert_eq!(value, values, "{reply}");
        let last = repairs.last().map(|repair| repair.description.as_str());
        assert_eq!(last, Some("the value was given as the `properties` of a schema"), "{reply}");
    }
}

#[test]
fn nested_values_in_the_place_of_types_are_read() {
    let cook = json!({ "name": "Ola", "role": "cook" });
    let boat_of = |key: &str, value: &Value| json!({ "name": "Gull", "length": 9.5, key: value });
    for (key, written, meant) in [
        (
            "home",
            json!({ "type": "object", "properties": { "town": "Bergen" } }),
            json!({ "town": "Bergen" }),
        ),
        ("crew", json!([{ "type": "object", "properties": cook }]), json!([cook])),
        ("crew", json!({ "type": "array", "items": [cook, cook] }), json!([cook, cook])),
        (
            "crew",
            json!({ "type": "array", "items": { "type": "object", "properties": cook } }),
            json!([cook]),
        ),
        ("name", json!({ "type": "string", "value": "Gull" }), json!("Gull")),
    ] {
        let alone = boat_of(key, &written);
        let in_schema = json!({ "type": "object", "properties": alone, "required": ["name"] });
        for reply in [alone, in_schema] {
            let (value, repairs) =
                read(&boat(), &reply).unwrap_or_else(|why| panic!("{reply}: {why:?}"));
            assert_eq!(value, boat_of(key, &meant), "{reply}");
            assert!(!repairs.is_empty(), "{reply}");
        }
    }
    let lines = json!({ "type": "array", "items": boat()["$defs"]["Sailor"] });
    let reply = json!({ "type": "array", "title": "Lines", "items": [cook] });
    let (value, _) = read(&lines, &reply).expect("a list");
    assert_eq!(value, json!([cook]));
}

#[test]
fn a_schema_without_values_is_one_issue() {
    let name = json!({ "type": "string" });
    for reply in [
        boat(),
        json!({ "properties": { "name": name, "length": { "type": "number" } } }),
        json!({ "type": "object", "properties": { "name": name }, "required": ["name"] }),
        json!({ "type": "object", "properties": { "name": { "type": ["string", "null"] } } }),
    ] {
        let issues = read(&boat(), &reply).expect_err("no values");
        assert_eq!(
            issues,
            ["$: repeats the schema, with types in place of values; give the values of \
              `name`, `length`, `home`, `crew`, `notes` alone"],
            "{reply}"
        );
    }
    let types = json!({ "name": "Gull", "length": { "type": "number", "minimum": 0 } });
    for reply in [types.clone(), json!({ "type": "object", "properties": types })] {
        let issues = read(&boat(), &reply).expect_err("a type");
        assert_eq!(
            issues,
            ["$.length: is a type in place of a value; give the value alone"],
            "{reply}"
        );
    }
    let names = json!({ "type": "array", "items": { "type": "string" } });
    let issues = read(&names, &names).expect_err("types");
    assert_eq!(issues, ["$: is a type in place of a value; give the value alone"]);
}

#[test]
fn a_wrong_value_in_the_shape_of_the_schema_is_named_where_it_belongs() {
    let reply = json!({ "type": "object", "properties": { "name": "Gull", "length": "long" } });
    let issues = read(&boat(), &reply).expect_err("a wrong length");
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert!(issues[0].starts_with("$.length: "), "{issues:?}");
}

#[test]
fn a_schema_before_the_answer_is_no_other_answer() {
    let answer = json!({ "name": "Gull", "length": 9.5 });
    let reply = format!("The schema:\n```json\n{}\n```\nSo:\n```json\n{answer}\n```", boat());
    let reader = Reader::new(&boat()).expect("a schema");
    assert_eq!(reader.read(&reply).expect("an answer").value, answer);
}

#[test]
fn members_that_are_called_like_keywords_are_not_changed() {
    let text = json!({ "type": "string" });
    let field = json!({
        "type": "object",
        "properties": { "type": text, "title": text, "name": text },
    });
    let map = json!({ "type": "object", "additionalProperties": {} });
    let feature = json!({
        "type": "object",
        "properties": { "type": text, "properties": { "type": "object", "properties": { "name": text } } },
        "required": ["type", "properties"],
    });
    let any = json!({ "type": "object", "properties": { "schema": {} }, "required": ["schema"] });
    let closed = json!({
        "type": "object",
        "properties": { "type": { "enum": ["object", "array"] }, "items": text },
        "required": ["type"],
        "additionalProperties": false,
    });
    for (schema, value) in [
        (&field, json!({ "type": "object", "properties": { "name": "x" } })),
        (&field, json!({ "type": "string", "title": "properties" })),
        (&map, json!({ "type": "object", "properties": { "name": { "type": "string" } } })),
        (&feature, json!({ "type": "object", "properties": { "name": "x" } })),
        (&any, json!({ "schema": { "type": "object", "properties": { "schema": 1 } } })),
        (&closed, json!({ "type": "array", "items": "string" })),
    ] {
        assert_eq!(read(schema, &value), Ok((value.clone(), Vec::new())), "{schema}");
    }
}
