use serde_json::{Value, json};

use super::dialect::Dialect;

const CONSTRAINED: [Dialect; 5] =
    [Dialect::OpenAiStrict, Dialect::Anthropic, Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm];

/// Returns the schema of the only member of an object.
fn member(dialect: Dialect, schema: Value) -> Value {
    let object = object(schema, true);
    dialect.rewrite(&object).unwrap()["properties"]["m"].take()
}

fn optional(dialect: Dialect, schema: Value) -> Value {
    dialect.rewrite(&object(schema, false)).unwrap()["properties"]["m"].take()
}

fn object(schema: Value, is_required: bool) -> Value {
    let required = if is_required { vec!["m"] } else { vec![] };
    json!({ "type": "object", "properties": { "m": schema }, "required": required })
}

fn reasons(dialect: Dialect, schema: &Value) -> String {
    let reasons = dialect.rewrite(schema).unwrap_err();
    reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn plain_is_left_as_it_is() {
    let schema = json!({ "oneOf": [{ "not": {} }], "anything": 1 });
    assert_eq!(Dialect::Plain.rewrite(&schema).unwrap(), schema);
}

#[test]
fn members_keep_their_order_and_objects_are_closed() {
    let schema = json!({
        "type": "object",
        "properties": { "z": { "type": "string" }, "a": { "type": "string" }, "m": { "type": "string" } },
        "required": ["m", "z"],
    });
    for dialect in CONSTRAINED {
        let rewritten = dialect.rewrite(&schema).unwrap();
        let names: Vec<&String> = rewritten["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["z", "a", "m"], "{dialect:?}");
        assert_eq!(rewritten["additionalProperties"], false);
        let expected = match dialect {
            Dialect::OpenAiStrict => json!(["z", "a", "m"]),
            _ => json!(["z", "m"]),
        };
        assert_eq!(rewritten["required"], expected);
        let order = (dialect == Dialect::Gemini).then(|| json!(["z", "a", "m"]));
        assert_eq!(rewritten.get("propertyOrdering"), order.as_ref());
    }
}

#[test]
fn optional_members_are_nullable_or_left_out() {
    let text = json!({ "type": ["string", "null"], "description": "A title" });
    let string = json!({ "type": "string" });
    let nullable = json!({ "description": "A title", "anyOf": [string, { "type": "null" }] });
    assert_eq!(optional(Dialect::OpenAiStrict, text.clone()), nullable);
    assert_eq!(
        optional(Dialect::OpenAiStrict, json!({ "type": "string", "description": "A title" })),
        nullable
    );
    assert_eq!(
        optional(Dialect::Anthropic, text.clone()),
        json!({ "description": "A title", "type": "string" })
    );
    assert_eq!(member(Dialect::Anthropic, text.clone()), nullable);
    assert_eq!(optional(Dialect::Vllm, text), nullable);
}

#[test]
fn what_is_dropped_is_said() {
    let schema = json!({
        "type": "string", "description": "Name in camelCase", "minLength": 1, "maxLength": 40,
        "pattern": "^[a-z]+$", "format": "uri", "default": "a",
    });
    let description = |dialect| member(dialect, schema.clone())["description"].clone();
    assert_eq!(
        description(Dialect::OpenAiStrict),
        "Name in camelCase. At least 1 character. At most 40 characters. In the format `uri`. \
         Default: `\"a\"`."
    );
    assert_eq!(
        description(Dialect::Anthropic),
        "Name in camelCase. At least 1 character. At most 40 characters."
    );
    assert_eq!(
        description(Dialect::Gemini),
        "Name in camelCase. At least 1 character. At most 40 characters. Matches the regular \
         expression `^[a-z]+$`. In the format `uri`. Default: `\"a\"`."
    );
    assert_eq!(description(Dialect::LlamaCpp), "Name in camelCase. In the format `uri`.");
    let number =
        json!({ "type": "number", "minimum": 0, "exclusiveMaximum": 2.5, "multipleOf": 0.5 });
    assert_eq!(member(Dialect::OpenAiStrict, number.clone()), number);
    assert_eq!(
        member(Dialect::Anthropic, number)["description"],
        "At least 0. Less than 2.5. A multiple of 0.5."
    );
    let list = json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "uniqueItems": true });
    assert_eq!(member(Dialect::Anthropic, list)["description"], "At least 2 items. No item twice.");
    let integer = json!({ "type": "integer", "format": "uint32", "minimum": 0 });
    for dialect in [Dialect::OpenAiStrict, Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm] {
        let expected = json!({ "type": "integer", "minimum": 0 });
        assert_eq!(member(dialect, integer.clone()), expected, "{dialect:?}");
    }
}

