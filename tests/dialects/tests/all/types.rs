//! Types of all shapes that `schemars` knows.
#![expect(dead_code, reason = "only their schemas are of interest")]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cot_core::{OutputSchema, model::Dialect};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    DIALECTS, Values, assert_kept,
    engines::{Guidance, Outlines},
    rewritten,
};

/// An order, as an article and a number of pieces.
#[derive(Deserialize, JsonSchema)]
struct Order {
    /// Article number, such as `A-1042`
    #[schemars(regex(pattern = r"^[A-Z]-[0-9]{4}$"))]
    article: String,
    #[schemars(range(min = 1, max = 100))]
    quantity: u32,
    #[schemars(length(max = 40))]
    remark: Option<String>,
    #[serde(default)]
    urgency: Urgency,
    #[schemars(url)]
    page: Option<String>,
}

/// How urgent it is.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Urgency {
    /// It can wait.
    #[default]
    Low,
    /// It can't wait.
    High,
    Unknown,
}

/// What was recognized.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Finding {
    /// A number.
    Number {
        value: f64,
    },
    /// A piece of text.
    Text {
        value: String,
        language: Option<Language>,
    },
    Order(Order),
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
enum Language {
    De,
    En,
}

#[derive(Deserialize, JsonSchema)]
enum Shape {
    Point,
    Circle { radius: f64 },
    Polygon(Vec<(f64, f64)>),
    Pair(String, u8),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One(u8),
    Many(Vec<u8>),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Word(String),
    Number(i64),
    List(Vec<String>),
}

#[derive(Deserialize, JsonSchema)]
struct Shapes {
    findings: Vec<Finding>,
    #[schemars(length(min = 1, max = 3))]
    shapes: Vec<Shape>,
    /// The main one
    main: Adjacent,
    either: Either,
    letters: BTreeSet<char>,
    size: [u16; 2],
    #[schemars(email)]
    contact: String,
    signed: i64,
    unsigned: u64,
    unit: (),
}

#[derive(Deserialize, JsonSchema)]
struct Maps {
    counts: BTreeMap<String, u32>,
    /// By number
    names: HashMap<u16, String>,
    nested: BTreeMap<String, BTreeMap<String, Order>>,
    #[serde(default)]
    optional: Option<BTreeMap<String, bool>>,
}

#[derive(Deserialize, JsonSchema)]
struct Flat {
    name: String,
    #[serde(flatten)]
    order: Order,
    #[serde(flatten)]
    adjacent: Adjacent,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: bool,
    #[serde(default = "three")]
    b: u8,
}

fn three() -> u8 {
    3
}

/// A chapter with chapters.
#[derive(Deserialize, JsonSchema)]
struct Chapter {
    title: String,
    #[serde(default)]
    parts: Vec<Self>,
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    left: Option<Box<Self>>,
    leaves: Vec<Self>,
}

#[derive(Deserialize, JsonSchema)]
struct Anything {
    value: Value,
}

