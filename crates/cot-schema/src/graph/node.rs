//! The nodes of a compiled schema, with the data that coercion needs.

use fnv::FnvHashMap;
use jsonschema::Validator;
use serde_json::Value;

use super::names::{NameLookup, Names, same_name};

/// The position of a node in its graph.
pub type NodeId = usize;

/// The values that a place accepts.
#[derive(Debug)]
pub struct Node {
    /// The names of the types.
    pub titles: Vec<String>,
    pub types: Types,
    pub options: Option<Options>,
    pub objects: Objects,
    pub lists: Lists,
    /// The validator of the bounds and patterns of strings and numbers.
    pub checks: Option<Box<Validator>>,
    /// Whether strings have a `pattern` or `format`, so that surrounding white space is not part of them.
    pub has_text_form: bool,
    /// Whether numbers are also accepted as strings of digits, as decimal types do.
    pub is_decimal: bool,
    pub either: Option<Either>,
    /// Whether any value is accepted.
    pub is_anything: bool,
}

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(u8);

/// The values of an `enum` or `const`.
#[derive(Debug, Default)]
pub struct Options {
    pub values: Vec<Value>,
    /// The names of the values that are strings.
    pub names: Names,
}

/// The members of objects.
#[derive(Debug, Default)]
pub struct Objects {
    pub properties: Vec<Property>,
    /// The number of required properties.
    pub required: usize,
    pub by_name: FnvHashMap<String, usize>,
    pub names: Names,
    pub others: Others,
    /// The nodes of `patternProperties`, with validators of the keys.
    pub patterns: Vec<(Validator, NodeId)>,
    pub keys: Option<NodeId>,
    /// Whether the schema explicitly allows members of any kind.
    pub is_open: bool,
}

/// A member that the schema names.
#[derive(Debug)]
pub struct Property {
    pub name: String,
    pub node: NodeId,
    pub is_required: bool,
    pub allows_loss: bool,
}

/// The members that the schema does not name.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    #[default]
    Open,
    Closed,
    Schema(NodeId),
}

/// The items of lists.
#[derive(Debug, Default)]
pub struct Lists {
    pub prefix: Vec<NodeId>,
    pub items: Option<NodeId>,
    pub min: u64,
    pub max: Option<u64>,
}

/// A choice between several nodes.
#[derive(Debug, Default)]
pub struct Either {
    pub branches: Vec<NodeId>,
    /// The names of the branches.
    pub labels: Vec<Label>,
    pub names: Names,
    /// The properties that hold the name of the variant.
    pub tags: Vec<String>,
    /// Whether a branch accepts any string.
    pub takes_text: bool,
}

/// The name of a variant and its representation.
#[derive(Debug)]
pub struct Label {
    pub branch: NodeId,
    pub name: String,
    pub form: LabelForm,
}

/// The position of the name of a variant.
#[derive(Debug)]
pub enum LabelForm {
    /// The name is the value.
    Unit,
    /// The name is the only key of an object.
    Key,
    /// The name is the value of the property `tag`. An adjacently tagged variant has its fields in
    /// `content`.
    Tag { tag: String, content: Option<String> },
}

impl Types {
    pub const NONE: Self = Self(0);
    pub const NULL: Self = Self(1);
    pub const BOOL: Self = Self(2);
    pub const INTEGER: Self = Self(4);
    /// All numbers, integers included.
    pub const NUMBER: Self = Self(8 | 4);
    pub const TEXT: Self = Self(16);
    pub const LIST: Self = Self(32);
    pub const OBJECT: Self = Self(64);
    pub const ALL: Self = Self(127);

    pub fn from_name(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::TEXT,
            "array" => Self::LIST,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    pub fn from_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOL,
            Value::Number(number) if number.is_i64() || number.is_u64() => Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::TEXT,
            Value::Array(_) => Self::LIST,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns whether this set contains all types of another.
    pub const fn contains(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }
}

impl Node {
    /// Creates a node that accepts any value.
    pub fn anything() -> Self {
        Self {
            titles: Vec::new(),
            types: Types::ALL,
            options: None,
            objects: Objects::default(),
            lists: Lists::default(),
            checks: None,
            has_text_form: false,
            is_decimal: false,
            either: None,
            is_anything: true,
        }
    }

    /// Returns a number as a string of its digits if the node accepts both forms of it.
    pub fn to_digits(&self, value: &Value) -> Option<Value> {
        if !self.is_decimal || !value.is_number() {
            return None;
        }
        let digits = Value::String(value.to_string());
        (self.satisfies_checks(value) && self.satisfies_checks(&digits)).then_some(digits)
    }

    /// Returns whether objects are maps: without properties, and with members of a single schema or of any
    /// kind.
    pub fn is_map(&self) -> bool {
        let is_free = || {
            self.objects.is_open
                && self.objects.properties.is_empty()
                && self.objects.others == Others::Open
        };
        self.types.contains(Types::OBJECT) && (self.objects.is_map() || is_free())
    }

    /// Returns whether a string or number satisfies the bounds and patterns.
    pub fn satisfies_checks(&self, value: &Value) -> bool {
        self.checks.as_ref().is_none_or(|checks| checks.is_valid(value))
    }
}

impl Objects {
    pub fn property(&self, key: &str) -> Option<(usize, &Property)> {
        let index = *self.by_name.get(key)?;
        Some((index, self.properties.get(index)?))
    }

    /// Returns whether a key names a property, exactly or tolerantly.
    pub fn has_property(&self, key: &str) -> bool {
        self.by_name.contains_key(key) || self.names.find_unique(key).is_some()
    }

    /// Returns whether the schema has no properties but a schema for all members, or for keys that match a
    /// pattern.
    pub fn is_map(&self) -> bool {
        self.properties.is_empty()
            && (matches!(self.others, Others::Schema(_)) || !self.patterns.is_empty())
    }
}

impl Lists {
    /// Returns the node of the item at an index.
    pub fn item(&self, index: usize) -> Option<NodeId> {
        self.prefix.get(index).copied().or(self.items)
    }

    pub fn allows_len(&self, count: usize) -> bool {
        let count = count as u64;
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }
}

impl Either {
    /// Returns the branch whose tag or key an object contains, if it is unambiguous.
    pub fn find_branch(&self, value: &Value) -> Option<&Label> {
        let members = value.as_object()?;
        for tag in &self.tags {
            let exact = members.get(tag);
            let given =
                exact.or_else(|| Some(members.iter().find(|(key, _)| same_name(key, tag))?.1));
            let Some(name) = given.and_then(Value::as_str) else { continue };
            let has_tag = |label: &&Label| matches!(&label.form, LabelForm::Tag { tag: own, .. } if own == tag);
            if let Some(label) = only(self.labels_named(name).into_iter().filter(has_tag)) {
                return Some(label);
            }
        }
        let key = members.keys().next().filter(|_| members.len() == 1)?;
        let is_key = |label: &&Label| matches!(label.form, LabelForm::Key);
        only(self.labels_named(key).into_iter().filter(is_key))
    }

    /// Returns the labels with a name, looked up tolerantly.
    pub fn labels_named(&self, name: &str) -> Vec<&Label> {
        let found = match self.names.find(name) {
            NameLookup::Nothing => Vec::new(),
            NameLookup::One(found) => vec![found.index],
            NameLookup::Several(several) => several,
        };
        found.into_iter().filter_map(|index| self.labels.get(index)).collect()
    }
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