#[test]
fn grammars_count_no_further_than_they_can() {
    let text = |most: u64| json!({ "type": "string", "maxLength": most });
    assert_eq!(member(Dialect::LlamaCpp, text(2000)), text(2000));
    let said = json!({ "description": "At most 2001 characters.", "type": "string" });
    assert_eq!(member(Dialect::LlamaCpp, text(2001)), said);
    let large = json!({ "type": "integer", "maximum": u64::MAX });
    assert!(member(Dialect::LlamaCpp, large).get("maximum").is_none());
}

#[test]
fn described_names_are_one_enum() {
    let schema = json!({ "oneOf": [
        { "type": "string", "const": "low", "description": "It can wait." },
        { "type": "string", "enum": ["high", "unknown"] },
    ], "description": "How urgent it is" });
    for dialect in CONSTRAINED {
        let expected = json!({
            "description": "How urgent it is. `low`: It can wait.",
            "type": "string",
            "enum": ["low", "high", "unknown"],
        });
        assert_eq!(member(dialect, schema.clone()), expected, "{dialect:?}");
    }
}

#[test]
fn listed_values_have_types() {
    let mixed = json!({ "enum": ["a", 1, true, null] });
    let branches = |dialect| member(dialect, mixed.clone())["anyOf"].clone();
    let truth = json!({ "type": "boolean", "enum": [true] });
    let strings = json!({ "type": "string", "enum": ["a"] });
    let numbers = json!({ "type": "integer", "enum": [1] });
    let nothing = json!({ "type": "null" });
    assert_eq!(branches(Dialect::OpenAiStrict), json!([strings, numbers, truth, nothing]));
    let truth = json!({ "type": "boolean", "description": "Always true." });
    assert_eq!(branches(Dialect::Gemini), json!([strings, numbers, truth, nothing]));
    let list = object(json!({ "const": [1] }), true);
    assert!(reasons(Dialect::Anthropic, &list).contains("takes plain values only"));
}

#[test]
fn maps_are_lists_of_entries_where_objects_are_closed() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let entries = member(Dialect::OpenAiStrict, map.clone());
    assert_eq!(entries["type"], "array");
    let entry = &entries["items"];
    assert_eq!(
        entry["properties"],
        json!({ "key": { "type": "string" }, "value": { "type": "integer" } })
    );
    assert_eq!(entry["required"], json!(["key", "value"]));
    for dialect in [Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm] {
        assert_eq!(member(dialect, map.clone()), map);
    }
    let numbered = json!({
        "type": "object", "patternProperties": { "^[0-9]+$": { "type": "string" } },
        "additionalProperties": false,
    });
    let entries = member(Dialect::OpenAiStrict, numbered.clone());
    assert_eq!(entries["items"]["properties"]["key"]["pattern"], "^[0-9]+$");
    let open = member(Dialect::LlamaCpp, numbered);
    assert_eq!(open["additionalProperties"], json!({ "type": "string" }));
    assert_eq!(open["description"], "Each key matches the regular expression `^[0-9]+$`.");
}

#[test]
fn objects_that_name_no_members_may_have_any() {
    let written = |schema: Value| CONSTRAINED.map(|dialect| member(dialect, schema.clone()));
    let open = json!({ "type": "object", "additionalProperties": true });
    let text = json!({ "description": "Written as the text of a JSON object.", "type": "string" });
    for schema in [json!({ "type": "object" }), open.clone()] {
        let expected = [text.clone(), text.clone(), open.clone(), open.clone(), open.clone()];
        assert_eq!(written(schema), expected);
    }
    let at_least = json!({ "type": "object", "minProperties": 1, "required": ["a"] });
    let [strict, _, gemini, ..] = written(at_least);
    let said = "Written as the text of a JSON object. At least 1 member. With `a`.";
    assert_eq!(strict["description"], said);
    assert_eq!((&gemini["required"], &gemini["properties"]), (&json!(["a"]), &json!({ "a": {} })));
    assert_eq!(gemini["additionalProperties"], true);
    let [strict, ..] = written(json!({ "type": "array", "minItems": 1 }));
    let said = json!({
        "description": "Written as the text of a JSON array. At least 1 item.", "type": "string",
    });
    assert_eq!(strict, said);
    for closed in [json!({ "properties": {} }), json!({ "additionalProperties": false })] {
        let mut schema = json!({ "type": "object" });
        schema.as_object_mut().unwrap().extend(closed.as_object().unwrap().clone());
        for dialect in CONSTRAINED {
            assert_eq!(
                member(dialect, schema.clone())["additionalProperties"],
                false,
                "{dialect:?}"
            );
        }
    }
    let beside = object(json!({ "type": ["object", "string"] }), true);
    assert!(reasons(Dialect::OpenAiStrict, &beside).contains("may be a text, or JSON of any kind"));
}

