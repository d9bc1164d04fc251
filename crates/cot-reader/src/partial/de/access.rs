//! Serde access to the contents of an incomplete value.

use serde::de::{
    DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, value::BorrowedStrDeserializer,
};
use serde_json::{Map, Value, map};

use super::{
    not_yet::NotYetError,
    part::{Context, PartialValue},
};

/// The attempts to deserialize an [`Incoming`](crate::partial::incoming::Incoming), best first, as a map.
/// Each key is whether the attempt gives a finished value.
pub(super) struct Attempts<'de> {
    part: PartialValue<'de>,
    started: usize,
}

impl<'de> Attempts<'de> {
    /// The number of attempts.
    const COUNT: usize = 2;

    pub(super) const fn new(part: PartialValue<'de>) -> Self {
        Self { part, started: 0 }
    }
}

impl<'de> MapAccess<'de> for Attempts<'de> {
    type Error = NotYetError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, NotYetError> {
        if self.started == Self::COUNT {
            return Ok(None);
        }
        self.started += 1;
        seed.deserialize((self.part.open == 0).into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, NotYetError> {
        let part = self.part;
        match (part.open, self.started) {
            // The usual deserialization.
            (0, 1) => seed.deserialize(part.value).map_err(|_| NotYetError),
            // An error in one nested value should not affect the others.
            (0, _) => seed.deserialize(PartialValue { context: Context::Finished, ..part }),
            (_, 1) => seed.deserialize(PartialValue { context: Context::Incoming, ..part }),
            _ => seed.deserialize(PartialValue {
                context: Context::Incoming,
                leaves_last: true,
                ..part
            }),
        }
    }
}

/// Access to the items of a list.
pub(super) struct Items<'de> {
    list: PartialValue<'de>,
    items: &'de [Value],
    given: usize,
    next: usize,
}

impl<'de> Items<'de> {
    pub(super) const fn new(list: PartialValue<'de>, items: &'de [Value], given: usize) -> Self {
        Self { list, items, given, next: 0 }
    }
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = NotYetError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NotYetError> {
        let Some(item) = self.items.get(self.next).filter(|_| self.next < self.given) else {
            return Ok(None);
        };
        self.next += 1;
        seed.deserialize(self.list.inner(item, self.next == self.items.len())).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.given - self.next)
    }
}

/// Access to the members of an object.
pub(super) struct Members<'de> {
    object: PartialValue<'de>,
    members: map::Iter<'de>,
    /// The number of remaining members.
    left: usize,
    value: Option<&'de Value>,
}

impl<'de> Members<'de> {
    pub(super) fn new(
        object: PartialValue<'de>,
        members: &'de Map<String, Value>,
        given: usize,
    ) -> Self {
        Self { object, members: members.iter(), left: given, value: None }
    }
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = NotYetError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, NotYetError> {
        let Some((key, value)) = self.members.next().filter(|_| self.left > 0) else {
            return Ok(None);
        };
        self.left -= 1;
        self.value = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, NotYetError> {
        let value = self.value.take().ok_or(NotYetError)?;
        seed.deserialize(self.object.inner(value, self.members.len() == 0))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}
