//! What is inside a value of which a part may have come.

use serde::de::{
    DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, value::BorrowedStrDeserializer,
};
use serde_json::{Map, Value, map};

use super::{
    not_yet::NotYet,
    part::{Part, Place},
};

/// The ways in which an [`Incoming`](crate::partial::incoming::Incoming) may be read, the best first: each has as its key
/// whether it is finished.
pub(super) struct Tries<'de> {
    part: Part<'de>,
    begun: usize,
}

impl<'de> Tries<'de> {
    /// How many ways there are.
    const COUNT: usize = 2;

    pub(super) const fn of(part: Part<'de>) -> Self {
        Self { part, begun: 0 }
    }
}

impl<'de> MapAccess<'de> for Tries<'de> {
    type Error = NotYet;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, NotYet> {
        if self.begun == Self::COUNT {
            return Ok(None);
        }
        self.begun += 1;
        seed.deserialize((self.part.open == 0).into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, NotYet> {
        let part = self.part;
        match (part.open, self.begun) {
            // As it is read anywhere else.
            (0, 1) => seed.deserialize(part.value).map_err(|_| NotYet),
            // What is wrong with a value inside is no reason to lose the others.
            (0, _) => seed.deserialize(Part { place: Place::Finished, ..part }),
            (_, 1) => seed.deserialize(Part { place: Place::Incoming, ..part }),
            _ => seed.deserialize(Part { place: Place::Incoming, leaves_last: true, ..part }),
        }
    }
}

/// The items of a list.
pub(super) struct Items<'de> {
    list: Part<'de>,
    items: &'de [Value],
    given: usize,
    next: usize,
}

impl<'de> Items<'de> {
    pub(super) const fn of(list: Part<'de>, items: &'de [Value], given: usize) -> Self {
        Self { list, items, given, next: 0 }
    }
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = NotYet;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NotYet> {
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

/// The members of an object.
pub(super) struct Members<'de> {
    object: Part<'de>,
    members: map::Iter<'de>,
    /// How many are left to be given.
    left: usize,
    value: Option<&'de Value>,
}

impl<'de> Members<'de> {
    pub(super) fn of(object: Part<'de>, members: &'de Map<String, Value>, given: usize) -> Self {
        Self { object, members: members.iter(), left: given, value: None }
    }
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = NotYet;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, NotYet> {
        let Some((key, value)) = self.members.next().filter(|_| self.left > 0) else {
            return Ok(None);
        };
        self.left -= 1;
        self.value = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, NotYet> {
        let value = self.value.take().ok_or(NotYet)?;
        seed.deserialize(self.object.inner(value, self.members.len() == 0))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}
