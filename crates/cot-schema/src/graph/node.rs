//! A schema, compiled for coercion: what each of its places takes.

use fnv::FnvHashMap;
use jsonschema::Validator;
use serde_json::Value;

use super::names::Names;

/// Position of a node.
pub(super) type NodeId = usize;

/// What a place of a schema takes.
#[derive(Debug)]
pub(super) struct Node {
    /// What it is called: the names of types.
    pub(super) titles: Vec<String>,
    pub(super) types: Types,
    pub(super) options: Option<Options>,
    pub(super) objects: Objects,
    pub(super) lists: Lists,
    /// The bounds and patterns of texts and numbers.
    pub(super) checks: Option<Box<Validator>>,
    /// Whether a text has a form, to which no white space around it belongs.
    pub(super) has_text_form: bool,
    /// Whether it takes numbers as texts of their digits too, as types of decimal numbers do.
    pub(super) is_decimal: bool,
    pub(super) either: Option<Either>,
    /// Whether it takes whatever there is.
    pub(super) is_anything: bool,
}

/// JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

/// The values of an enum or constant.
#[derive(Debug, Default)]
pub(super) struct Options {
    pub(super) values: Vec<Value>,
    /// Of those that are text.
    pub(super) names: Names,
}

/// Which members an object has.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) properties: Vec<Property>,
    /// How many of them an object must have.
    pub(super) required: usize,
    pub(super) by_name: FnvHashMap<String, usize>,
    pub(super) names: Names,
    pub(super) others: Others,
    /// By the form of the key.
    pub(super) patterns: Vec<(Validator, NodeId)>,
    pub(super) keys: Option<NodeId>,
    /// Whether it is said that there may be members of any kind.
    pub(super) is_open: bool,
}

/// A member that a schema names.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) node: NodeId,
    pub(super) is_required: bool,
    pub(super) allows_loss: bool,
}

/// Members that a schema does not name.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    #[default]
    Open,
    Closed,
    Of(NodeId),
}

/// Which items a list has.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) prefix: Vec<NodeId>,
    pub(super) items: Option<NodeId>,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

/// Several nodes, one of which is meant.
#[derive(Debug, Default)]
pub(super) struct Either {
    pub(super) branches: Vec<NodeId>,
    /// What the branches are called.
    pub(super) labels: Vec<Label>,
    pub(super) names: Names,
    /// The properties that tell the branches apart.
    pub(super) tags: Vec<String>,
    /// Whether one of them takes any text.
    pub(super) takes_text: bool,
}

/// The name of a variant, and how it is written.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) branch: NodeId,
    pub(super) name: String,
    pub(super) form: LabelForm,
}

/// Where the name of a variant stands.
#[derive(Debug)]
pub(super) enum LabelForm {
    /// It is the value.
    Unit,
    /// It is the one key of an object.
    Key,
    /// It is the value of a property; of an adjacent one, the rest lies in another property.
    Tag { tag: String, content: Option<String> },
}

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOL: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    /// With whole numbers.
    pub(super) const NUMBER: Self = Self(8 | 4);
    pub(super) const TEXT: Self = Self(16);
    pub(super) const LIST: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    pub(super) fn of_name(name: &str) -> Self {
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

    pub(super) fn of(value: &Value) -> Self {
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

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Whether these hold all of others.
    pub(super) const fn have(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }
}

impl Node {
    /// A node that takes whatever there is.
    pub(super) fn anything() -> Self {
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
    pub(super) fn digits_of(&self, value: &Value) -> Option<Value> {
        if !self.is_decimal || !value.is_number() {
            return None;
        }
        let digits = Value::String(value.to_string());
        (self.passes(value) && self.passes(&digits)).then_some(digits)
    }

    /// Whether a text or number is within its bounds.
    pub(super) fn passes(&self, value: &Value) -> bool {
        self.checks.as_ref().is_none_or(|checks| checks.is_valid(value))
    }
}

impl Objects {
    pub(super) fn property(&self, key: &str) -> Option<(usize, &Property)> {
        let index = *self.by_name.get(key)?;
        Some((index, self.properties.get(index)?))
    }

    /// Whether a key is that of a property, maybe written otherwise.
    pub(super) fn knows(&self, key: &str) -> bool {
        self.by_name.contains_key(key) || self.names.one(key).is_some()
    }

    /// Whether all members are of one kind, whatever their keys.
    pub(super) fn is_map(&self) -> bool {
        self.properties.is_empty()
            && (matches!(self.others, Others::Of(_)) || !self.patterns.is_empty())
    }
}

impl Lists {
    /// What the item at a position is.
    pub(super) fn item(&self, index: usize) -> Option<NodeId> {
        self.prefix.get(index).copied().or(self.items)
    }

    pub(super) fn allows(&self, count: usize) -> bool {
        let count = count as u64;
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }
}
