//! The fields of a state that a process declares, as `serde` writes and reads them.
//!
//! A type that can't be stored is one error at its name, wherever the derived code needs it.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

/// What the type of a state field must be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the type of a state field",
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
    /// Writes the value of a field.
    ///
    /// # Errors
    ///
    /// Those of the type and of the serializer.
    pub fn write<S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        value.serialize(to)
    }

    /// Reads the value of a field.
    ///
    /// # Errors
    ///
    /// Those of the type and of the deserializer.
    pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        T::deserialize(from)
    }

    /// Writes the value of a field that is an `Option`.
    ///
    /// # Errors
    ///
    /// Those of the type and of the serializer.
    pub fn write_option<S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        value.serialize(to)
    }

    /// Reads the value of a field that is an `Option`.
    ///
    /// # Errors
    ///
    /// Those of the type and of the deserializer.
    pub fn read_option<'de, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        Option::deserialize(from)
    }
}
