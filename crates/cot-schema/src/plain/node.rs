//! The view of borrowed JSON values for the validator.

use std::{borrow::Cow, slice};

use jsonschema::{
    JsonType,
    json::{Array, Json, Node, NodeIdentity, Object, cmp},
};
use serde_json::{Number, Value};

use super::plain::BorrowedJson;

/// The JSON representation of [`BorrowedJson`] values, for validators.
#[derive(Debug)]
pub struct BorrowedJsonFormat;

type Members<'a> = &'a [(Cow<'a, str>, BorrowedJson<'a>)];

impl Json for BorrowedJsonFormat {
    type Node<'a> = &'a BorrowedJson<'a>;
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
        visit(&BorrowedJson::Text(Cow::Borrowed(string)))
    }
}

impl<'a> Node<'a, BorrowedJsonFormat> for &'a BorrowedJson<'a> {
    type Object = Members<'a>;
    type Array = &'a [BorrowedJson<'a>];
    type Number = &'a Number;

    fn as_object(&self) -> Option<Members<'a>> {
        match self {
            BorrowedJson::Object(members) => Some(members),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<&'a [BorrowedJson<'a>]> {
        match self {
            BorrowedJson::List(items) => Some(items),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            BorrowedJson::Text(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<&'a Number> {
        match self {
            BorrowedJson::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            BorrowedJson::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, BorrowedJson::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            BorrowedJson::Null => JsonType::Null,
            BorrowedJson::Bool(_) => JsonType::Boolean,
            BorrowedJson::Number(_) => JsonType::Number,
            BorrowedJson::Text(_) => JsonType::String,
            BorrowedJson::List(_) => JsonType::Array,
            BorrowedJson::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        self.is_equal(expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Value::from(*self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<BorrowedJson<'_>>(self).addr()))
    }
}

impl<'a> Object<'a, BorrowedJsonFormat> for Members<'a> {
    type Node = &'a BorrowedJson<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn get(&self, key: &String) -> Option<&'a BorrowedJson<'a>> {
        self.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(self.iter())
    }
}

/// An iterator over the members of an object.
pub struct MembersIter<'a>(slice::Iter<'a, (Cow<'a, str>, BorrowedJson<'a>)>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, &'a BorrowedJson<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (&**key, value))
    }
}

impl<'a> Array<'a, BorrowedJsonFormat> for &'a [BorrowedJson<'a>] {
    type Node = &'a BorrowedJson<'a>;
    type ElementsIter = slice::Iter<'a, BorrowedJson<'a>>;

    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn elements(&self) -> slice::Iter<'a, BorrowedJson<'a>> {
        self.iter()
    }
}

impl BorrowedJson<'_> {
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

impl From<&BorrowedJson<'_>> for Value {
    fn from(plain: &BorrowedJson<'_>) -> Self {
        match plain {
            BorrowedJson::Null => Self::Null,
            BorrowedJson::Bool(value) => Self::Bool(*value),
            BorrowedJson::Number(number) => Self::Number(number.clone()),
            BorrowedJson::Text(text) => Self::String(text.clone().into_owned()),
            BorrowedJson::List(items) => items.iter().map(Self::from).collect(),
            BorrowedJson::Object(members) => {
                members.iter().map(|(key, value)| (&**key, Self::from(value))).collect()
            }
        }
    }
}
