//! Serialization of [`HaltReason`], with support for older journals.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::values::outcome::HaltReason;

impl Serialize for HaltReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for HaltReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReasonVisitor)
    }
}

/// Deserializes a reason. Accepts the older form in which a panic is the string `panicked` alone.
struct ReasonVisitor;

impl<'de> Visitor<'de> for ReasonVisitor {
    type Value = HaltReason;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("why a run halted")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<HaltReason, E> {
        match name {
            "panicked" => Ok(HaltReason::Panicked(Box::default())),
            _ => HaltReason::deserialize(de::value::StrDeserializer::new(name)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HaltReason, A::Error> {
        HaltReason::deserialize(MapAccessDeserializer::new(map))
    }
}
