//! The schemas of the examples.

use cot_schema::{
    Issues,
    internal::{FieldRule, PathSegment, SchemaGraph, TypeRules, VariantRule, check, compile_any},
};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::{
    choose::{Rejection, ValidReading, read_reply},
    coerce::{shape::CoercionGraph, target::Anything},
    repair::{catalogue::RepairKind, repairs::Repairs},
    target::{CoercionResult, Target},
};

/// Returns the repairs of a reply, read for an object whose `v` has a schema, or for any JSON.
pub(super) fn repairs_of(reply: &str, schema: Option<&str>) -> Vec<RepairKind> {
    let result = match schema {
        Some(schema) => read_reply(reply, &Sample::new(schema), true),
        None => read_reply(reply, &Anything, true),
    };
    let (Ok(ValidReading { repairs, .. }) | Err(Rejection { repairs, .. })) = result;
    repairs.iter().map(|repair| repair.kind()).collect()
}

/// An object with some properties, one of which allows loss.
struct Sample {
    schema: Value,
    graph: SchemaGraph,
    validator: Validator,
}

impl Sample {
    fn new(schema: &str) -> Self {
        let v: Value = serde_json::from_str(schema).unwrap_or_else(|e| panic!("{schema}: {e}"));
        let schema = json!({
            "type": "object",
            "properties": { "v": v, "a_key": { "type": "integer" } },
            "additionalProperties": false,
            "$defs": { "Verdict": { "type": "string", "enum": ["Approved", "In Review"] } },
        });
        let rule = |name, aliases| FieldRule { name, aliases, allow_loss: name == "v", notes: &[] };
        let sample = TypeRules {
            name: "Sample".to_owned(),
            fields: vec![rule("v", &["alias"]), rule("a_key", &[])],
            variants: vec![],
            notes: vec![],
        };
        let verdict = TypeRules {
            name: "Verdict".to_owned(),
            fields: vec![],
            variants: vec![VariantRule { name: "Approved", aliases: &["ok"] }],
            notes: vec![],
        };
        let graph = SchemaGraph::compile(&schema, &[sample, verdict], Some("Sample"));
        let validator = compile_any(&schema).unwrap();
        Self { schema, graph, validator }
    }
}

impl Target for Sample {
    fn fit(&self, value: Value) -> CoercionResult {
        let shape = CoercionGraph::new(&self.graph);
        let (mut repairs, mut issues) = (Repairs::default(), Issues::new());
        let value = shape.coerce(value, &mut repairs, &mut issues);
        issues.extend(check(&self.schema, &self.validator, &value).err().unwrap_or_default());
        CoercionResult { value, repairs, issues, resembles_target: true }
    }

    fn allows_loss(&self, path: &[PathSegment]) -> bool {
        CoercionGraph::new(&self.graph).allows_loss(path)
    }

    fn accepts_bare(&self, _: &str) -> bool {
        false
    }
}
