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

use crate::snapshot::shape::tracer::{Shape, Tracer};

macro_rules! made_up {
    ($($method:ident $visit:ident $value:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.0.note(stringify!($visit));
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for Shape<'_> {
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
        self.0.note(format_args!("any({})", &visitor as &dyn Expected));
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.note("option");
        if !self.0.is_filled::<V>() {
            return visitor.visit_none();
        }
        self.0.entered::<V, _>(|tracer| visitor.visit_some(Shape(tracer)))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.note("list");
        let left = usize::from(self.0.is_filled::<V>());
        self.0.entered::<V, _>(|tracer| visitor.visit_seq(Items { tracer, left }))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.note(format_args!("tuple of {len}"));
        self.0.check_depth()?;
        self.0.entered::<V, _>(|tracer| visitor.visit_seq(Items { tracer, left: len }))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.note("map");
        let left = usize::from(self.0.is_filled::<V>());
        self.0.entered::<V, _>(|tracer| visitor.visit_map(Items { tracer, left }))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.note(name);
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.note(name);
        self.0.opened(name, |tracer| {
            tracer.within(name, "0", |shape| visitor.visit_newtype_struct(shape))
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.note(name);
        self.0.opened(name, |tracer| {
            tracer.within(name, "0", |shape| shape.deserialize_tuple(len, visitor))
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.note(name);
        self.0.opened(name, |tracer| visitor.visit_map(Fields::new(tracer, name, fields)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.note(name);
        let variant = self.0.next_variant(name, variants);
        let variant = variant.ok_or_else(|| Error::custom("an enum without variants"))?;
        self.0.opened(name, |tracer| {
            tracer.within(name, variant, |shape| {
                visitor.visit_enum(Variant { tracer: shape.0, variant })
            })
        })
    }
}

/// The made-up items of a list or tuple, or entries of a map.
struct Items<'t> {
    tracer: &'t mut Tracer,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(Shape(self.tracer)).map(Some)
    }
}

impl<'de> MapAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Shape(self.tracer))
    }
}

/// The made-up fields of a struct or of a variant.
struct Fields<'t> {
    tracer: &'t mut Tracer,
    /// The struct; `None` for a variant, whose fields are not traced on their own.
    name: Option<&'static str>,
    /// The remaining fields, the next one last.
    left: Vec<&'static str>,
    current: &'static str,
}

impl<'t> Fields<'t> {
    fn new(tracer: &'t mut Tracer, name: &'static str, fields: &'static [&'static str]) -> Self {
        let mut left = tracer.in_order(name, fields);
        left.reverse();
        Self { tracer, name: Some(name), left, current: "" }
    }
}

impl<'de> MapAccess<'de> for Fields<'_> {
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
            Some(name) => self.tracer.within(name, self.current, |shape| seed.deserialize(shape)),
            None => seed.deserialize(Shape(self.tracer)),
        }
    }
}

/// The made-up variant of an enum.
struct Variant<'t> {
    tracer: &'t mut Tracer,
    variant: &'static str,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.tracer.note("of");
        seed.deserialize(Shape(self.tracer))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        Shape(self.tracer).deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.tracer.note(format_args!("with {fields:?}"));
        let left = fields.iter().rev().copied().collect();
        visitor.visit_map(Fields { tracer: self.tracer, name: None, left, current: "" })
    }
}
