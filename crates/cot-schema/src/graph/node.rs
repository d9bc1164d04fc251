//! A schema, compiled for coercion: what each of its places takes.

use fnv::FnvHashMap;
use jsonschema::Validator;
use serde_json::Value;

use super::names::{Found, Names, same_name};

/// Position of a node.
pub type NodeId = usize;

/// What a place of a schema takes.
#[derive(Debug)]
pub struct Node {
    /// What it is called: the names of types.
    pub titles: Vec<String>,
    pub types: Types,
    pub options: Option<Options>,
    pub objects: Objects,
    pub lists: Lists,
    /// The bounds and patterns of texts and numbers.
    pub checks: Option<Box<Validator>>,
    /// Whether a text has a form, to which no white space around it belongs.
    pub has_text_form: bool,
    /// Whether it takes numbers as texts of their digits too, as types of decimal numbers do.
    pub is_decimal: bool,
    pub either: Option<Either>,
    /// Whether it takes whatever there is.
    pub is_anything: bool,
}

/// JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(u8);

/// The values of an enum or constant.
#[derive(Debug, Default)]
pub struct Options {
    pub values: Vec<Value>,
    /// Of those that are text.
    pub names: Names,
}

/// Which members an object has.
#[derive(Debug, Default)]
pub struct Objects {
    pub properties: Vec<Property>,
    /// How many of them an object must have.
    pub required: usize,
    pub by_name: FnvHashMap<String, usize>,
    pub names: Names,
    pub others: Others,
    /// By the form of the key.
    pub patterns: Vec<(Validator, NodeId)>,
    pub keys: Option<NodeId>,
    /// Whether it is said that there may be members of any kind.
    pub is_open: bool,
}

/// A member that a schema names.
#[derive(Debug)]
pub struct Property {
    pub name: String,
    pub node: NodeId,
    pub is_required: bool,
    pub allows_loss: bool,
}

/// Members that a schema does not name.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    #[default]
    Open,
    Closed,
    Of(NodeId),
}

/// Which items a list has.
#[derive(Debug, Default)]
pub struct Lists {
    pub prefix: Vec<NodeId>,
    pub items: Option<NodeId>,
    pub min: u64,
    pub max: Option<u64>,
}

/// Several nodes, one of which is meant.
#[derive(Debug, Default)]
pub struct Either {
    pub branches: Vec<NodeId>,
    /// What the branches are called.
    pub labels: Vec<Label>,
    pub names: Names,
    /// The properties that tell the branches apart.
    pub tags: Vec<String>,
    /// Whether one of them takes any text.
    pub takes_text: bool,
}

/// The name of a variant, and how it is written.
#[derive(Debug)]
pub struct Label {
    pub branch: NodeId,
    pub name: String,
    pub form: LabelForm,
}

/// Where the name of a variant stands.
#[derive(Debug)]
pub enum LabelForm {
    /// It is the value.
    Unit,
    /// It is the one key of an object.
    Key,
    /// It is the value of a property; of an adjacent one, the rest lies in another property.
    Tag { tag: String, content: Option<String> },
}

impl Types {
    pub const NONE: Self = Self(0);
    pub const NULL: Self = Self(1);
    pub const BOOL: Self = Self(2);
    pub const INTEGER: Self = Self(4);
    /// With whole numbers.
    pub const NUMBER: Self = Self(8 | 4);
    pub const TEXT: Self = Self(16);
    pub const LIST: Self = Self(32);
    pub const OBJECT: Self = Self(64);
    pub const ALL: Self = Self(127);

    pub fn of_name(name: &str) -> Self {
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

    pub fn of(value: &Value) -> Self {
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

    /// Whether these hold all of others.
    pub const fn have(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }
}

impl Node {
    /// A node that takes whatever there is.
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

    /// A number as the text of its digits, where the place takes both.
    pub fn digits_of(&self, value: &Value) -> Option<Value> {
        if !self.is_decimal || !value.is_number() {
            return None;
        }
        let digits = Value::String(value.to_string());
        (self.passes(value) && self.passes(&digits)).then_some(digits)
    }

    /// Whether it takes maps alone: members of one kind, or of any, whatever their keys.
    pub fn is_map(&self) -> bool {
        let is_free = || {
            self.objects.is_open
                && self.objects.properties.is_empty()
                && self.objects.others == Others::Open
        };
        self.types.have(Types::OBJECT) && (self.objects.is_map() || is_free())
    }

    /// Whether a text or number is within its bounds.
    pub fn passes(&self, value: &Value) -> bool {
        self.checks.as_ref().is_none_or(|checks| checks.is_valid(value))
    }
}

impl Objects {
    pub fn property(&self, key: &str) -> Option<(usize, &Property)> {
        let index = *self.by_name.get(key)?;
        Some((index, self.properties.get(index)?))
    }

    /// Whether a key is that of a property, maybe written otherwise.
    pub fn knows(&self, key: &str) -> bool {
        self.by_name.contains_key(key) || self.names.one(key).is_some()
    }

    /// Whether all members are of one kind, whatever their keys.
    pub fn is_map(&self) -> bool {
        self.properties.is_empty()
            && (matches!(self.others, Others::Of(_)) || !self.patterns.is_empty())
    }
}

impl Lists {
    /// What the item at a position is.
    pub fn item(&self, index: usize) -> Option<NodeId> {
        self.prefix.get(index).copied().or(self.items)
    }

    pub fn allows(&self, count: usize) -> bool {
        let count = count as u64;
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }
}

impl Either {
    /// The branch that a value names.
    pub fn chosen(&self, value: &Value) -> Option<&Label> {
        let members = value.as_object()?;
        for tag in &self.tags {
            let exact = members.get(tag);
            let given =
                exact.or_else(|| Some(members.iter().find(|(key, _)| same_name(key, tag))?.1));
            let Some(name) = given.and_then(Value::as_str) else { continue };
            let has_tag = |label: &&Label| matches!(&label.form, LabelForm::Tag { tag: own, .. } if own == tag);
            if let Some(label) = only(self.named(name).into_iter().filter(has_tag)) {
                return Some(label);
            }
        }
        let key = members.keys().next().filter(|_| members.len() == 1)?;
        let is_key = |label: &&Label| matches!(label.form, LabelForm::Key);
        only(self.named(key).into_iter().filter(is_key))
    }

    /// The labels with a name.
    pub fn named(&self, name: &str) -> Vec<&Label> {
        let found = match self.names.find(name) {
            Found::Nothing => Vec::new(),
            Found::One(found) => vec![found.of],
            Found::Several(several) => several,
        };
        found.into_iter().filter_map(|of| self.labels.get(of)).collect()
    }
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
