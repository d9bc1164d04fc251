//! The implementations of [`Target`]: output types, JSON schemas, and any JSON.

use cot_schema::{
    Issues, OutputSchema,
    internal::{PathSegment, SchemaGraph, Types, check, compile_any},
};
use jsonschema::{Validator, json::SerdeJson};
use serde_json::Value;

use super::{coercer::Coercer, schema_shape::is_schema_of, shape::CoercionGraph};
use crate::{
    repair::repairs::Repairs,
    target::{CoercionResult, Target},
};

/// Maximum length of a reply without JSON that may be a value.
const MAX_BARE_BYTES: usize = 300;

impl Target for OutputSchema {
    fn fit(&self, value: Value) -> CoercionResult {
        let mut fit = fit(CoercionGraph::new(self.graph()), value, |value| self.validate(value));
        let broken = self.check_rules(&fit.value, &fit.issues);
        fit.issues.extend(broken);
        fit
    }

    fn allows_loss(&self, path: &[PathSegment]) -> bool {
        CoercionGraph::new(self.graph()).allows_loss(path)
    }

    fn accepts_bare(&self, text: &str) -> bool {
        CoercionGraph::new(self.graph()).accepts_bare(text)
    }
}

/// A JSON schema as a target.
#[derive(Debug)]
pub struct AnySchema {
    schema: Value,
    graph: SchemaGraph,
    validator: Validator,
}

impl AnySchema {
    /// Compiles a schema of any draft. Without `$schema`, the newest draft is assumed.
    ///
    /// # Errors
    ///
    /// Returns the error in the schema.
    pub fn new(schema: Value) -> Result<Self, String> {
        let validator = compile_any(&schema)?;
        Ok(Self { graph: SchemaGraph::compile(&schema, &[], None), schema, validator })
    }
}

impl Target for AnySchema {
    fn fit(&self, value: Value) -> CoercionResult {
        fit(CoercionGraph::new(&self.graph), value, |value| {
            check(&self.schema, &self.validator, value)
        })
    }

    fn allows_loss(&self, path: &[PathSegment]) -> bool {
        CoercionGraph::new(&self.graph).allows_loss(path)
    }

    fn accepts_bare(&self, text: &str) -> bool {
        CoercionGraph::new(&self.graph).accepts_bare(text)
    }
}

/// The target without a schema, which accepts any JSON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anything;

impl Target for Anything {
    fn fit(&self, value: Value) -> CoercionResult {
        let resembles_target = holds_object(&value);
        CoercionResult {
            value,
            repairs: Repairs::default(),
            issues: Issues::new(),
            resembles_target,
        }
    }

    fn allows_loss(&self, _: &[PathSegment]) -> bool {
        false
    }

    fn accepts_bare(&self, _: &str) -> bool {
        false
    }
}

/// Returns whether a value contains an object. Other values may be brackets in prose, as in "see [1]".
fn holds_object(value: &Value) -> bool {
    let items = value.as_array().into_iter().flatten();
    value.is_object() || items.into_iter().any(Value::is_object)
}

fn fit(
    shape: CoercionGraph<'_>,
    value: Value,
    validate: impl Fn(&Value) -> Result<(), Issues>,
) -> CoercionResult {
    if shape.needs_no_coercion::<SerdeJson>(&&value) && validate(&value).is_ok() {
        return CoercionResult {
            value,
            repairs: Repairs::default(),
            issues: Issues::new(),
            resembles_target: true,
        };
    }
    coerce_and_validate(shape, value, validate)
}

/// Coerces and validates a value.
pub(super) fn coerce_and_validate(
    shape: CoercionGraph<'_>,
    value: Value,
    validate: impl Fn(&Value) -> Result<(), Issues>,
) -> CoercionResult {
    // A schema before the answer is no other answer.
    let resembles_target = shape.resembles(&value) && !is_schema_of(shape, shape.root(), &value);
    let is_object = value.is_object();
    let (mut repairs, mut issues) = (Repairs::default(), Issues::new());
    let value = shape.coerce(value, &mut repairs, &mut issues);
    if let Err(wrong) = validate(&value) {
        // Ambiguous values are not reported as invalid in addition.
        let doubts: Vec<String> = issues.iter().map(|issue| issue.path.clone()).collect();
        let is_doubted = |path: &str| doubts.iter().any(|doubt| lies_in(path, doubt));
        issues.extend(wrong.into_iter().filter(|issue| !is_doubted(&issue.path)));
    }
    // An object that was coerced successfully was meant as the answer.
    let resembles_target = resembles_target || is_object && issues.is_empty();
    CoercionResult { value, repairs, issues, resembles_target }
}

/// Returns whether a path is equal to or below another one.
fn lies_in(path: &str, place: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl<'s> CoercionGraph<'s> {
    /// Returns whether a text without JSON may be the value: an option of an enum, a number or a boolean.
    pub(crate) fn accepts_bare(self, text: &str) -> bool {
        let text = text.trim();
        if text.is_empty() || text.len() > MAX_BARE_BYTES || self.is_free_text() {
            return false;
        }
        let value = Value::String(text.to_owned());
        let outcome = Coercer::new(self, &value).coerce(self.root(), &value, false);
        outcome.fits()
    }

    /// Returns whether the root, or its only property, accepts any string.
    fn is_free_text(self) -> bool {
        let Some(root) = self.node(self.root()) else { return true };
        let inner = match root.objects.properties.as_slice() {
            [only] if root.types == Types::OBJECT => only.node,
            _ => self.root(),
        };
        let of_list = |id| self.node(id).and_then(|node| node.lists.item(0));
        let takes =
            |id| self.takes_free_text(id) || of_list(id).is_some_and(|of| self.takes_free_text(of));
        root.is_anything || takes(inner) || takes(self.root())
    }
}
