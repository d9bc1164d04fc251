//! Generated replies.

use std::{collections::BTreeSet, sync::Arc};

use cot_core::{
    model::{ModelRequest, ReplySchema},
    reasoning::Reasoning,
    testing::{Mixture, Replies, ReplyKind},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::testing::types;

#[test]
fn valid_replies_fit_the_schema_and_the_type() {
    for case in types::all() {
        assert_eq!(case.schema.compile_error(), None, "{}", case.name);
        let schema = case.reply_schema();
        let mut replies = Replies::seeded(0);
        for _ in 0..500 {
            let reply = replies.valid(&schema);
            let fits = case.schema.validate(&reply);
            assert!(fits.is_ok(), "{}: {reply}\n{fits:?}", case.name);
            let read = case.read(&reply);
            assert!(read.is_ok(), "{}: {reply}\n{read:?}", case.name);
        }
    }
}

#[test]
fn wrong_replies_do_not_fit() {
    for case in types::all().into_iter().filter(|case| case.name != "any") {
        let schema = case.reply_schema();
        let mut replies = Replies::seeded(1);
        for _ in 0..300 {
            for reply in [replies.nearly_valid(&schema), replies.invalid(&schema)] {
                assert!(case.schema.validate(&reply).is_err(), "{}: {reply}", case.name);
            }
        }
    }
}

#[test]
fn replies_differ_and_cover_what_the_schema_allows() {
    for case in types::all() {
        let schema = case.reply_schema();
        let mut replies = Replies::seeded(5);
        let made: BTreeSet<_> = (0..200).map(|_| replies.valid(&schema).to_string()).collect();
        let few = if ["category", "wrapper"].contains(&case.name) { 3 } else { 50 };
        assert!(made.len() >= few, "{}: {} replies", case.name, made.len());
    }
}

#[test]
fn recursive_types_stay_small() {
    for case in types::all() {
        let schema = case.reply_schema();
        let mut replies = Replies::seeded(9);
        let longest = (0..500).map(|_| replies.valid(&schema).to_string().len()).max();
        assert!(longest < Some(60_000), "{}: {longest:?}", case.name);
    }
}

/// A seed must give the same replies on every platform and in every run.
#[test]
fn seeds_are_stable() {
    let json = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "pattern": "^[a-z]{3}[0-9]+$" },
            "size": { "type": "number", "minimum": 0, "maximum": 10 },
            "tags": { "type": "array", "items": { "enum": ["a", "b"] } },
        },
        "required": ["name", "size", "tags"],
    });
    let schema = named("stable", json);
    let mut replies = Replies::seeded(2024);
    let made: Vec<_> = (0..3).map(|_| replies.valid(&schema).to_string()).collect();
    assert_eq!(made, STABLE);
}

const STABLE: [&str; 3] = [
    r#"{"name":"mnb81740","size":0.0,"tags":["b"]}"#,
    r#"{"name":"mrp093","size":4.33,"tags":["a","b"]}"#,
    r#"{"name":"kok909173","size":4.31,"tags":["a","a","b"]}"#,
];

#[test]
fn transitions_are_chosen_from_what_is_offered() {
    let schema = transition(&["ask", "draft"]);
    let mut replies = Replies::seeded(3);
    let mut chosen = BTreeSet::new();
    for _ in 0..100 {
        let reply = replies.valid(&schema);
        assert!(reply["intent"].is_string() && reply["stepAfter"].is_string(), "{reply}");
        chosen.insert(reply["goTo"].as_str().unwrap().to_owned());
    }
    assert_eq!(chosen.into_iter().collect::<Vec<_>>(), ["ask", "draft"]);
}

#[test]
fn nearly_valid_transitions_err_in_every_way() {
    let schema = transition(&["ask", "draft"]);
    let mut replies = Replies::seeded(3);
    let made: Vec<Value> = (0..500).map(|_| replies.nearly_valid(&schema)).collect();
    let go_to = |reply: &Value| reply["goTo"].as_str().unwrap_or_default().to_owned();
    let has = |what: &str, is_it: &dyn Fn(&Value) -> bool| {
        assert!(made.iter().any(is_it), "no reply with {what}");
    };
    has("no intent", &|reply| reply.get("intent").is_none() && reply.get("goTo").is_some());
    has("no target", &|reply| reply.get("goTo").is_none());
    has("another case", &|reply| go_to(reply) == "DRAFT");
    has("a typing error", &|reply| ["assk", "drft", "draftt"].contains(&&*go_to(reply)));
    has("a member too many", &|reply| reply.as_object().is_some_and(|reply| reply.len() > 3));
    has("a number as a word", &|reply| reply["intent"].is_number());
}

#[test]
fn alternatives_are_all_taken() {
    let json = json!({
        "$defs": { "Mail": { "type": "object", "properties": { "to": { "type": "string" } },
            "required": ["to"] } },
        "anyOf": [transition(&["ask"]).json, { "$ref": "#/$defs/Mail" }],
    });
    let schema = named("either", json);
    let mut replies = Replies::seeded(3);
    let choices = (0..200).filter(|_| replies.valid(&schema).get("goTo").is_some()).count();
    assert!((50..150).contains(&choices), "{choices}");
}

