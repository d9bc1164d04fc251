//! Compiles a JSON schema into a [`SchemaGraph`].

use fnv::FnvHashSet;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::{
    document::{Document, Subschema},
    graph::SchemaGraph,
    label,
    names::Names,
    node::{Either, Lists, Node, NodeId, Objects, Options, Others, Property, Types},
    place::Place,
    places::Places,
};
use crate::{type_rules::TypeRules, validate::validator};

/// The node that accepts any value. It also replaces places beyond the limits.
const ANYTHING: NodeId = 0;

/// The keywords that constrain strings and numbers.
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

impl SchemaGraph {
    /// Compiles a schema. The rules named `N` apply to `#/$defs/N`, and those named `root` to the schema
    /// itself.
    pub fn compile(schema: &Value, rules: &[TypeRules], root: Option<&str>) -> Self {
        let document = Document::with_rules(schema, rules, root);
        let mut builder = Builder { document, places: Places::default() };
        let root = builder.node(vec![document.subschema()]);
        let mut nodes = vec![Node::anything()];
        while let Some(parts) = builder.places.pop() {
            nodes.push(builder.build(&parts));
        }
        label::add(&mut nodes, rules);
        Self { nodes, root }
    }
}

struct Builder<'s> {
    document: Document<'s>,
    places: Places<'s>,
}

impl<'s> Builder<'s> {
    /// Returns the node of the place to which these schemas apply.
    fn node(&mut self, parts: Vec<Subschema<'s>>) -> NodeId {
        self.places.insert(parts).map_or(ANYTHING, |place| place + 1)
    }

    /// Returns the node of a place, or `None` if no schema applies to it.
    fn optional(&mut self, parts: Vec<Subschema<'s>>) -> Option<NodeId> {
        (!parts.is_empty()).then(|| self.node(parts))
    }

    fn build(&mut self, parts: &[Subschema<'s>]) -> Node {
        let mut place = Place::new(self.document, parts);
        let null = if place.is_nullable { Types::NULL } else { Types::NONE };
        let mut types = place.types.or(null);
        let checks = checks(&place, types);
        let is_bare = is_bare(&place);
        let mut is_unsure = place.has_any_keyword(&["if", "dependentSchemas", "not"]);
        let either = (!place.alternatives.is_empty()).then(|| {
            let base = parts.iter().map(|part| part.without_either());
            let product = place.take_cases(if is_bare { Vec::new() } else { base.collect() });
            is_unsure |= !product.left_out.is_empty();
            let branches = product.cases.into_iter().map(|case| self.node(case)).collect();
            Either { branches, ..Either::default() }
        });
        if let Some(options) = &place.options {
            types = types
                .and(options.iter().map(|o| Types::from_value(o)).fold(Types::NONE, Types::or));
        }
        Node {
            is_anything: either.is_none() && checks.is_none() && is_bare,
            titles: place.titles.iter().map(|title| (*title).to_owned()).collect(),
            types,
            options: options(&place),
            checks,
            has_text_form: place.has_any_keyword(&["pattern", "format"]),
            is_decimal: is_decimal(&place, types),
            either,
            lists: self.lists(&mut place),
            objects: self.objects(place, is_unsure),
        }
    }

    fn lists(&mut self, place: &mut Place<'s>) -> Lists {
        let prefix = std::mem::take(&mut place.prefix);
        Lists {
            prefix: prefix.into_iter().map(|parts| self.node(parts)).collect(),
            items: self.optional(std::mem::take(&mut place.items)),
            min: place.lower_limit("minItems"),
            max: place.upper_limit("maxItems"),
        }
    }

    fn objects(&mut self, place: Place<'s>, is_unsure: bool) -> Objects {
        let mut objects = Objects { is_open: place.is_open, ..Objects::default() };
        let required: FnvHashSet<&str> = place.required.into_iter().collect();
        for (index, (name, parts)) in place.properties.into_iter().enumerate() {
            objects.by_name.insert(name.to_owned(), index);
            objects.names.add(index, name, false);
            let mut allows_loss = false;
            for (aliases, is_lossy) in aliases_of(&place.rules, name) {
                allows_loss |= is_lossy;
                aliases.iter().for_each(|alias| objects.names.add(index, alias, true));
            }
            let is_required = required.contains(name);
            objects.required += usize::from(is_required);
            let node = self.node(parts);
            objects.properties.push(Property {
                name: name.to_owned(),
                node,
                is_required,
                allows_loss,
            });
        }
        objects.others = match self.optional(place.others) {
            _ if is_unsure => Others::Open,
            _ if place.is_closed => Others::Closed,
            Some(node) => Others::Schema(node),
            None => Others::Open,
        };
        for (pattern, part) in place.patterns {
            match validator::compile(&json!({ "pattern": pattern })) {
                Ok(validator) => objects.patterns.push((validator, self.node(vec![part]))),
                Err(_) => objects.others = Others::Open,
            }
        }
        objects.keys = self.optional(place.keys);
        objects
    }
}

/// Returns whether a place has no constraints but its alternatives.
fn is_bare(place: &Place<'_>) -> bool {
    place.types == Types::ALL
        && place.options.is_none()
        && place.properties.is_empty()
        && place.required.is_empty()
        && place.others.is_empty()
        && !place.is_closed
        && place.patterns.is_empty()
        && place.keys.is_empty()
        && place.prefix.is_empty()
        && place.items.is_empty()
        && !place.has_any_keyword(&CHECKS)
}

/// Returns the aliases of a property and whether it allows loss, once for each rule that names it.
fn aliases_of(rules: &[&TypeRules], name: &str) -> Vec<(&'static [&'static str], bool)> {
    let mut found = Vec::new();
    for rules in rules {
        let fields = rules.fields.iter().filter(|field| field.name == name);
        found.extend(fields.map(|field| (field.aliases, field.allow_loss)));
        let variants = rules.variants.iter().filter(|variant| variant.name == name);
        found.extend(variants.map(|variant| (variant.aliases, false)));
    }
    found
}

