//! Serialization of the fields of a declared state.
//!
//! A type that does not serialize gives one error, at its name, wherever the derived code needs it.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

/// The requirements on the type of a state field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the type of a state field [COT0113]",
    label = "lacks `Serialize` or `Deserialize`",
    note = "add `#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]` to the type, or `#[serde(skip)]` to the field if it has a `Default`"
)]
pub trait FieldType: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + for<'de> Deserialize<'de>> FieldType for T {}

/// A field of this type, or of an `Option` of it.
#[derive(Debug)]
pub struct Field<T: FieldType>(PhantomData<T>);

impl<T: FieldType> Field<T> {
    /// Serializes the value of a field.
    ///
    /// # Errors
    ///
    /// Errors of the type and of the serializer.
    pub fn write<S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        value.serialize(to)
    }

    /// Deserializes the value of a field.
    ///
    /// # Errors
    ///
    /// Errors of the type and of the deserializer.
    pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        T::deserialize(from)
    }

    /// Serializes the value of an optional field.
    ///
    /// # Errors
    ///
    /// Errors of the type and of the serializer.
    pub fn write_option<S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        value.serialize(to)
    }

    /// Deserializes the value of an optional field.
    ///
    /// # Errors
    ///
    /// Errors of the type and of the deserializer.
    pub fn read_option<'de, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        Option::deserialize(from)
    }
}
