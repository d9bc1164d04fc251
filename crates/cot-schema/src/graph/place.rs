//! Merges the constraints of all schemas that apply to one place.

use fnv::FnvHashMap;
use serde_json::{Map, Value};

use super::{
    choice::{self, Product},
    document::{Document, Keywords, Subschema},
    node::Types,
    resolve::{Flaw, resolve},
};
use crate::type_rules::TypeRules;

/// The merged constraints of a place.
#[derive(Debug)]
pub struct Place<'s> {
    parts: Vec<(Subschema<'s>, Keywords<'s>)>,
    pub flaws: Vec<Flaw<'s>>,
    /// The names of the types.
    pub titles: Vec<&'s str>,
    pub types: Types,
    /// Whether null is accepted, by `type` or by the `nullable` of OpenAPI.
    pub is_nullable: bool,
    /// The values that `enum` and `const` allow.
    pub options: Option<Vec<&'s Value>>,
    /// The rules of the types that apply.
    pub rules: Vec<&'s TypeRules>,
    pub properties: Vec<(&'s str, Vec<Subschema<'s>>)>,
    /// The position of each property in `properties`.
    positions: FnvHashMap<&'s str, usize>,
    pub required: Vec<&'s str>,
    pub others: Vec<Subschema<'s>>,
    pub is_closed: bool,
    /// Whether other members of any kind are explicitly allowed.
    pub is_open: bool,
    pub patterns: Vec<(&'s str, Subschema<'s>)>,
    pub keys: Vec<Subschema<'s>>,
    pub prefix: Vec<Vec<Subschema<'s>>>,
    pub items: Vec<Subschema<'s>>,
    pub alternatives: Vec<Vec<Subschema<'s>>>,
}

/// Maximum number of combinations of alternatives.
const MAX_CASES: usize = 256;

