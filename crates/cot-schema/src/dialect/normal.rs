//! The normal form of a schema: a single keyword determines its kind.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{merge::merge, references::recursive_definitions, sentence::is_annotation};
use crate::graph::{
    accepted::accepted_types,
    choice::product,
    document::{Document, Keywords, Subschema},
    node::Types,
    resolve::{Flaw, resolve},
};

/// A root schema with its definitions.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    document: Document<'a>,
    /// The names of the recursive definitions.
    recursive: BTreeSet<&'a str>,
}

/// Maximum number of branches when choices are combined. Further choices are left to validation.
const MAX_BRANCHES: usize = 64;

/// The members of a schema object.
pub(crate) type SchemaMap = Map<String, Value>;

impl<'a> Source<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { document: Document::new(root), recursive: recursive_definitions(root) }
    }

    pub(super) fn root(&self) -> &'a Value {
        self.document.schema()
    }

    /// Returns a definition by its name.
    pub(super) fn definition(&self, name: &str) -> Option<&'a Value> {
        self.root().get("$defs")?.get(name)
    }

    /// Resolves a `$ref`.
    pub(crate) fn target(&self, reference: &str) -> Option<&'a Value> {
        self.document.target(reference)
    }

    /// Returns whether a definition contains itself.
    pub(crate) fn is_recursive(&self, name: &str) -> bool {
        self.recursive.contains(name)
    }

    /// Returns whether a schema accepts texts.
    pub(super) fn takes_text(&self, node: &SchemaMap) -> bool {
        let schema = Value::Object(node.clone());
        accepted_types(self.document, Subschema::new(&schema)).contains(Types::TEXT)
    }

    /// Converts a schema to normal form: annotations, and either `$ref`, or `anyOf`, or other keywords
    /// without `oneOf` and `allOf`.
    ///
    /// The error is the reason why the schema has no normal form.
    pub(crate) fn normal(&self, schema: &Value) -> Result<SchemaMap, String> {
        match schema {
            Value::Object(keywords) => {
                if let Some(reference) = reference_alone(keywords) {
                    return Ok(reference);
                }
            }
            Value::Bool(true) => return Ok(SchemaMap::new()),
            _ => return Err(flaw_reason(Flaw::Never)),
        }
        let (node, mut cases) = self.merge_parts(SchemaMap::new(), &[Subschema::new(schema)])?;
        if cases.is_empty() {
            return Ok(node);
        }
        let (mut node, beside): (SchemaMap, SchemaMap) =
            node.into_iter().partition(|(keyword, _)| is_annotation(keyword));
        let branches = if beside.is_empty() {
            cases.iter_mut().map(|case| all_of(case)).collect()
        } else {
            let branches = cases.iter().map(|case| self.branch(&beside, case));
            Value::Array(branches.collect::<Result<_, _>>()?)
        };
        node.insert("anyOf".to_owned(), branches);
        Ok(node)
    }

    /// Returns a branch of a choice, combined with the keywords beside the choice.
    fn branch(&self, beside: &SchemaMap, case: &[Subschema<'_>]) -> Result<Value, String> {
        let (mut node, cases) = self.merge_parts(beside.clone(), case)?;
        if !cases.is_empty() {
            let cases = cases.iter().map(|case| all_of(case)).collect();
            node.insert("anyOf".to_owned(), cases);
        }
        Ok(Value::Object(node))
    }

    /// Merges schemas that apply together into `node`. Returns it with the combined cases of their choices.
    fn merge_parts<'s>(
        &self,
        mut node: SchemaMap,
        schemas: &[Subschema<'s>],
    ) -> Result<(SchemaMap, Vec<Vec<Subschema<'s>>>), String>
    where
        'a: 's,
    {
        let resolved = resolve(self.document, schemas);
        if let Some(flaw) = resolved.flaws.first() {
            return Err(flaw_reason(*flaw));
        }
        resolved.parts.iter().for_each(|(_, keywords)| merge(&mut node, own_keywords(keywords)));
        let alternatives = resolved.alternatives();
        let is_choice = !alternatives.is_empty();
        let cases = is_choice.then(|| product(Vec::new(), alternatives, MAX_BRANCHES).cases);
        Ok((node, cases.unwrap_or_default()))
    }
}

/// Returns the keywords of a schema without references, `allOf` and choices, and with `const` as an `enum`.
fn own_keywords(keywords: Keywords<'_>) -> SchemaMap {
    let mut node = keywords.clone();
    for keyword in ["$ref", "allOf", "anyOf", "oneOf"] {
        node.shift_remove(keyword);
    }
    if let Some(value) = node.shift_remove("const") {
        node.insert("enum".to_owned(), json!([value]));
    }
    node
}

/// Combines schemas that apply together into one, by `allOf`.
fn all_of(schemas: &[Subschema<'_>]) -> Value {
    match schemas {
        [only] => only.schema.clone(),
        several => {
            let several: Vec<&Value> = several.iter().map(|schema| schema.schema).collect();
            json!({ "allOf": several })
        }
    }
}

/// Returns the reference of a schema that has only annotations beside it. An `allOf` of a single reference
/// counts as one: it is a common way to add annotations to a reference.
fn reference_alone(keywords: Keywords<'_>) -> Option<SchemaMap> {
    let mut others = keywords.keys().filter(|keyword| !is_annotation(keyword));
    let keyword = others.next().filter(|_| others.next().is_none())?;
    let reference = match (keyword.as_str(), keywords.get(keyword)?) {
        ("$ref", reference) => reference,
        ("allOf", Value::Array(members)) => match members.as_slice() {
            [Value::Object(only)] if only.len() == 1 => only.get("$ref")?,
            _ => return None,
        },
        _ => return None,
    };
    let mut node = keywords.clone();
    node.shift_remove(keyword);
    node.insert("$ref".to_owned(), reference.clone());
    Some(node)
}

fn flaw_reason(flaw: Flaw<'_>) -> String {
    match flaw {
        Flaw::Never => "takes no value at all".to_owned(),
        Flaw::Missing(reference) => format!("refers to `{reference}`, which is not there"),
        Flaw::Endless => "refers to itself, and to nothing else".to_owned(),
    }
}
