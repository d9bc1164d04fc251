//! Resolves `$ref` and `allOf` into the list of schemas that apply to a place.

use fnv::FnvHashSet;
use serde_json::Value;

use super::document::{Document, Keywords, Subschema};

/// The schemas that apply to a place together. Alternatives are not followed.
#[derive(Debug, Default)]
pub(crate) struct Resolved<'s> {
    /// Each schema, followed by the target of its `$ref` and the members of its `allOf`, without duplicates.
    pub(crate) parts: Vec<(Subschema<'s>, Keywords<'s>)>,
    /// The names of the referenced definitions.
    pub(crate) names: Vec<&'s str>,
    pub(crate) flaws: Vec<Flaw<'s>>,
}

/// A defect because of which no value is valid or a schema is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw<'s> {
    /// A schema is `false`.
    Never,
    /// A `$ref` has no target in the document.
    Missing(&'s str),
    /// References form a cycle, or a chain that is too long.
    Endless,
}

/// Maximum number of lists of alternatives with which another one is compared to find duplicates.
const MAX_COMPARED: usize = 8;
/// Maximum length of a chain of `$ref` and `allOf`.
const MAX_DEPTH: usize = 64;

impl<'s> Resolved<'s> {
    /// Returns the lists of alternatives of all schemas, `anyOf` before `oneOf`, without duplicates.
    pub(crate) fn alternatives(&self) -> Vec<Vec<Subschema<'s>>> {
        let mut found: Vec<(&'s [Value], Subschema<'s>)> = Vec::new();
        for (part, keywords) in self.parts.iter().filter(|(part, _)| !part.skips_either) {
            for branches in
                ["anyOf", "oneOf"].iter().filter_map(|key| keywords.get(*key)?.as_array())
            {
                let mut known = found.iter().take(MAX_COMPARED);
                if !branches.is_empty() && !known.any(|(known, _)| known == branches) {
                    found.push((branches, *part));
                }
            }
        }
        let of_part = |(branches, part): (&'s [Value], Subschema<'s>)| {
            branches.iter().map(|schema| Subschema { schema, is_variant: true, ..part }).collect()
        };
        found.into_iter().map(of_part).collect()
    }
}

/// Resolves the schemas of one place.
pub(crate) fn resolve<'s>(document: Document<'s>, parts: &[Subschema<'s>]) -> Resolved<'s> {
    let mut resolver = Resolver {
        document,
        resolved: Resolved::default(),
        seen: FnvHashSet::default(),
        open: Vec::new(),
    };
    parts.iter().for_each(|part| resolver.add(*part));
    resolver.resolved
}

struct Resolver<'s> {
    document: Document<'s>,
    resolved: Resolved<'s>,
    seen: FnvHashSet<(*const Value, bool)>,
    /// The schemas on the path to the current one.
    open: Vec<*const Value>,
}

impl<'s> Resolver<'s> {
    fn add(&mut self, part: Subschema<'s>) {
        let keywords = match part.schema {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => return self.resolved.flaws.push(Flaw::Never),
            _ => return,
        };
        let address = std::ptr::from_ref(part.schema);
        if self.open.contains(&address) || self.open.len() > MAX_DEPTH {
            return self.resolved.flaws.push(Flaw::Endless);
        }
        if !self.seen.insert((address, part.skips_either)) {
            return;
        }
        self.resolved.parts.push((part, keywords));
        self.open.push(address);
        if let Some(Value::String(reference)) = keywords.get("$ref") {
            self.follow(part, reference);
        }
        if let Some(Value::Array(schemas)) = keywords.get("allOf") {
            schemas.iter().for_each(|schema| self.add(Subschema { schema, ..part }));
        }
        self.open.pop();
    }

    fn follow(&mut self, part: Subschema<'s>, reference: &'s str) {
        let Some(schema) = self.document.target(reference) else {
            return self.resolved.flaws.push(Flaw::Missing(reference));
        };
        self.resolved.names.extend(reference.rsplit('/').next().filter(|name| *name != "#"));
        let rules = self.document.rules_of(reference).or(part.rules);
        self.add(Subschema { schema, rules, ..part });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resolved(schema: &Value) -> (usize, Vec<Flaw<'_>>) {
        let document = Document::new(schema);
        let resolved = resolve(document, &[document.subschema()]);
        (resolved.parts.len(), resolved.flaws)
    }

    #[test]
    fn schemas_come_before_what_they_refer_to() {
        let schema = json!({
            "title": "0", "$ref": "#/$defs/A", "allOf": [{ "title": "3" }, { "$ref": "#/$defs/A" }],
            "$defs": { "A": { "title": "1", "allOf": [{ "title": "2" }] } },
        });
        let document = Document::new(&schema);
        let resolved = resolve(document, &[document.subschema()]);
        let titles = resolved.parts.iter().filter_map(|(_, keywords)| keywords.get("title"));
        assert_eq!(titles.collect::<Vec<_>>(), ["0", "1", "2", "3"]);
        assert_eq!(resolved.flaws, []);
    }

    #[test]
    fn flaws_are_reported() {
        assert_eq!(resolved(&json!({ "$ref": "#" })), (1, vec![Flaw::Endless]));
        assert_eq!(resolved(&json!({ "$ref": "#/a" })), (1, vec![Flaw::Missing("#/a")]));
        assert_eq!(resolved(&json!({ "allOf": [true, false] })), (1, vec![Flaw::Never]));
    }

    #[test]
    fn work_is_bounded() {
        let twice = |n: usize| {
            let next = json!({ "$ref": format!("#/$defs/{}", n + 1) });
            (n.to_string(), json!({ "allOf": [next, next] }))
        };
        let definitions: serde_json::Map<_, _> = (0..60).map(twice).collect();
        let schema = json!({ "$ref": "#/$defs/0", "$defs": definitions });
        let (parts, flaws) = resolved(&schema);
        assert!(parts < 200 && flaws.contains(&Flaw::Endless), "{parts} {flaws:?}");
    }
}
