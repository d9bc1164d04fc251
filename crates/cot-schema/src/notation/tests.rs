//! The notation of every feature of schemas.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::notation::notation;

#[track_caller]
fn check(schema: &str, expected: Expect) {
    let schema = serde_json::from_str(schema).unwrap();
    expected.assert_eq(&notation(&schema));
}

/// A schema, and the texts that its notation has to contain.
type Told = (Value, Vec<String>);

fn rule(keyword: &'static str, kind: &'static str) -> impl Strategy<Value = Told> {
    (1000..9999_u32).prop_map(move |bound| {
        (json!({ "type": kind, keyword: bound }), vec![bound.to_string(), kind.to_owned()])
    })
}

fn simple() -> impl Strategy<Value = Told> {
    prop_oneof![
        rule("minLength", "string"),
        rule("maxLength", "string"),
        rule("minimum", "number"),
        rule("exclusiveMaximum", "number"),
        rule("multipleOf", "integer"),
        prop::collection::vec("\\PC{1,8}", 1..4).prop_map(|options| {
            let told = options.iter().map(|option| json!(option).to_string()).collect();
            (json!({ "enum": options }), told)
        }),
        "[a-z]{1,9}".prop_map(|pattern| {
            let told = vec![format!("`{pattern}`")];
            (json!({ "type": "string", "pattern": pattern }), told)
        }),
        Just((json!({ "type": "boolean" }), vec!["true or false".to_owned()])),
        Just((json!({ "type": "null" }), vec!["null".to_owned()])),
    ]
}

fn object(members: Vec<(String, Told)>) -> Told {
    let (mut properties, mut told) = (serde_json::Map::new(), Vec::new());
    for (name, (schema, inner)) in members {
        if !properties.contains_key(&name) {
            told.push(format!("{}:", json!(name)));
            told.extend(inner);
            properties.insert(name, schema);
        }
    }
    let required: Vec<&String> = properties.keys().step_by(2).collect();
    (json!({ "type": "object", "required": required, "properties": properties }), told)
}

