//! A schema becomes nodes.

use std::collections::VecDeque;

use fnv::FnvHashMap;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::{
    draft::{Document, Draft, Item},
    graph::SchemaGraph,
    label,
    names::Names,
    node::{Either, Lists, Node, NodeId, Objects, Options, Others, Property, Types},
};
use crate::{type_rules::TypeRules, validate::validator};

/// Most nodes of one schema. What goes beyond takes whatever there is.
const MAX_NODES: usize = 20_000;
/// Most branches that alternatives come to when they stand side by side.
const MAX_BRANCHES: usize = 256;
/// The node that takes whatever there is.
const ANYTHING: NodeId = 0;

impl SchemaGraph {
    /// Compiles a schema. The rules named `N` apply to `#/$defs/N`, and those named `root` to the schema
    /// itself.
    pub fn compile(schema: &Value, rules: &[TypeRules], root: Option<&str>) -> Self {
        let (nodes, root) = compile(schema, rules, root);
        Self { nodes, root }
    }
}

/// Compiles a schema; the root is the second node.
fn compile(schema: &Value, rules: &[TypeRules], root: Option<&str>) -> (Vec<Node>, NodeId) {
    let root_rules = root.and_then(|name| rules.iter().find(|rules| rules.name == name));
    let mut builder = Builder {
        document: Document { schema, rules, root: root_rules },
        nodes: vec![Node::anything()],
        known: FnvHashMap::default(),
        waiting: VecDeque::new(),
    };
    let root = Item { schema, rules: root_rules, is_variant: false, skips_either: false };
    let root = builder.node(vec![root]);
    // A queue, since schemas can refer to each other to any depth.
    while let Some((id, items)) = builder.waiting.pop_front() {
        let node = builder.build(&items);
        if let Some(place) = builder.nodes.get_mut(id) {
            *place = node;
        }
    }
    label::add(&mut builder.nodes, rules);
    (builder.nodes, root)
}

struct Builder<'s> {
    document: Document<'s>,
    nodes: Vec<Node>,
    known: FnvHashMap<Vec<Key>, NodeId>,
    waiting: VecDeque<(NodeId, Vec<Item<'s>>)>,
}

/// What makes two places the same.
type Key = (usize, usize, bool, bool);

impl<'s> Builder<'s> {
    /// The node for a place to which these schemas apply.
    fn node(&mut self, items: Vec<Item<'s>>) -> NodeId {
        let mut key: Vec<Key> = items.iter().map(key_of).collect();
        key.sort_unstable();
        key.dedup();
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        if self.nodes.len() >= MAX_NODES {
            return ANYTHING;
        }
        let id = self.nodes.len();
        self.nodes.push(Node::anything());
        self.known.insert(key, id);
        self.waiting.push_back((id, items));
        id
    }

    /// The node for what may be absent.
    fn optional(&mut self, items: Vec<Item<'s>>) -> Option<NodeId> {
        (!items.is_empty()).then(|| self.node(items))
    }

