//! The body of a request with the members of `extra`.

use std::marker::PhantomData;

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Map, Value};

use super::protocol::Protocol;

/// The body of a request: the members that a protocol writes, and those of `extra`.
pub(super) struct Body<'a, P, M> {
    members: M,
    extra: &'a Map<String, Value>,
    has_tools: bool,
    protocol: PhantomData<P>,
}

impl<'a, P, M> Body<'a, P, M> {
    pub(super) const fn new(members: M, extra: &'a Map<String, Value>, has_tools: bool) -> Self {
        Self { members, extra, has_tools, protocol: PhantomData }
    }
}

impl<P: Protocol, M: Serialize> Serialize for Body<'_, P, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.extra.is_empty() {
            return self.members.serialize(serializer);
        }
        let mut body = serde_json::to_value(&self.members).map_err(S::Error::custom)?;
        let is_sent = |name: &str| self.has_tools || !P::ABOUT_TOOLS.contains(&name);
        for (name, value) in self.extra.iter().filter(|(name, _)| is_sent(name)) {
            match (body[name].as_object_mut(), value.as_object()) {
                (Some(members), Some(extra)) if P::MERGED.contains(&name.as_str()) => {
                    members.extend(extra.clone());
                }
                _ => body[name] = value.clone(),
            }
        }
        body.serialize(serializer)
    }
}