/// Returns whether a place accepts numbers and strings that match a pattern, as decimal types do.
fn is_decimal(place: &Place<'_>, types: Types) -> bool {
    types.without(Types::NULL) == Types::NUMBER.or(Types::TEXT)
        && place.options.is_none()
        && place.has_any_keyword(&["pattern"])
}

fn options(place: &Place<'_>) -> Option<Options> {
    let values = place.options.as_ref()?;
    let mut options = Options::default();
    for (index, value) in values.iter().enumerate() {
        options.values.push((*value).clone());
        let Value::String(text) = value else { continue };
        options.names.add(index, text, false);
        for variant in place.rules.iter().flat_map(|rules| &rules.variants) {
            if variant.name == text {
                variant.aliases.iter().for_each(|alias| options.names.add(index, alias, true));
            }
        }
    }
    Some(options)
}

fn checks(place: &Place<'_>, types: Types) -> Option<Box<Validator>> {
    if types.and(Types::TEXT.or(Types::NUMBER)) == Types::NONE {
        return None;
    }
    let of_part = |keywords: &Map<String, Value>| -> Map<String, Value> {
        let checks = CHECKS.iter().filter_map(|key| keywords.get_key_value(*key));
        checks.map(|(key, value)| (key.clone(), value.clone())).collect()
    };
    let checks: Vec<_> =
        place.keywords().map(of_part).filter(|checks| !checks.is_empty()).collect();
    if checks.is_empty() {
        return None;
    }
    validator::compile(&json!({ "allOf": checks })).ok().map(Box::new)
}

impl Names {
    /// Adds the name of a variant and its aliases.
    pub(super) fn add_variant(&mut self, index: usize, name: &str, rules: &[TypeRules]) {
        self.add(index, name, false);
        let variants = rules.iter().flat_map(|rules| &rules.variants);
        for variant in variants.filter(|variant| variant.name == name) {
            variant.aliases.iter().for_each(|alias| self.add(index, alias, true));
        }
    }
}
