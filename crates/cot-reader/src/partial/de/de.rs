//! Deserializes incomplete outputs into types with [`Incoming`] fields.
//!
//! An [`Incoming`] requests a newtype with a unique name. The deserializer [`PartialValue`] recognizes the
//! name and responds with a map of *attempts*: each key is whether the value is finished, and the first
//! value that can be deserialized is used. Any other deserializer responds with a newtype, whose value is
//! complete.

use std::{any::type_name, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor},
};
use serde_json::Value;

use super::{
    not_yet::{INCOMING, NotYetError},
    part::{Context, PartialValue},
};
use crate::partial::incoming::Incoming;

/// Deserializes an incomplete value. The innermost `open` values at its end are unfinished. Returns
/// `None` if too little was received.
pub(in crate::partial) fn read<T: DeserializeOwned>(value: &Value, open: usize) -> Option<T> {
    let part = PartialValue { value, open, leaves_last: false, context: Context::Root };
    if open == 0 {
        return T::deserialize(value).ok().or_else(|| T::deserialize(part).ok());
    }
    T::deserialize(part)
        .or_else(|_| T::deserialize(PartialValue { leaves_last: true, ..part }))
        .ok()
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Incoming<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(INCOMING, IncomingVisitor(PhantomData))
    }
}

struct IncomingVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for IncomingVisitor<T> {
    type Value = Incoming<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Incoming<T>, D::Error> {
        // Members of flattened fields arrive here after all of them were read from a `PartialValue`, which
        // omits unfinished ones. There, too, an error must not affect the other fields.
        let is_of_part = type_name::<D::Error>() == type_name::<NotYetError>();
        match T::deserialize(deserializer) {
            Ok(value) => Ok(Incoming::Finished(value)),
            Err(_) if is_of_part => Ok(Incoming::Missing),
            Err(error) => Err(error),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut attempts: A) -> Result<Incoming<T>, A::Error> {
        while let Some(is_finished) = attempts.next_key()? {
            match (attempts.next_value(), is_finished) {
                (Ok(value), true) => return Ok(Incoming::Finished(value)),
                (Ok(value), false) => return Ok(Incoming::Unfinished(value)),
                (Err(_), _) => {}
            }
        }
        Ok(Incoming::Missing)
    }
}
