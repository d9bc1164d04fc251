//! Field names of a struct, determined through its `Deserialize`.

use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};

/// Returns the serialized names of a struct's fields. Empty for other types; fields of flattened structs are
/// not included.
#[must_use]
pub fn field_names<T: DeserializeOwned>() -> Vec<String> {
    let mut fields = &[][..];
    // Deserialization fails, but passes the field names first.
    drop(T::deserialize(FieldRecorder { fields: &mut fields }));
    fields.iter().map(|field| (*field).to_owned()).collect()
}

/// A deserializer that records the fields of a struct and returns an error.
struct FieldRecorder<'f> {
    fields: &'f mut &'static [&'static str],
}

impl<'de> Deserializer<'de> for FieldRecorder<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only the fields of a struct are of interest"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.fields = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
