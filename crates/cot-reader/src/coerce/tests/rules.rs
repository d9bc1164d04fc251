//! Attributes `#[cot(…)]`, from the type to the reader.

use std::sync::OnceLock;

use cot_schema::{
    CotOutput, OutputSchema,
    internal::{Checker, FieldRule, PathSegment, RulesCollector, VariantRule},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{partial::incoming::Incoming, target::Target};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Review {
    /// What the review came to
    verdict: Verdict,
    #[serde(default)]
    notes: Vec<u8>,
    earlier: Option<Box<Review>>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
enum Verdict {
    Approved,
    Rejected { reason: String },
}

const fn field(
    name: &'static str,
    aliases: &'static [&'static str],
    notes: &'static [&'static str],
    allow_loss: bool,
) -> FieldRule {
    FieldRule { name, aliases, allow_loss, notes }
}

impl CotOutput for Review {
    type Partial = Incoming<Self>;

    fn output_schema() -> &'static OutputSchema {
        static SCHEMA: OnceLock<OutputSchema> = OnceLock::new();
        SCHEMA.get_or_init(OutputSchema::for_output::<Self>)
    }

    fn gather_rules(rules: &mut RulesCollector) {
        let fields = [
            field("verdict", &["decision"], &["Must be fair.", "Must be kind."], false),
            field("notes", &[], &[], true),
        ];
        rules.add_type::<Self>(&fields, &[], Verdict::gather_rules);
    }

    fn run_checks(&self, _: &mut Checker<'_>) {}
}

impl CotOutput for Verdict {
    type Partial = Incoming<Self>;

    fn output_schema() -> &'static OutputSchema {
        static SCHEMA: OnceLock<OutputSchema> = OnceLock::new();
        SCHEMA.get_or_init(OutputSchema::for_output::<Self>)
    }

    fn gather_rules(rules: &mut RulesCollector) {
        let variants = [VariantRule { name: "Approved", aliases: &["lgtm"] }];
        rules.add_type::<Self>(
            &[field("reason", &["because"], &["In one sentence."], false)],
            &variants,
            |_| {},
        );
    }

    fn run_checks(&self, _: &mut Checker<'_>) {}
}

#[test]
fn aliases_and_losses_reach_the_reading() {
    let schema = Review::output_schema();
    let given = json!({
        "decision": { "rejected": { "because": "slow" } },
        "notes": [1, "none"],
        "earlier": { "Decision": "LGTM", "notes": ["?"] },
    });
    let fitted = schema.fit(given);
    assert!(fitted.issues.is_empty(), "{}", fitted.issues);
    assert_eq!(
        fitted.value,
        json!({
            "verdict": { "Rejected": { "reason": "slow" } },
            "notes": [1],
            "earlier": { "verdict": "Approved", "notes": [] },
        })
    );
    let path = |keys: &[&str]| {
        keys.iter().map(|key| PathSegment::Key((*key).to_owned())).collect::<Vec<_>>()
    };
    assert!(schema.allows_loss(&path(&["notes"])));
    assert!(schema.allows_loss(&path(&["earlier", "notes"])));
    assert!(!schema.allows_loss(&path(&["earlier", "verdict"])));
}

#[test]
fn notes_are_in_the_schema() {
    let schema = Review::output_schema();
    let wanted = "What the review came to. Must be fair. Must be kind.";
    let described =
        |schema: &serde_json::Value| schema["properties"]["verdict"]["description"].clone();
    assert!(schema.json().to_string().contains(wanted));
    assert_eq!(described(&schema.definitions()["Review"]), wanted);
    let verdict = schema.definitions()["Verdict"].to_string();
    assert!(verdict.contains("In one sentence."), "{verdict}");
    assert_eq!(schema.json().to_string().matches("In one sentence.").count(), 1);
}