#[derive(Deserialize, JsonSchema)]
struct Open {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

fn schema<T: JsonSchema>() -> Value {
    OutputSchema::for_type::<T>().json().clone()
}

/// Schemas that every dialect can express.
pub(crate) fn common() -> Vec<Value> {
    vec![
        schema::<Order>(),
        schema::<Urgency>(),
        schema::<Finding>(),
        schema::<Shape>(),
        schema::<Shapes>(),
        schema::<Maps>(),
        schema::<Flat>(),
        schema::<Closed>(),
        schema::<Vec<Either>>(),
    ]
}

#[test]
fn documented_rules_are_kept() {
    for schema in common() {
        for dialect in DIALECTS {
            assert_kept(dialect, &rewritten(dialect, &schema), &schema);
        }
    }
}

#[test]
fn engines_take_what_is_rewritten() {
    for schema in common() {
        for dialect in [Dialect::OpenAiStrict, Dialect::Vllm, Dialect::Anthropic, Dialect::LlamaCpp]
        {
            assert_decodable(&rewritten(dialect, &schema));
        }
    }
}

#[test]
fn plain_schemas_are_left_as_they_are() {
    for schema in common() {
        assert_eq!(rewritten(Dialect::Plain, &schema), schema);
    }
}

#[test]
fn an_engine_follows_a_reply_to_its_end() {
    let outlines = Outlines::new(&rewritten(Dialect::Vllm, &schema::<Closed>())).unwrap();
    for (reply, expected) in [
        (json!({ "a": true, "b": 7 }), true),
        (json!({ "a": true }), true),
        (json!({ "a": 1 }), false),
        (json!({ "a": true, "c": 7 }), false),
    ] {
        assert_eq!(outlines.follows(&reply).unwrap(), expected, "{reply}");
        assert_eq!(outlines.takes(&reply), expected, "{reply}");
    }
}

/// Both engines make a grammar of it, follow valid replies to their end, and refuse others.
pub(crate) fn assert_decodable(schema: &Value) {
    let guidance = Guidance::new(schema).unwrap_or_else(|why| panic!("{why}\n{schema:#}"));
    let outlines = Outlines::new(schema).unwrap_or_else(|why| panic!("{why}\n{schema:#}"));
    let mut values = Values::new(schema, 7);
    let mut seen = 0;
    for _ in 0..10 {
        if let Some(value) = values.valid() {
            assert!(guidance.takes(&value), "llguidance refuses {value}\n{schema:#}");
            seen += 1;
        }
        if let Some(value) = values.invalid() {
            assert!(!guidance.takes(&value), "llguidance takes {value}\n{schema:#}");
            assert!(!outlines.takes(&value), "outlines-core takes {value}\n{schema:#}");
        }
    }
    assert!(seen > 0, "no value was found for {schema:#}");
    let taken = (0..10).filter_map(|_| values.valid()).any(|value| outlines.takes(&value));
    assert!(taken, "outlines-core takes no value of {schema:#}");
}

#[test]
fn what_is_dropped_is_wider_never_narrower() {
    for schema in common() {
        for dialect in [Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm] {
            let rewritten = rewritten(dialect, &schema);
            let validator = jsonschema::draft202012::new(&rewritten).unwrap();
            let mut values = Values::new(&schema, 11);
            for value in (0..30).filter_map(|_| values.valid()) {
                assert!(validator.is_valid(&value), "{dialect:?}: {value}\n{rewritten:#}");
            }
        }
    }
}

#[test]
fn recursion_is_taken_or_refused() {
    let reasons = |dialect: Dialect, schema: &Value| match dialect.rewrite(schema) {
        Ok(rewritten) => {
            assert_kept(dialect, &rewritten, schema);
            String::new()
        }
        Err(reasons) => reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
    };
    let (chapter, tree) = (schema::<Chapter>(), schema::<Tree>());
    for dialect in DIALECTS {
        let (of_chapter, of_tree) = (reasons(dialect, &chapter), reasons(dialect, &tree));
        match dialect {
            Dialect::Anthropic => {
                assert!(
                    of_chapter.contains("Anthropic takes no recursive schemas"),
                    "{of_chapter}"
                );
                assert!(of_tree.contains("Anthropic takes no recursive schemas"), "{of_tree}");
            }
            Dialect::Gemini => {
                assert_eq!(of_chapter, "");
                assert!(of_tree.contains("through required members"), "{of_tree}");
            }
            _ => assert_eq!((of_chapter, of_tree), (String::new(), String::new())),
        }
    }
    for dialect in [Dialect::OpenAiStrict, Dialect::Vllm] {
        assert!(Guidance::new(&rewritten(dialect, &chapter)).is_ok());
        assert!(Outlines::new(&rewritten(dialect, &chapter)).is_ok());
    }
}

#[test]
fn what_has_no_closed_form_is_refused() {
    for (schema, reason) in [
        (schema::<Anything>(), "`$.properties.value` may be any value"),
        (schema::<Open>(), "has both members of its own and any others"),
    ] {
        for dialect in [Dialect::OpenAiStrict, Dialect::Anthropic] {
            let reasons = dialect.rewrite(&schema).unwrap_err();
            assert!(reasons[0].to_string().contains(reason), "{}", reasons[0]);
        }
        for dialect in [Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm] {
            assert_kept(dialect, &rewritten(dialect, &schema), &schema);
        }
    }
}
