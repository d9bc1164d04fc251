//! The schemas of the examples.

use cot_schema::{
    Issues,
    internal::{FieldRule, SchemaGraph, Step, TypeRules, VariantRule, check, compile_any},
};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::{
    choose::{Chosen, Rejected, choose},
    coerce::{shape::Shape, target::Anything},
    repair::{catalogue::RepairKind, repairs::Repairs},
    target::{Fit, Target},
};

/// Returns the repairs of a reply, read for an object whose `v` has a schema, or for any JSON.
pub(super) fn repairs_of(reply: &str, schema: Option<&str>) -> Vec<RepairKind> {
    let result = match schema {
        Some(schema) => choose(reply, &Sample::new(schema), true),
        None => choose(reply, &Anything, true),
    };
    let (Ok(Chosen { repairs, .. }) | Err(Rejected { repairs, .. })) = result;
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
    fn fit(&self, value: Value) -> Fit {
        let shape = Shape::new(&self.graph);
        let (mut repairs, mut issues) = (Repairs::default(), Issues::new());
        let value = shape.coerce(value, &mut repairs, &mut issues);
        issues.extend(check(&self.schema, &self.validator, &value).err().unwrap_or_default());
        Fit { value, repairs, issues, is_kin: true }
    }

    fn allows_loss(&self, path: &[Step]) -> bool {
        Shape::new(&self.graph).allows_loss(path)
    }

    fn takes_bare(&self, _: &str) -> bool {
        false
    }
}
