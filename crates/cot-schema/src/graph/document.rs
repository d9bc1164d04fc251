//! Schema documents and the subschemas in them.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::type_rules::TypeRules;

/// The keywords of a schema object.
pub type Keywords<'s> = &'s Map<String, Value>;

/// A root schema, into which references are resolved, with the rules of its types.
#[derive(Debug, Clone, Copy)]
pub struct Document<'s> {
    schema: &'s Value,
    rules: &'s [TypeRules],
    /// The rules of the type at the root.
    root: Option<&'s TypeRules>,
}

/// A schema within a document, with the rules that apply to it.
#[derive(Debug, Clone, Copy)]
pub struct Subschema<'s> {
    pub schema: &'s Value,
    /// The rules of the type that contains the schema.
    pub rules: Option<&'s TypeRules>,
    /// Whether the schema is a variant of that type.
    pub is_variant: bool,
    /// Whether `anyOf` and `oneOf` are ignored, because the caller handles them.
    pub skips_either: bool,
}

impl<'s> Document<'s> {
    pub const fn new(schema: &'s Value) -> Self {
        Self { schema, rules: &[], root: None }
    }

    /// Creates a document with rules of types. Those named `N` apply to `#/$defs/N`, and those named `root`
    /// to the schema itself.
    pub fn with_rules(schema: &'s Value, rules: &'s [TypeRules], root: Option<&str>) -> Self {
        let root = root.and_then(|name| rules.iter().find(|rules| rules.name == name));
        Self { schema, rules, root }
    }

    /// Returns the root schema.
    pub const fn schema(&self) -> &'s Value {
        self.schema
    }

    /// Returns the root schema with the rules of the root type.
    pub const fn subschema(&self) -> Subschema<'s> {
        Subschema { rules: self.root, ..Subschema::new(self.schema) }
    }

    /// Resolves a `$ref` within this document. The reference may be percent-encoded.
    pub fn target(&self, reference: &str) -> Option<&'s Value> {
        let pointer = reference.strip_prefix('#')?;
        self.schema.pointer(pointer).or_else(|| self.schema.pointer(&percent_decoded(pointer)))
    }

    /// Returns the rules of the type that a `$ref` refers to.
    pub(super) fn rules_of(&self, reference: &str) -> Option<&'s TypeRules> {
        if reference == "#" {
            return self.root;
        }
        let name = reference.rsplit('/').next()?;
        self.rules.iter().find(|rules| rules.name == name)
    }
}

impl<'s> Subschema<'s> {
    /// Creates a subschema without rules.
    pub const fn new(schema: &'s Value) -> Self {
        Self { schema, rules: None, is_variant: false, skips_either: false }
    }

    /// Ignores `anyOf` and `oneOf` of the schema.
    pub const fn without_either(self) -> Self {
        Self { skips_either: true, ..self }
    }
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex =
            after.get(..2).filter(|_| *first == b'%').and_then(|hex| str::from_utf8(hex).ok());
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_may_be_percent_encoded() {
        let root = json!({ "$defs": { "A<B>": 1, "a/b": 2, "a%20b": 3, "c d": 4 } });
        let target = |reference| Document::new(&root).target(reference);
        assert_eq!(target("#/$defs/A%3CB%3E"), Some(&json!(1)));
        assert_eq!(target("#/$defs/a~1b"), Some(&json!(2)));
        assert_eq!(target("#/$defs/a%20b"), Some(&json!(3)));
        assert_eq!(target("#/$defs/c%20d"), Some(&json!(4)));
        assert_eq!(target("#"), Some(&root));
        assert_eq!(target("http://elsewhere"), None);
        assert_eq!(percent_decoded("100%, %4"), "100%, %4");
    }
}