#[test]
fn hostile_replies_are_of_all_sorts() {
    let schema = transition(&["ask"]);
    let mut replies = Replies::seeded(3);
    let made: Vec<_> = (0..1000).map(|_| replies.hostile(&schema)).collect();
    let has = |what: &str, is_it: &dyn Fn(&String) -> bool| {
        assert!(made.iter().any(is_it), "no reply that is {what}");
    };
    has("empty", &|reply| reply.is_empty());
    has("deep", &|reply| reply.starts_with(&"[".repeat(10_000)));
    has("long", &|reply| reply.len() > 100_000);
    has("fenced", &|reply| reply.starts_with("```json"));
    has("cut", &|reply| reply.starts_with("{\"intent\"") && !reply.ends_with('}'));
    has("no JSON", &|reply| !reply.contains('{'));
    has("full of lone surrogates", &|reply| reply.contains(r"\ud800 and"));
    has("full of control characters", &|reply| reply.contains('\0'));
    has("not a number", &|reply| reply.contains("NaN"));
    has("an order to the program", &|reply| reply.contains("Ignore all previous"));
    assert!(made.iter().all(|reply| reply.len() < 500_000));
}

#[test]
fn without_a_schema_replies_think_aloud() {
    let mut replies = Replies::seeded(3);
    let mut ask = |kind| {
        let request = ModelRequest::new("Think step by step.");
        let text = replies.answer_of(kind, &request).unwrap().text;
        (Reasoning::parse(&text), text)
    };
    let mut lengths = BTreeSet::new();
    for _ in 0..500 {
        let (valid, text) = ask(ReplyKind::Valid);
        assert_ne!(valid, Reasoning::default(), "{text}");
        lengths.insert((valid.steps.len(), valid.conclusion.is_some()));
        for kind in [ReplyKind::NearlyValid, ReplyKind::Invalid] {
            let (wrong, text) = ask(kind);
            assert_eq!(wrong, Reasoning::default(), "{kind:?}: {text}");
        }
    }
    assert_eq!(lengths.len(), 11, "{lengths:?}");
}

#[test]
fn schemas_that_are_wrong_or_impossible_do_no_harm() {
    let all = [
        json!(false),
        json!(true),
        json!({}),
        json!(17),
        json!({ "$ref": "#" }),
        json!({ "$ref": "#/nowhere" }),
        json!({ "anyOf": [] }),
        json!({ "enum": [] }),
        json!({ "type": "string", "pattern": "(" }),
        json!({ "type": "string", "pattern": "^a$", "minLength": 5 }),
        json!({ "type": "string", "minLength": 18_446_744_073_709_551_615_u64 }),
        json!({ "type": "integer", "minimum": 2, "maximum": 1 }),
        json!({ "type": "number", "minimum": 1e308, "multipleOf": 1e-300 }),
        json!({ "type": "number", "multipleOf": 0 }),
        json!({ "type": "array", "minItems": 18_446_744_073_709_551_615_u64 }),
        json!({ "type": "object", "minProperties": 18_446_744_073_709_551_615_u64 }),
        json!({ "type": "array", "items": { "$ref": "#" }, "minItems": 1 }),
        json!({ "type": "array", "minItems": 5000, "uniqueItems": true, "items": { "type": "null" } }),
        json!({ "type": "object", "properties": { "a": { "$ref": "#" } }, "required": ["a"] }),
        json!({ "type": "object", "properties": 3, "required": "a", "additionalProperties": 1 }),
        json!({ "type": ["string", 3], "minLength": -1, "maxLength": "x" }),
        json!({ "allOf": [{ "type": "string" }, { "type": "null" }] }),
    ];
    for json in all {
        let schema = named("odd", json);
        let mut replies = Replies::seeded(1);
        for kind in ReplyKind::ALL {
            for _ in 0..3 {
                let mut request = ModelRequest::new("Hello");
                request.schema = Some(Arc::clone(&schema));
                _ = replies.answer(&Mixture::only(kind), &request);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_seed_gives_the_same_replies(seed: u64, which in 0..types::COUNT) {
        let case = &types::all()[which];
        let made = || {
            // Equal schemas at another address.
            let schema = case.reply_schema();
            let mut replies = Replies::seeded(seed);
            let valid = replies.valid(&schema);
            let wrong = (replies.nearly_valid(&schema), replies.invalid(&schema));
            (valid, wrong, replies.hostile(&schema), replies.valid(&case.reply_schema()))
        };
        prop_assert_eq!(made(), made());
    }

    #[test]
    fn any_pattern_of_these_is_matched(
        pattern in "\\^([a-z]|\\[a-f\\]|\\[\\^a-f\\]|\\(a\\|b\\)|\\\\d|\\\\w|\\.)([*+?]|\\{1,3\\})?[x-z]{0,2}\\$",
        seed: u64,
    ) {
        let schema = named("text", json!({ "type": "string", "pattern": pattern }));
        let reply = Replies::seeded(seed).valid(&schema);
        prop_assert!(jsonschema::is_valid(&schema.json, &reply), "{} {}", pattern, reply);
    }

    #[test]
    fn any_range_is_kept(low in -1e6..1e6_f64, width in 0.0..1e6_f64, whole: bool, seed: u64) {
        let (kind, high) = (if whole { "integer" } else { "number" }, low + width + 1.0);
        let schema = named("number", json!({ "type": kind, "minimum": low, "exclusiveMaximum": high }));
        let reply = Replies::seeded(seed).valid(&schema);
        prop_assert!(jsonschema::is_valid(&schema.json, &reply), "{}", reply);
    }
}

fn named(name: &str, json: Value) -> Arc<ReplySchema> {
    Arc::new(ReplySchema { name: name.to_owned(), json })
}

/// The schema as the engine requests it.
fn transition(targets: &[&str]) -> Arc<ReplySchema> {
    let text = json!({ "type": "string" });
    let json = json!({
        "type": "object",
        "properties": { "intent": text, "goTo": { "enum": targets }, "stepAfter": text },
        "required": ["intent", "goTo", "stepAfter"],
        "additionalProperties": false,
    });
    named("transition", json)
}
