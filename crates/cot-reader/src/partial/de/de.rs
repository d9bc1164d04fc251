//! Reads what has come of an output into types made of [`Incoming`].
//!
//! Both ends are here. An [`Incoming`] asks for a newtype of a name that nobody else uses; a [`Part`] knows
//! that name, and answers with a map of *tries*: each says whether the value is finished, and gives it. The
//! first try that can be read is the one. Any other deserializer gives a newtype, all of which is there.

use std::{any::type_name, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor},
};
use serde_json::Value;

use super::{
    not_yet::{INCOMING, NotYet},
    part::{Part, Place},
};
use crate::partial::incoming::Incoming;

/// What has come of a value, as a type made of [`Incoming`]: of the values along the way from this one to the
/// last inside it, `open` are not finished. `None` where nothing can be told yet.
pub(in crate::partial) fn read<T: DeserializeOwned>(value: &Value, open: usize) -> Option<T> {
    let part = Part { value, open, leaves_last: false, place: Place::Root };
    if open == 0 {
        return T::deserialize(value).ok().or_else(|| T::deserialize(part).ok());
    }
    T::deserialize(part).or_else(|_| T::deserialize(Part { leaves_last: true, ..part })).ok()
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
        // Members of what is flattened come here when all of them have been taken out of a `Part`, which
        // keeps back those that are not finished. There, too, what can't be read spoils nothing else.
        let is_of_part = type_name::<D::Error>() == type_name::<NotYet>();
        match T::deserialize(deserializer) {
            Ok(value) => Ok(Incoming::Finished(value)),
            Err(_) if is_of_part => Ok(Incoming::Missing),
            Err(error) => Err(error),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut tries: A) -> Result<Incoming<T>, A::Error> {
        while let Some(is_finished) = tries.next_key()? {
            match (tries.next_value(), is_finished) {
                (Ok(value), true) => return Ok(Incoming::Finished(value)),
                (Ok(value), false) => return Ok(Incoming::Unfinished(value)),
                (Err(_), _) => {}
            }
        }
        Ok(Incoming::Missing)
    }
}
