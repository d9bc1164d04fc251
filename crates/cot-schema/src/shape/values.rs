//! The `Deserializer` of made-up values.

use serde::{
    Deserializer,
    de::{
        DeserializeSeed, EnumAccess, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess,
        VariantAccess, Visitor,
        value::{Error, StrDeserializer},
    },
    forward_to_deserialize_any,
};

use crate::shape::tracer::{ShapeDeserializer, Tracer};

macro_rules! made_up {
    ($($method:ident $visit:ident $value:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.0.record(stringify!($visit));
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for ShapeDeserializer<'_> {
    type Error = Error;

    // One instead of zero, since `NonZero` rejects zero.
    made_up! {
        deserialize_bool visit_bool false;
        deserialize_i8 visit_i8 1;
        deserialize_i16 visit_i16 1;
        deserialize_i32 visit_i32 1;
        deserialize_i64 visit_i64 1;
        deserialize_i128 visit_i128 1;
        deserialize_u8 visit_u8 1;
        deserialize_u16 visit_u16 1;
        deserialize_u32 visit_u32 1;
        deserialize_u64 visit_u64 1;
        deserialize_u128 visit_u128 1;
        deserialize_f32 visit_f32 1.0;
        deserialize_f64 visit_f64 1.0;
        deserialize_char visit_char 'a';
        deserialize_str visit_str "";
        deserialize_string visit_string String::new();
        deserialize_bytes visit_bytes &[];
        deserialize_byte_buf visit_byte_buf Vec::new();
    }

    forward_to_deserialize_any! { unit ignored_any identifier }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.record(format_args!("any({})", &visitor as &dyn Expected));
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.record("option");
        if !self.0.allow_contents::<V>() {
            return visitor.visit_none();
        }
        self.0.trace_contents::<V, _>(|tracer| visitor.visit_some(ShapeDeserializer(tracer)))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.record("list");
        let left = usize::from(self.0.allow_contents::<V>());
        self.0.trace_contents::<V, _>(|tracer| visitor.visit_seq(MadeUpItems { tracer, left }))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.record(format_args!("tuple of {len}"));
        self.0.check_depth()?;
        self.0.trace_contents::<V, _>(|tracer| visitor.visit_seq(MadeUpItems { tracer, left: len }))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.record("map");
        let left = usize::from(self.0.allow_contents::<V>());
        self.0.trace_contents::<V, _>(|tracer| visitor.visit_map(MadeUpItems { tracer, left }))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.record(name);
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.record(name);
        self.0.trace_type(name, |tracer| {
            tracer.trace_item(name, "0", |shape| visitor.visit_newtype_struct(shape))
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.record(name);
        self.0.trace_type(name, |tracer| {
            tracer.trace_item(name, "0", |shape| shape.deserialize_tuple(len, visitor))
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.record(name);
        self.0.trace_type(name, |tracer| visitor.visit_map(MadeUpFields::new(tracer, name, fields)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.record(name);
        let variant = self.0.next_variant(name, variants);
        let variant = variant.ok_or_else(|| Error::custom("an enum without variants"))?;
        self.0.trace_type(name, |tracer| {
            tracer.trace_item(name, variant, |shape| {
                visitor.visit_enum(MadeUpVariant { tracer: shape.0, variant })
            })
        })
    }
}

/// The made-up items of a list or tuple, or entries of a map.
struct MadeUpItems<'t> {
    tracer: &'t mut Tracer,
    left: usize,
}

impl<'de> SeqAccess<'de> for MadeUpItems<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(ShapeDeserializer(self.tracer)).map(Some)
    }
}

impl<'de> MapAccess<'de> for MadeUpItems<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(ShapeDeserializer(self.tracer))
    }
}

/// The made-up fields of a struct or of a variant.
struct MadeUpFields<'t> {
    tracer: &'t mut Tracer,
    /// The struct; `None` for a variant, whose fields are not traced on their own.
    name: Option<&'static str>,
    /// The remaining fields, the next one last.
    left: Vec<&'static str>,
    current: &'static str,
}

impl<'t> MadeUpFields<'t> {
    fn new(tracer: &'t mut Tracer, name: &'static str, fields: &'static [&'static str]) -> Self {
        let mut left = tracer.order_fields(name, fields);
        left.reverse();
        Self { tracer, name: Some(name), left, current: "" }
    }
}

impl<'de> MapAccess<'de> for MadeUpFields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(field) = self.left.pop() else {
            return Ok(None);
        };
        self.current = field;
        let key: StrDeserializer<'_, Error> = field.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.name {
            Some(name) => {
                self.tracer.trace_item(name, self.current, |shape| seed.deserialize(shape))
            }
            None => seed.deserialize(ShapeDeserializer(self.tracer)),
        }
    }
}

/// The made-up variant of an enum.
struct MadeUpVariant<'t> {
    tracer: &'t mut Tracer,
    variant: &'static str,
}

impl<'de> EnumAccess<'de> for MadeUpVariant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for MadeUpVariant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.tracer.record("of");
        seed.deserialize(ShapeDeserializer(self.tracer))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        ShapeDeserializer(self.tracer).deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.tracer.record(format_args!("with {fields:?}"));
        let left = fields.iter().rev().copied().collect();
        visitor.visit_map(MadeUpFields { tracer: self.tracer, name: None, left, current: "" })
    }
}