impl<'s> Place<'s> {
    /// Resolves the schemas of a place and merges their constraints.
    pub fn new(document: Document<'s>, parts: &[Subschema<'s>]) -> Self {
        let resolved = resolve(document, parts);
        let alternatives = resolved.alternatives();
        let is_never = resolved.flaws.contains(&Flaw::Never);
        let mut place = Self {
            parts: Vec::new(),
            flaws: resolved.flaws,
            titles: resolved.names,
            types: if is_never { Types::NONE } else { Types::ALL },
            is_nullable: !is_never,
            options: None,
            rules: Vec::new(),
            properties: Vec::new(),
            positions: FnvHashMap::default(),
            required: Vec::new(),
            others: Vec::new(),
            is_closed: false,
            is_open: false,
            patterns: Vec::new(),
            keys: Vec::new(),
            prefix: Vec::new(),
            items: Vec::new(),
            alternatives,
        };
        for (part, keywords) in &resolved.parts {
            place.titles.extend(keywords.get("title").and_then(Value::as_str));
            place.rules.extend(part.rules);
            place.add_values(keywords);
            place.add_object(keywords, *part);
            place.add_list(keywords, *part);
        }
        place.parts = resolved.parts;
        place
    }

    fn add_values(&mut self, keywords: Keywords<'s>) {
        let named = |value: &Value| value.as_str().map_or(Types::NONE, Types::from_name);
        let types = match keywords.get("type") {
            Some(Value::Array(names)) => names.iter().map(named).fold(Types::NONE, Types::or),
            Some(name) => named(name),
            None => Types::ALL,
        };
        self.types = self.types.and(types);
        let says_nullable = keywords.get("nullable") == Some(&Value::Bool(true));
        self.is_nullable &= says_nullable || types.contains(Types::NULL);
        let constant = keywords.get("const").map(|value| vec![value]);
        let listed = keywords.get("enum").and_then(Value::as_array);
        for options in constant.into_iter().chain(listed.map(|all| all.iter().collect())) {
            match &mut self.options {
                Some(known) => known.retain(|value| options.contains(value)),
                None => self.options = Some(options),
            }
        }
    }

    fn add_object(&mut self, keywords: Keywords<'s>, part: Subschema<'s>) {
        let inner = |schema| inner(schema, part);
        for (name, schema) in members(keywords, "properties") {
            let position = *self.positions.entry(name).or_insert(self.properties.len());
            match self.properties.get_mut(position) {
                Some((_, schemas)) => schemas.push(inner(schema)),
                None => self.properties.push((name, vec![inner(schema)])),
            }
        }
        self.required.extend(list(keywords, "required").filter_map(Value::as_str));
        self.patterns
            .extend(members(keywords, "patternProperties").map(|(key, s)| (key, inner(s))));
        self.keys.extend(keywords.get("propertyNames").map(inner));
        for key in ["additionalProperties", "unevaluatedProperties"] {
            match keywords.get(key) {
                Some(Value::Bool(false)) => self.is_closed = true,
                Some(Value::Bool(true)) => self.is_open = true,
                Some(schema @ Value::Object(_)) => self.others.push(inner(schema)),
                _ => {}
            }
        }
    }

    fn add_list(&mut self, keywords: Keywords<'s>, part: Subschema<'s>) {
        // Older drafts write a tuple as a list of `items`.
        let places = list(keywords, "prefixItems").chain(list(keywords, "items"));
        for (position, schema) in places.enumerate() {
            match self.prefix.get_mut(position) {
                Some(schemas) => schemas.push(inner(schema, part)),
                None => self.prefix.push(vec![inner(schema, part)]),
            }
        }
        let single = |key| keywords.get(key).filter(|schema| !schema.is_array());
        let items = single("items").or_else(|| single("additionalItems"));
        self.items.extend(items.map(|schema| inner(schema, part)));
    }

    /// Returns the values of a keyword in all schemas that have it.
    pub fn keyword_values(&self, keyword: &str) -> impl Iterator<Item = &'s Value> {
        self.parts.iter().filter_map(move |(_, keywords)| keywords.get(keyword))
    }

    /// Returns whether any schema has one of these keywords.
    pub fn has_any_keyword(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.keyword_values(keyword).next().is_some())
    }

    /// Returns the keywords of each schema.
    pub fn keywords(&self) -> impl Iterator<Item = Keywords<'s>> {
        self.parts.iter().map(|(_, keywords)| *keywords)
    }

    /// Returns the effective lower limit of a keyword such as `minItems`: the maximum over all schemas, or
    /// 0.
    pub fn lower_limit(&self, keyword: &str) -> u64 {
        self.keyword_values(keyword).filter_map(count).max().unwrap_or(0)
    }

    /// Returns the effective upper limit of a keyword such as `maxItems`: the minimum over all schemas.
    pub fn upper_limit(&self, keyword: &str) -> Option<u64> {
        self.keyword_values(keyword).filter_map(count).min()
    }

    /// Takes the alternatives and combines them into cases. `base` applies in every case.
    pub fn take_cases(&mut self, base: Vec<Subschema<'s>>) -> Product<'s> {
        choice::product(base, std::mem::take(&mut self.alternatives), MAX_CASES)
    }
}

/// Creates the subschema of a member or item.
fn inner<'s>(schema: &'s Value, part: Subschema<'s>) -> Subschema<'s> {
    // The fields of a variant can be in a nested object.
    let rules = if part.is_variant { part.rules } else { None };
    Subschema { rules, ..Subschema::new(schema) }
}

/// Reads a non-negative integer, which may be written with a fraction of zero.
fn count(limit: &Value) -> Option<u64> {
    let whole = |limit: f64| (limit.fract() == 0.0 && limit >= 0.0).then_some(limit as u64);
    limit.as_u64().or_else(|| limit.as_f64().and_then(whole))
}

fn list<'s>(keywords: Keywords<'s>, key: &str) -> impl Iterator<Item = &'s Value> + use<'s> {
    keywords.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn members<'s>(
    keywords: Keywords<'s>,
    key: &str,
) -> impl Iterator<Item = (&'s str, &'s Value)> + use<'s> {
    let members: Option<&'s Map<String, Value>> = keywords.get(key).and_then(Value::as_object);
    members.into_iter().flatten().map(|(key, schema)| (key.as_str(), schema))
}