#[test]
fn any_value_is_one_of_all_types_in_a_grammar() {
    let types = json!(["object", "array", "string", "number", "boolean", "null"]);
    let any = member(Dialect::LlamaCpp, json!({ "description": "The value." }));
    assert_eq!(any, json!({ "description": "The value.", "type": types }));
    let list = member(Dialect::LlamaCpp, json!({ "type": "array" }));
    assert_eq!(list, json!({ "type": "array", "items": { "type": types } }));
    assert_eq!(member(Dialect::Vllm, json!(true)), json!({}));
}

#[test]
fn tuples_are_lists_where_there_are_none() {
    let tuple = json!({
        "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }],
        "minItems": 2, "maxItems": 2,
    });
    for dialect in [Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm] {
        assert_eq!(member(dialect, tuple.clone()), tuple);
    }
    let list = member(Dialect::Anthropic, tuple);
    assert_eq!(list["items"]["anyOf"], json!([{ "type": "string" }, { "type": "integer" }]));
    let description = "At least 2 items. At most 2 items. In this order: string, integer.";
    assert_eq!(list["description"], description);
}

#[test]
fn roots_are_objects_where_they_have_to_be() {
    let branches = json!([object(json!({ "type": "string" }), true), {
        "type": "object", "properties": { "n": { "type": "string" } }, "required": ["n"],
    }]);
    let union = json!({ "anyOf": branches });
    for dialect in [Dialect::OpenAiStrict, Dialect::Anthropic] {
        let rewritten = dialect.rewrite(&union).unwrap();
        assert_eq!(
            (&rewritten["type"], &rewritten["required"]),
            (&json!("object"), &json!(["reply"]))
        );
        assert_eq!(rewritten["properties"]["reply"]["anyOf"].as_array().unwrap().len(), 2);
    }
    assert!(Dialect::Vllm.rewrite(&union).unwrap().get("anyOf").is_some());
}

#[test]
fn references_stand_alone_or_give_way() {
    let reference = json!({ "$ref": "#/$defs/D", "description": "The place" });
    let with = |definition: Value| {
        let mut schema = object(reference.clone(), true);
        schema["$defs"] = json!({ "D": definition });
        schema
    };
    let short = with(json!({ "type": "string", "description": "The type." }));
    let rewritten = Dialect::OpenAiStrict.rewrite(&short).unwrap();
    let expected = json!({ "description": "The place. The type.", "type": "string" });
    assert_eq!(rewritten["properties"]["m"], expected);
    assert!(rewritten.get("$defs").is_none(), "nothing refers to it");

    let recursive =
        with(object(json!({ "type": "array", "items": { "$ref": "#/$defs/D" } }), true));
    let rewritten = Dialect::OpenAiStrict.rewrite(&recursive).unwrap();
    let expected = json!({ "description": "The place", "anyOf": [{ "$ref": "#/$defs/D" }] });
    assert_eq!(rewritten["properties"]["m"], expected);
    assert_eq!(Dialect::LlamaCpp.rewrite(&recursive).unwrap()["properties"]["m"], reference);

    let itself = object(json!({ "type": "array", "items": { "$ref": "#" } }), true);
    let rewritten = Dialect::OpenAiStrict.rewrite(&itself).unwrap();
    assert_eq!(rewritten["properties"]["m"]["items"]["$ref"], "#/$defs/Root");
    assert!(rewritten["$defs"]["Root"].is_object());
    assert!(reasons(Dialect::Anthropic, &itself).starts_with("`$.$defs.Root` refers to itself"));
}

#[test]
fn schemas_beside_each_other_are_merged() {
    let tag = json!({ "kind": { "type": "string", "const": "a" } });
    let schema = json!({
        "$defs": { "D": object(json!({ "type": "string" }), true) },
        "type": "object",
        "properties": tag,
        "required": ["kind"],
        "oneOf": [{ "$ref": "#/$defs/D" }, { "allOf": [object(json!({ "type": "null" }), true)] }],
    });
    let rewritten = Dialect::Vllm.rewrite(&schema).unwrap();
    let branches = rewritten["anyOf"].as_array().unwrap();
    for (branch, kind) in branches.iter().zip(["string", "null"]) {
        assert_eq!(branch["required"], json!(["kind", "m"]));
        assert_eq!(branch["properties"]["m"]["type"], kind);
    }
}

