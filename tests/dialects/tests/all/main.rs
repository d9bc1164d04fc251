//! Schemas of types, in each dialect: what vendors document is kept, and real engines take them.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod engines;
mod examples;
mod generated;
mod types;

use std::sync::Arc;

use cot_core::{
    model::{Dialect, ReplySchema},
    testing::Replies,
};
use serde_json::Value;

/// The dialects that change a schema.
const DIALECTS: [Dialect; 5] =
    [Dialect::OpenAiStrict, Dialect::Anthropic, Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm];

/// What the engine of a dialect would refuse in a schema.
fn wrong(dialect: Dialect, schema: &Value) -> Vec<String> {
    match dialect {
        Dialect::OpenAiStrict => cot_dialect_tests::openai(schema),
        Dialect::Anthropic => cot_dialect_tests::anthropic(schema),
        Dialect::Gemini => cot_dialect_tests::gemini(schema),
        Dialect::LlamaCpp => cot_dialect_tests::llama_cpp(schema),
        Dialect::Vllm => cot_dialect_tests::guided(schema),
        _ => Vec::new(),
    }
}

/// A schema in a dialect that can express it.
fn rewritten(dialect: Dialect, schema: &Value) -> Value {
    dialect.rewrite(schema).unwrap_or_else(|reasons| {
        let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
        panic!("{dialect:?}: {}\n{schema:#}", reasons.join("; "))
    })
}

fn assert_kept(dialect: Dialect, schema: &Value, original: &Value) {
    let wrong = wrong(dialect, schema);
    assert!(wrong.is_empty(), "{dialect:?}: {wrong:#?}\nfrom {original:#}\nto {schema:#}");
}

/// Values that fit a schema, and values that are something else.
struct Values {
    replies: Replies,
    schema: Arc<ReplySchema>,
    validator: jsonschema::Validator,
}

impl Values {
    fn new(schema: &Value, seed: u64) -> Self {
        let validator = jsonschema::draft202012::new(schema).unwrap();
        let schema = ReplySchema { name: "reply".to_owned(), json: schema.clone() };
        Self { replies: Replies::seeded(seed), schema: Arc::new(schema), validator }
    }

    /// None if none was found.
    fn valid(&mut self) -> Option<Value> {
        Some(self.replies.valid(&self.schema)).filter(|value| self.validator.is_valid(value))
    }

    /// None if all there is fits.
    fn invalid(&mut self) -> Option<Value> {
        Some(self.replies.invalid(&self.schema)).filter(|value| !self.validator.is_valid(value))
    }
}
