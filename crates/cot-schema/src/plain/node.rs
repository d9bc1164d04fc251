//! The view of borrowed JSON values for the validator.

use std::{borrow::Cow, slice};

use jsonschema::{
    JsonType,
    json::{Array, Json, Node, NodeIdentity, Object, cmp},
};
use serde_json::{Number, Value};

use super::plain::Plain;

/// The JSON representation of [`Plain`] values, for validators.
#[derive(Debug)]
pub struct PlainJson;

type Members<'a> = &'a [(Cow<'a, str>, Plain<'a>)];

impl Json for PlainJson {
    type Node<'a> = &'a Plain<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const KEYS_PER_LOOKUP: usize = 2;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(
        (): &mut (),
        string: &str,
        visit: impl FnOnce(Self::Node<'_>) -> T,
    ) -> T {
        visit(&Plain::Text(Cow::Borrowed(string)))
    }
}

impl<'a> Node<'a, PlainJson> for &'a Plain<'a> {
    type Object = Members<'a>;
    type Array = &'a [Plain<'a>];
    type Number = &'a Number;

    fn as_object(&self) -> Option<Members<'a>> {
        match self {
            Plain::Object(members) => Some(members),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<&'a [Plain<'a>]> {
        match self {
            Plain::List(items) => Some(items),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Plain::Text(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<&'a Number> {
        match self {
            Plain::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            Plain::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Plain::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            Plain::Null => JsonType::Null,
            Plain::Bool(_) => JsonType::Boolean,
            Plain::Number(_) => JsonType::Number,
            Plain::Text(_) => JsonType::String,
            Plain::List(_) => JsonType::Array,
            Plain::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        self.is_equal(expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Value::from(*self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<Plain<'_>>(self).addr()))
    }
}

impl<'a> Object<'a, PlainJson> for Members<'a> {
    type Node = &'a Plain<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn get(&self, key: &String) -> Option<&'a Plain<'a>> {
        self.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(self.iter())
    }
}

/// An iterator over the members of an object.
pub struct MembersIter<'a>(slice::Iter<'a, (Cow<'a, str>, Plain<'a>)>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, &'a Plain<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (&**key, value))
    }
}

impl<'a> Array<'a, PlainJson> for &'a [Plain<'a>] {
    type Node = &'a Plain<'a>;
    type ElementsIter = slice::Iter<'a, Plain<'a>>;

    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn elements(&self) -> slice::Iter<'a, Plain<'a>> {
        self.iter()
    }
}

impl Plain<'_> {
    /// Returns whether the value equals a value of a schema. Numbers are compared by value.
    pub fn is_equal(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(own), Value::Bool(other)) => own == other,
            (Self::Text(own), Value::String(other)) => own == other,
            (Self::Number(own), Value::Number(_)) => cmp::equal(&Value::Number(own.clone()), value),
            (Self::List(_), Value::Array(_)) | (Self::Object(_), Value::Object(_)) => {
                cmp::equal(&Value::from(self), value)
            }
            _ => false,
        }
    }
}

impl From<&Plain<'_>> for Value {
    fn from(plain: &Plain<'_>) -> Self {
        match plain {
            Plain::Null => Self::Null,
            Plain::Bool(value) => Self::Bool(*value),
            Plain::Number(number) => Self::Number(number.clone()),
            Plain::Text(text) => Self::String(text.clone().into_owned()),
            Plain::List(items) => items.iter().map(Self::from).collect(),
            Plain::Object(members) => {
                members.iter().map(|(key, value)| (&**key, Self::from(value))).collect()
            }
        }
    }
}