    fn build(&mut self, items: &[Item<'s>]) -> Node {
        let mut draft = Draft::of(self.document, items);
        let either = self.either(&mut draft, items);
        let checks = checks(&draft);
        if let Some(options) = &draft.options {
            let types = options.iter().map(|option| Types::of(option)).fold(Types::NONE, Types::or);
            draft.types = draft.types.and(types);
        }
        let is_anything = either.is_none() && checks.is_none() && draft.is_bare();
        Node {
            is_anything,
            titles: draft.titles.iter().map(|title| (*title).to_owned()).collect(),
            types: draft.types,
            options: options(&draft),
            checks,
            has_text_form: draft.has_text_form,
            is_decimal: is_decimal(&draft),
            either,
            lists: self.lists(&mut draft),
            objects: self.objects(draft),
        }
    }

    /// The alternatives, each with what applies to all of them.
    fn either(&mut self, draft: &mut Draft<'s>, items: &[Item<'s>]) -> Option<Either> {
        if draft.alternatives.is_empty() {
            return None;
        }
        let base: Vec<_> = items.iter().map(|item| Item { skips_either: true, ..*item }).collect();
        let is_bare = draft.is_bare();
        let mut combined = vec![if is_bare { Vec::new() } else { base }];
        for branches in std::mem::take(&mut draft.alternatives) {
            if combined.len() * branches.len() > MAX_BRANCHES && combined.len() > 1 {
                draft.is_unsure = true;
                continue;
            }
            let with = |known: &Vec<Item<'s>>| {
                let known = known.clone();
                branches.iter().map(move |branch| [known.as_slice(), &[*branch]].concat()).collect()
            };
            combined = combined.iter().flat_map::<Vec<_>, _>(with).collect();
        }
        let branches = combined.into_iter().map(|items| self.node(items)).collect();
        Some(Either { branches, ..Either::default() })
    }

    fn lists(&mut self, draft: &mut Draft<'s>) -> Lists {
        let prefix = std::mem::take(&mut draft.prefix);
        Lists {
            prefix: prefix.into_iter().map(|item| self.node(vec![item])).collect(),
            items: self.optional(std::mem::take(&mut draft.items)),
            min: draft.min_items,
            max: draft.max_items,
        }
    }

    fn objects(&mut self, draft: Draft<'s>) -> Objects {
        let mut objects = Objects { is_open: draft.is_open, ..Objects::default() };
        for (index, (name, schemas)) in draft.properties.into_iter().enumerate() {
            objects.by_name.insert(name.to_owned(), index);
            objects.names.add(index, name, false);
            let mut allows_loss = false;
            for (aliases, is_lossy) in said_of(&draft.rules, name) {
                allows_loss |= is_lossy;
                aliases.iter().for_each(|alias| objects.names.add(index, alias, true));
            }
            let is_required = draft.required.contains(&name);
            objects.required += usize::from(is_required);
            let node = self.node(schemas);
            objects.properties.push(Property {
                name: name.to_owned(),
                node,
                is_required,
                allows_loss,
            });
        }
        objects.others = match self.optional(draft.others) {
            _ if draft.is_unsure => Others::Open,
            _ if draft.is_closed => Others::Closed,
            Some(node) => Others::Of(node),
            None => Others::Open,
        };
        for (pattern, item) in draft.patterns {
            match validator::compile(&json!({ "pattern": pattern })) {
                Ok(validator) => objects.patterns.push((validator, self.node(vec![item]))),
                Err(_) => objects.others = Others::Open,
            }
        }
        objects.keys = self.optional(draft.keys);
        objects
    }
}

fn key_of(item: &Item<'_>) -> Key {
    let rules = item.rules.map_or(0, |rules| std::ptr::from_ref(rules) as usize);
    (std::ptr::from_ref(item.schema) as usize, rules, item.is_variant, item.skips_either)
}

/// The aliases of a property, and whether it may lose something.
fn said_of(rules: &[&TypeRules], name: &str) -> Vec<(&'static [&'static str], bool)> {
    let mut said = Vec::new();
    for rules in rules {
        let fields = rules.fields.iter().filter(|field| field.name == name);
        said.extend(fields.map(|field| (field.aliases, field.allow_loss)));
        let variants = rules.variants.iter().filter(|variant| variant.name == name);
        said.extend(variants.map(|variant| (variant.aliases, false)));
    }
    said
}

/// Whether a place takes numbers, and texts of a certain form: those of numbers.
fn is_decimal(draft: &Draft<'_>) -> bool {
    let types = draft.types.without(Types::NULL);
    types == Types::NUMBER.or(Types::TEXT)
        && draft.options.is_none()
        && draft.alternatives.is_empty()
        && draft.checks.iter().any(|checks| checks.contains_key("pattern"))
}

fn options(draft: &Draft<'_>) -> Option<Options> {
    let values = draft.options.as_ref()?;
    let mut options = Options::default();
    for (index, value) in values.iter().enumerate() {
        options.values.push((*value).clone());
        let Value::String(text) = value else { continue };
        options.names.add(index, text, false);
        for variant in draft.rules.iter().flat_map(|rules| &rules.variants) {
            if variant.name == text {
                variant.aliases.iter().for_each(|alias| options.names.add(index, alias, true));
            }
        }
    }
    Some(options)
}

fn checks(draft: &Draft<'_>) -> Option<Box<Validator>> {
    if draft.checks.is_empty() || draft.types.and(Types::TEXT.or(Types::NUMBER)) == Types::NONE {
        return None;
    }
    validator::compile(&json!({ "allOf": draft.checks })).ok().map(Box::new)
}

impl Names {
    /// Adds the other names that a type gives to a variant.
    pub(super) fn add_variant(&mut self, of: usize, name: &str, rules: &[TypeRules]) {
        self.add(of, name, false);
        let variants = rules.iter().flat_map(|rules| &rules.variants);
        for variant in variants.filter(|variant| variant.name == name) {
            variant.aliases.iter().for_each(|alias| self.add(of, alias, true));
        }
    }
}
