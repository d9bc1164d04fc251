//! All that several schemas say of one place, taken together.

use serde_json::{Map, Value};

use super::node::Types;
use crate::type_rules::TypeRules;

/// A schema that applies to a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'s> {
    pub(super) schema: &'s Value,
    /// What the type says in which the schema stands.
    pub(super) rules: Option<&'s TypeRules>,
    /// Whether it is a variant of that type.
    pub(super) is_variant: bool,
    /// Whether its alternatives are dealt with elsewhere.
    pub(super) skips_either: bool,
}

/// A schema with the rules of the types in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document<'s> {
    pub(super) schema: &'s Value,
    pub(super) rules: &'s [TypeRules],
    /// The rules of the type at the root.
    pub(super) root: Option<&'s TypeRules>,
}

/// What the schemas of a place say.
#[derive(Debug)]
pub(super) struct Draft<'s> {
    pub(super) titles: Vec<&'s str>,
    pub(super) types: Types,
    pub(super) options: Option<Vec<&'s Value>>,
    /// The types whose variants the options may be.
    pub(super) rules: Vec<&'s TypeRules>,
    pub(super) properties: Vec<(&'s str, Vec<Item<'s>>)>,
    pub(super) required: Vec<&'s str>,
    pub(super) others: Vec<Item<'s>>,
    pub(super) is_closed: bool,
    /// Whether it is said that there may be others, of any kind.
    pub(super) is_open: bool,
    /// Whether there may be more properties than are known.
    pub(super) is_unsure: bool,
    pub(super) patterns: Vec<(&'s str, Item<'s>)>,
    pub(super) keys: Vec<Item<'s>>,
    pub(super) prefix: Vec<Item<'s>>,
    pub(super) items: Vec<Item<'s>>,
    pub(super) min_items: u64,
    pub(super) max_items: Option<u64>,
    pub(super) checks: Vec<Map<String, Value>>,
    pub(super) has_text_form: bool,
    pub(super) alternatives: Vec<Vec<Item<'s>>>,
    seen: Vec<*const Value>,
}

/// The keywords that bound a text or a number.
const CHECKS: [&str; 9] = [
    "pattern",
    "format",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];

/// How many schemas lie behind each other by `$ref` and `allOf`.
const MAX_DEPTH: usize = 64;