fn schema() -> impl Strategy<Value = Told> {
    simple().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(("\\PC{0,9}", inner.clone()), 0..4).prop_map(object),
            (inner.clone(), 1000..9999_u32).prop_map(|((items, mut told), most)| {
                told.push(most.to_string());
                (json!({ "type": "array", "items": items, "maxItems": most }), told)
            }),
            inner.clone().prop_map(|(values, told)| {
                (json!({ "type": "object", "additionalProperties": values }), told)
            }),
            (inner.clone(), "[a-z]{4,9}").prop_map(|((mut schema, mut told), about)| {
                if schema.get("description").is_none() {
                    schema["description"] = json!(about);
                    told.push(about);
                }
                (schema, told)
            }),
            prop::collection::vec(inner, 2..4).prop_map(|branches| {
                let (branches, told): (Vec<_>, Vec<_>) = branches.into_iter().unzip();
                (json!({ "anyOf": branches }), told.concat())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn what_a_reply_can_violate_is_told((schema, told) in schema()) {
        let text = notation(&schema);
        for part in told {
            prop_assert!(text.contains(&part), "{part} of {schema} is not in\n{text}");
        }
    }

    #[test]
    fn a_type_is_not_much_longer_than_its_schema((schema, _) in schema()) {
        prop_assert!(notation(&schema).len() <= 64 + 2 * schema.to_string().len());
    }
}

#[test]
fn large_schemas_have_bounded_texts() {
    let options: Vec<String> = (0..10_000).map(|number| format!("option {number}")).collect();
    let text = notation(&json!({ "type": "object", "properties": { "a": { "enum": options } } }));
    assert!(text.len() < 5_000 && text.contains("9800 more options"), "{text}");

    let mut deep = json!({ "type": "string" });
    for _ in 0..100 {
        deep = json!({ "type": "array", "items": deep });
    }
    assert!(notation(&deep).contains("is not shown"));

    // Each level has three of the next, which have no name because of the rule beside the reference.
    let next = json!({ "$ref": "#/$defs/Tree", "minProperties": 1 });
    let tree = json!({ "type": "object", "properties": { "a": next, "b": next, "c": next } });
    let text = notation(&json!({ "$defs": { "Tree": tree }, "$ref": "#/$defs/Tree" }));
    assert!(text.len() < 1_000_000 && text.contains("is not shown"), "{}", text.len());

    // Each type refers twice to the next one.
    let mut types = serde_json::Map::new();
    for number in 0..200 {
        let next = json!({ "$ref": format!("#/$defs/T{}", number + 1) });
        types.insert(
            format!("T{number}"),
            json!({ "type": "object", "properties": { "a": next, "b": next } }),
        );
    }
    types.insert("T200".to_owned(), json!({ "type": "string" }));
    let text = notation(&json!({ "$defs": types, "$ref": "#/$defs/T0" }));
    assert!(text.len() < 20_000 && text.contains("T100 = "), "{text}");
}

#[test]
fn members_are_in_order_and_optional_ones_are_marked() {
    check(
        r##"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"nick":{"type":"string"},"email":{"type":["string","null"]}},"required":["name","age"]}"##,
        expect![[r#"
            {
              "name": string,
              "age": integer,
              "nick": string, // Optional.
              "email": string or null
            }"#]],
    );
}

#[test]
fn a_small_object_has_one_line() {
    check(
        r##"{"type":"object","properties":{"name":{"type":"string"},"alive":{"type":"boolean"},"height":{"type":"number"}},"required":["name","alive","height"]}"##,
        expect![[r#"{ "name": string, "alive": true or false, "height": number }"#]],
    );
}

#[test]
fn descriptions_and_rules_are_comments() {
    check(
        r##"{"type":"object","description":"A person.\nWith two lines.","properties":{"name":{"type":"string","description":"As in the passport","minLength":1,"maxLength":40},"age":{"type":"integer","format":"uint8","minimum":0,"maximum":255},"code":{"type":"string","pattern":"^[A-Z]+$","examples":["AB"]},"born":{"type":"string","format":"date"},"even":{"type":"number","multipleOf":2,"exclusiveMinimum":0,"default":4},"no":{"type":"string","not":{"const":"x"}}},"required":["name","age","code","born"]}"##,
        expect![[r#"
            { // A person. With two lines.
              "name": string, // As in the passport. From 1 to 40 characters.
              "age": integer, // From 0 to 255.
              "code": string, // Matches the regular expression `^[A-Z]+$`. For example `"AB"`.
              "born": string, // A date as `YYYY-MM-DD`.
              "even": number, // Optional. A multiple of 2. More than 0. Default: `4`.
              "no": string // Optional. Not `"x"`.
            }"#]],
    );
}

#[test]
fn options_have_their_meaning() {
    check(
        r##"{"type":"object","properties":{"plain":{"type":"string","enum":["a","b"]},"told":{"description":"What it is about.","oneOf":[{"const":"billing","description":"Money."},{"const":"parcel","description":"What is sent."},{"const":"other"}]},"mixed":{"enum":[1,null,"x"]}},"required":["plain","told","mixed"]}"##,
        expect![[r#"
            {
              "plain": "a" or "b",
              "told": "billing" or "parcel" or "other", // What it is about. "billing": Money. "parcel": What is sent.
              "mixed": 1 or null or "x"
            }"#]],
    );
}

#[test]
fn unions_have_their_tag() {
    check(
        r##"{"oneOf":[{"type":"object","description":"Print it.","properties":{"kind":{"const":"print"},"copies":{"type":"integer"}},"required":["kind","copies"]},{"type":"object","properties":{"kind":{"const":"again"},"why":{"type":"string","description":"The reason."}},"required":["kind","why"]}]}"##,
        expect![[r#"
            { // Print it.
              "kind": "print",
              "copies": integer
            } or {
              "kind": "again",
              "why": string // The reason.
            }"#]],
    );
}

#[test]
fn a_member_can_be_a_union() {
    check(
        r##"{"type":"object","properties":{"decision":{"description":"What is done.","anyOf":[{"type":"object","description":"Print it.","properties":{"copies":{"type":"integer"}},"required":["copies"]},{"type":"string"},{"type":"null"}]}},"required":["decision"]}"##,
        expect![[r#"
            {
              // What is done.
              "decision": { // Print it.
                "copies": integer
              } or string or null
            }"#]],
    );
}

#[test]
fn lists_and_tuples() {
    check(
        r##"{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string","maxLength":9},"minItems":1,"maxItems":3,"uniqueItems":true},"lines":{"type":"array","items":{"type":"object","properties":{"article":{"type":"string","description":"Its name."},"count":{"type":"integer"}},"required":["article","count"]}},"options":{"type":"array","items":{"enum":["a","b"]}},"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2,"maxItems":2},"open":{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number"}},"any":{"type":"array"}},"required":["tags","lines","options","pair","open","any"]}"##,
        expect![[r#"
            {
              "tags": [string, ...], // From 1 to 3 items. No item twice. Each item: At most 9 characters.
              "lines": [{
                "article": string, // Its name.
                "count": integer
              }, ...],
              "options": [("a" or "b"), ...],
              "pair": [string, integer], // Exactly 2 items.
              "open": [string, number, ...],
              "any": [any JSON value, ...]
            }"#]],
    );
}

#[test]
fn maps() {
    check(
        r##"{"type":"object","properties":{"counts":{"type":"object","additionalProperties":{"type":"integer","minimum":0}},"keyed":{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false},"free":{"type":"object"},"both":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"number"}},"none":{"type":"object","additionalProperties":false},"anything":true},"required":["counts","keyed","free","both","none","anything"]}"##,
        expect![[r#"
            {
              "counts": {
                <key>: integer // At least 0.
              },
              "keyed": {
                <key>: string // Each key matches `^x-`.
              },
              "free": { <key>: any JSON value },
              "both": { "a": string, <other key>: number },
              "none": {},
              "anything": any JSON value
            }"#]],
    );
}

#[test]
fn recursive_and_repeated_types_have_names() {
    check(
        r##"{"type":"object","properties":{"tree":{"$ref":"#/$defs/Tree"},"from":{"$ref":"#/$defs/Place","description":"Where it begins."},"to":{"$ref":"#/$defs/Place"},"once":{"$ref":"#/$defs/Once"},"a":{"$ref":"#/$defs/Short"},"b":{"$ref":"#/$defs/Short"}},"required":["tree","from","to","once","a","b"],"$defs":{"Tree":{"type":"object","properties":{"name":{"type":"string"},"below":{"type":"array","items":{"$ref":"#/$defs/Tree"}}},"required":["name","below"]},"Place":{"type":"object","description":"A place on a map.","properties":{"street":{"type":"string"},"city":{"type":"string"}},"required":["street","city"]},"Once":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]},"Short":{"enum":["l","r"]}}}"##,
        expect![[r#"
            Tree = { "name": string, "below": [Tree, ...] }

            Place = { // A place on a map.
              "street": string,
              "city": string
            }

            {
              "tree": Tree,
              "from": Place, // Where it begins.
              "to": Place,
              "once": { "x": integer },
              "a": "l" or "r",
              "b": "l" or "r"
            }"#]],
    );
}

#[test]
fn a_root_can_contain_itself() {
    check(
        r##"{"type":"object","properties":{"name":{"type":"string"},"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["name"]}"##,
        expect![[r#"
            Root = { "name": string, "next": Root or null }

            { "name": string, "next": Root or null }"#]],
    );
}

#[test]
fn schemas_that_apply_together_are_one_type() {
    check(
        r##"{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}],"oneOf":[{"properties":{"kind":{"const":"x"}},"required":["kind"]},{"properties":{"kind":{"const":"y"},"c":{"type":"string"}},"required":["kind","c"]}]}"##,
        expect![[
            r#"{ "a": string, "b": integer, "kind": "x" } or { "a": string, "b": integer, "kind": "y", "c": string }"#
        ]],
    );
}

#[test]
fn rules_without_a_form_are_quoted_or_named() {
    check(
        r##"{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"],"minProperties":1,"maxProperties":3,"dependentRequired":{"a":["b"]},"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["c"]}}"##,
        expect![[r#"
            { // From 1 to 3 members. JSON schema: `dependentRequired` `{"a":["b"]}`. JSON schema: `if` `{"properties":{"a":{"const":"x"}}}`. JSON schema: `then` `{"required":["c"]}`.
              "a": string,
              "b": any JSON value
            }"#]],
    );
}

#[test]
fn names_are_json_and_descriptions_stay_on_their_line() {
    check(
        r##"{"type":"object","properties":{"a \"quoted\"\n\u202ename":{"type":"string","description":"line\u0000\n\tnext // \u202e"}},"required":[]}"##,
        expect![[r#"
            {
              "a \"quoted\"\n\u202ename": string // Optional. line next //
            }"#]],
    );
}

#[test]
fn what_nothing_fits_is_said() {
    check(
        r##"{"type":"object","properties":{"never":false,"gone":{"$ref":"#/$defs/Gone"}},"required":["never","gone"]}"##,
        expect![[r#"
            Gone = nothing // The schema says no more about it.

            {
              "never": nothing, // The schema takes no value at all.
              "gone": Gone
            }"#]],
    );
}