#[test]
fn objects_that_begin_alike_are_told_apart() {
    let choice = |targets: Value| {
        json!({
            "type": "object",
            "properties": { "intent": { "type": "string" }, "goTo": { "enum": targets } },
            "required": ["intent", "goTo"],
        })
    };
    let output = object(json!({ "type": "string" }), true);
    let schema = json!({ "anyOf": [choice(json!(["a", "b"])), choice(json!(["c"])), output] });
    let rewritten = Dialect::OpenAiStrict.rewrite(&schema).unwrap();
    let branches = rewritten["properties"]["reply"]["anyOf"].as_array().unwrap();
    let firsts: Vec<&String> = branches
        .iter()
        .map(|one| one["properties"].as_object().unwrap().keys().next().unwrap())
        .collect();
    assert_eq!(firsts, ["option_1", "c", "m"]);
    let branches = Dialect::Vllm.rewrite(&schema).unwrap()["anyOf"].take();
    assert!(branches[0]["properties"].get("intent").is_some());
}

#[test]
fn limits_are_kept() {
    let members: serde_json::Map<_, _> =
        (0..30).map(|n| (format!("m{n}"), json!({ "type": "string" }))).collect();
    let optional = json!({ "type": "object", "properties": members });
    let expected = "`$` has 30 optional members, and Anthropic takes 24 at most";
    assert_eq!(reasons(Dialect::Anthropic, &optional), expected);

    let deep = (0..11).fold(json!({ "type": "string" }), |inner, _| object(inner, true));
    let expected =
        "`$` has at least 11 levels of objects within objects, and OpenAI takes 10 at most";
    assert_eq!(reasons(Dialect::OpenAiStrict, &deep), expected);

    let names: Vec<String> = (0..1001).map(|n| format!("value{n}{}", "x".repeat(20))).collect();
    let reasons = reasons(Dialect::OpenAiStrict, &object(json!({ "enum": names }), true));
    assert!(reasons.contains("1001 enum values"), "{reasons}");
    assert!(reasons.contains("characters in one long enum"), "{reasons}");
}

#[test]
fn endless_schemas_are_refused() {
    let mut endless = object(json!({ "$ref": "#/$defs/D", "minProperties": 1 }), true);
    endless["$defs"] =
        json!({ "D": object(json!({ "$ref": "#/$defs/D", "minProperties": 1 }), true) });
    let own =
        json!({ "$ref": "#/$defs/D", "$defs": { "D": { "$ref": "#/$defs/D", "type": "object" } } });
    for dialect in CONSTRAINED {
        assert!(dialect.rewrite(&endless).is_err(), "{dialect:?}");
        assert!(dialect.rewrite(&own).is_err(), "{dialect:?}");
        assert!(dialect.rewrite(&json!({ "$ref": "#/$defs/Gone" })).is_err(), "{dialect:?}");
        assert!(dialect.rewrite(&json!(false)).is_err(), "{dialect:?}");
    }
}

#[test]
fn choices_within_themselves_are_refused() {
    let schema = json!({
        "$ref": "#/$defs/A",
        "$defs": {
            "A": { "nullable": true, "anyOf": [{ "$ref": "#/$defs/B" }, { "type": "string" }] },
            "B": { "$ref": "#/$defs/A", "description": "the same" },
        },
    });
    for dialect in CONSTRAINED {
        let reasons = reasons(dialect, &schema);
        assert!(reasons.contains("itself") || reasons.contains("endless"), "{dialect:?} {reasons}");
    }
}

#[test]
fn schemas_that_multiply_are_bounded() {
    let next = |n: usize| {
        let next = json!({ "$ref": format!("#/$defs/{}", n + 1) });
        (n.to_string(), json!({ "allOf": [next, next], "anyOf": [next, next] }))
    };
    let definitions: serde_json::Map<_, _> = (0..40).map(next).collect();
    for dialect in CONSTRAINED {
        let schema = json!({ "$ref": "#/$defs/0", "$defs": definitions });
        assert!(dialect.rewrite(&schema).is_err(), "{dialect:?}");
    }
}