impl<'s> Draft<'s> {
    /// Takes in what all the schemas of a place say.
    pub(super) fn of(document: Document<'s>, items: &[Item<'s>]) -> Self {
        let mut draft = Self {
            titles: Vec::new(),
            types: Types::ALL,
            options: None,
            rules: Vec::new(),
            properties: Vec::new(),
            required: Vec::new(),
            others: Vec::new(),
            is_closed: false,
            is_open: false,
            is_unsure: false,
            patterns: Vec::new(),
            keys: Vec::new(),
            prefix: Vec::new(),
            items: Vec::new(),
            min_items: 0,
            max_items: None,
            checks: Vec::new(),
            has_text_form: false,
            alternatives: Vec::new(),
            seen: Vec::new(),
        };
        for item in items {
            draft.absorb(document, *item, 0);
        }
        draft
    }

    fn absorb(&mut self, document: Document<'s>, item: Item<'s>, depth: usize) {
        let schema = match item.schema {
            Value::Object(schema) => schema,
            Value::Bool(false) => return self.types = Types::NONE,
            _ => return,
        };
        let address = std::ptr::from_ref(item.schema);
        if depth > MAX_DEPTH || self.seen.contains(&address) {
            return;
        }
        self.seen.push(address);
        if let Some(target) = schema.get("$ref").and_then(Value::as_str)
            && let Some(next) = resolve(document.schema, target)
        {
            self.titles.extend(target.rsplit('/').next().filter(|name| *name != "#"));
            let rules_of_target = document.rules_of(target).or(item.rules);
            let next = Item { schema: next, rules: rules_of_target, ..item };
            self.absorb(document, next, depth + 1);
        }
        for schema in list(schema, "allOf") {
            self.absorb(document, Item { schema, ..item }, depth + 1);
        }
        self.titles.extend(schema.get("title").and_then(Value::as_str));
        self.values(schema, item);
        self.object(schema, item);
        self.list(schema, item);
        self.alternatives(schema, item);
    }

    fn values(&mut self, schema: &'s Map<String, Value>, item: Item<'s>) {
        let named = |value: &Value| value.as_str().map_or(Types::NONE, Types::of_name);
        let mut types = match schema.get("type") {
            Some(Value::Array(names)) => names.iter().map(named).fold(Types::NONE, Types::or),
            Some(name) => named(name),
            None => Types::ALL,
        };
        if schema.get("nullable") == Some(&Value::Bool(true)) {
            types = types.or(Types::NULL);
        }
        self.types = self.types.and(types);
        self.rules.extend(item.rules);
        let constant = schema.get("const").map(|value| vec![value]);
        let options = schema.get("enum").and_then(Value::as_array);
        for options in constant.into_iter().chain(options.map(|all| all.iter().collect())) {
            match &mut self.options {
                Some(known) => known.retain(|value| options.contains(value)),
                None => self.options = Some(options),
            }
        }
        let checks =
            CHECKS.iter().filter_map(|key| Some(((*key).to_owned(), schema.get(*key)?.clone())));
        let checks: Map<String, Value> = checks.collect();
        self.has_text_form |= checks.contains_key("pattern") || checks.contains_key("format");
        if !checks.is_empty() {
            self.checks.push(checks);
        }
    }

    fn object(&mut self, schema: &'s Map<String, Value>, item: Item<'s>) {
        // The fields of a variant may lie in an object of their own.
        let rules = if item.is_variant { item.rules } else { None };
        let inner = |schema| Item { schema, rules, is_variant: false, skips_either: false };
        for (name, schema) in members(schema, "properties") {
            match self.properties.iter_mut().find(|(known, _)| *known == name) {
                Some((_, schemas)) => schemas.push(inner(schema)),
                None => self.properties.push((name, vec![inner(schema)])),
            }
        }
        self.required.extend(list(schema, "required").filter_map(Value::as_str));
        self.patterns.extend(members(schema, "patternProperties").map(|(key, s)| (key, inner(s))));
        self.keys.extend(schema.get("propertyNames").map(inner));
        for key in ["additionalProperties", "unevaluatedProperties"] {
            match schema.get(key) {
                Some(Value::Bool(false)) => self.is_closed = true,
                Some(Value::Bool(true)) => self.is_open = true,
                Some(schema @ Value::Object(_)) => self.others.push(inner(schema)),
                _ => {}
            }
        }
        self.is_unsure |=
            ["if", "dependentSchemas", "not"].iter().any(|key| schema.contains_key(*key));
    }

    fn list(&mut self, schema: &'s Map<String, Value>, item: Item<'s>) {
        let rules = if item.is_variant { item.rules } else { None };
        let inner = |schema| Item { schema, rules, is_variant: false, skips_either: false };
        if self.prefix.is_empty() {
            // Older drafts write a tuple as a list of `items`.
            self.prefix =
                list(schema, "prefixItems").chain(list(schema, "items")).map(inner).collect();
        }
        let single = |key| schema.get(key).filter(|schema| !schema.is_array());
        self.items.extend(single("items").or_else(|| single("additionalItems")).map(inner));
        let limit = |key| schema.get(key).and_then(Value::as_u64);
        self.min_items = self.min_items.max(limit("minItems").unwrap_or(0));
        self.max_items = match (self.max_items, limit("maxItems")) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }

    fn alternatives(&mut self, schema: &'s Map<String, Value>, item: Item<'s>) {
        if item.skips_either {
            return;
        }
        for key in ["oneOf", "anyOf"] {
            let branches =
                list(schema, key).map(|schema| Item { schema, is_variant: true, ..item });
            let branches: Vec<_> = branches.collect();
            if !branches.is_empty() {
                self.alternatives.push(branches);
            }
        }
    }

    /// Whether nothing is said but the alternatives.
    pub(super) fn is_bare(&self) -> bool {
        self.types == Types::ALL
            && self.options.is_none()
            && self.properties.is_empty()
            && self.required.is_empty()
            && self.others.is_empty()
            && !self.is_closed
            && self.patterns.is_empty()
            && self.keys.is_empty()
            && self.prefix.is_empty()
            && self.items.is_empty()
            && self.checks.is_empty()
    }
}

impl<'s> Document<'s> {
    /// What the type says to which a reference leads.
    fn rules_of(&self, target: &str) -> Option<&'s TypeRules> {
        if target == "#" {
            return self.root;
        }
        let name = target.rsplit('/').next()?;
        self.rules.iter().find(|rules| rules.name == name)
    }
}

/// The schema that a reference within the same document leads to.
fn resolve<'s>(root: &'s Value, target: &str) -> Option<&'s Value> {
    let pointer = target.strip_prefix('#')?;
    root.pointer(pointer).or_else(|| root.pointer(&pointer.replace("%20", " ").replace("%25", "%")))
}

fn list<'s>(
    schema: &'s Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'s Value> + use<'s> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn members<'s>(
    schema: &'s Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'s str, &'s Value)> + use<'s> {
    let members = schema.get(key).and_then(Value::as_object).into_iter().flatten();
    members.map(|(key, schema)| (key.as_str(), schema))
}
