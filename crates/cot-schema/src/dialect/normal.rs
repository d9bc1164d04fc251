//! One schema in normal form: with one keyword that says what kind of schema it is.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{merge::merge, references::recursive, say::is_annotation};
use crate::graph::{
    choice::product,
    document::{Document, Keywords, Subschema},
    resolve::{Flaw, resolve},
};

/// A schema and what it refers to.
#[derive(Debug)]
pub(super) struct Source<'a> {
    document: Document<'a>,
    /// The definitions that are inside themselves.
    recursive: BTreeSet<&'a str>,
}

/// Most branches that a product of choices may have; the second choice is left to validation then.
const MAX_BRANCHES: usize = 64;

type Node = Map<String, Value>;

impl<'a> Source<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self { document: Document::new(root), recursive: recursive(root) }
    }

    pub(super) fn root(&self) -> &'a Value {
        self.document.schema()
    }

    /// The definition of a name.
    pub(super) fn definition(&self, name: &str) -> Option<&'a Value> {
        self.root().get("$defs")?.get(name)
    }

    /// Whether a definition is inside itself.
    pub(super) fn is_recursive(&self, name: &str) -> bool {
        self.recursive.contains(name)
    }

    /// A schema in normal form. Beside its annotations it has a `$ref` alone, or an `anyOf` alone, or
    /// neither, and never `oneOf` and `allOf`. Or why it has none, in words.
    pub(super) fn normal(&self, schema: &Value) -> Result<Node, String> {
        match schema {
            Value::Object(keywords) => {
                if let Some(reference) = reference_alone(keywords) {
                    return Ok(reference);
                }
            }
            Value::Bool(true) => return Ok(Node::new()),
            _ => return Err(words(Flaw::Never)),
        }
        let (node, mut cases) = self.flat(Node::new(), &[Subschema::new(schema)])?;
        if cases.is_empty() {
            return Ok(node);
        }
        let (mut node, beside): (Node, Node) =
            node.into_iter().partition(|(keyword, _)| is_annotation(keyword));
        let branches = if beside.is_empty() {
            cases.iter_mut().map(|case| together(case)).collect()
        } else {
            let branches = cases.iter().map(|case| self.branch(&beside, case));
            Value::Array(branches.collect::<Result<_, _>>()?)
        };
        node.insert("anyOf".to_owned(), branches);
        Ok(node)
    }

    /// A branch of a choice, with what stands beside the choice.
    fn branch(&self, beside: &Node, case: &[Subschema<'_>]) -> Result<Value, String> {
        let (mut node, cases) = self.flat(beside.clone(), case)?;
        if !cases.is_empty() {
            let cases = cases.iter().map(|case| together(case)).collect();
            node.insert("anyOf".to_owned(), cases);
        }
        Ok(Value::Object(node))
    }

    /// What several schemas say at once, added to a node, and the cases of their choices.
    fn flat<'s>(
        &self,
        mut node: Node,
        schemas: &[Subschema<'s>],
    ) -> Result<(Node, Vec<Vec<Subschema<'s>>>), String>
    where
        'a: 's,
    {
        let resolved = resolve(self.document, schemas);
        if let Some(flaw) = resolved.flaws.first() {
            return Err(words(*flaw));
        }
        resolved.parts.iter().for_each(|(_, keywords)| merge(&mut node, said(keywords)));
        let alternatives = resolved.alternatives();
        let is_choice = !alternatives.is_empty();
        let cases = is_choice.then(|| product(Vec::new(), alternatives, MAX_BRANCHES).cases);
        Ok((node, cases.unwrap_or_default()))
    }
}

/// What a schema says apart from its references, `allOf` and choices. A `const` is an `enum` of one.
fn said(keywords: Keywords<'_>) -> Node {
    let mut node = keywords.clone();
    for keyword in ["$ref", "allOf", "anyOf", "oneOf"] {
        node.shift_remove(keyword);
    }
    if let Some(value) = node.shift_remove("const") {
        node.insert("enum".to_owned(), json!([value]));
    }
    node
}

/// One schema for several that apply at once.
fn together(schemas: &[Subschema<'_>]) -> Value {
    match schemas {
        [only] => only.schema.clone(),
        several => {
            let several: Vec<&Value> = several.iter().map(|schema| schema.schema).collect();
            json!({ "allOf": several })
        }
    }
}

/// A reference with nothing but annotations beside it. `allOf` with one member that is a reference is written for
/// the sake of what stands beside it.
fn reference_alone(keywords: Keywords<'_>) -> Option<Node> {
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

fn words(flaw: Flaw<'_>) -> String {
    match flaw {
        Flaw::Never => "takes no value at all".to_owned(),
        Flaw::Missing(reference) => format!("refers to `{reference}`, which is not there"),
        Flaw::Endless => "refers to itself, and to nothing else".to_owned(),
    }
}
