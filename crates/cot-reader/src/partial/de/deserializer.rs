//! The deserializer of incomplete values.

use serde::{Deserializer, de::Visitor};
use serde_json::Value;

use super::{
    access::{Attempts, Items, Members},
    not_yet::{INCOMING, NotYetError},
    part::{Context, PartialValue},
};

impl<'de> PartialValue<'de> {
    fn visit_items<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        match self.value {
            Value::Array(items) => {
                visitor.visit_seq(Items::new(self, items, self.given(items.len())?))
            }
            _ => Err(NotYetError),
        }
    }

    fn visit_members<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        match self.value {
            Value::Object(members) => {
                visitor.visit_map(Members::new(self, members, self.given(members.len())?))
            }
            _ => Err(NotYetError),
        }
    }
}

/// Methods for types that require the complete value.
macro_rules! whole {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
                self.whole()?.$method(visitor).map_err(|_| NotYetError)
            }
        )*
    };
}

impl<'de> Deserializer<'de> for PartialValue<'de> {
    type Error = NotYetError;

    whole! {
        deserialize_bool deserialize_char deserialize_str deserialize_bytes deserialize_byte_buf
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_unit deserialize_identifier
    }

    /// Also called for members that may belong to a flattened field, which is deserialized after all
    /// members.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        if self.open > 0 {
            return Err(NotYetError);
        }
        self.value.deserialize_any(visitor).map_err(|_| NotYetError)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        visitor.visit_unit()
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        match self.value {
            Value::String(text) if self.context == Context::Incoming && !self.leaves_last => {
                visitor.visit_borrowed_str(text)
            }
            _ => self.whole()?.deserialize_string(visitor).map_err(|_| NotYetError),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        if self.value.is_null() {
            return self.whole().and_then(|_| visitor.visit_none());
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, NotYetError> {
        if name == INCOMING {
            return visitor.visit_map(Attempts::new(self));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, NotYetError> {
        self.whole()?.deserialize_unit_struct(name, visitor).map_err(|_| NotYetError)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NotYetError> {
        self.whole()?.deserialize_enum(name, variants, visitor).map_err(|_| NotYetError)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        self.visit_items(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, NotYetError> {
        self.visit_items(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, NotYetError> {
        self.visit_items(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotYetError> {
        self.visit_members(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NotYetError> {
        self.visit_members(visitor)
    }
}
