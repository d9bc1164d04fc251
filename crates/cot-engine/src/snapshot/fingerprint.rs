//! What a snapshot can go on with: hashes of the graph, the state type, the prompts, the schemas.

use std::{any::type_name, collections::BTreeMap, hash::Hasher};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

/// Hashes of a process by name, so that a difference can be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// By task; and what belongs to the whole process under [`PROCESS`].
    pub(crate) graph: Hashes,
    /// By name of a type in the state.
    pub(crate) state: Hashes,
    /// By task; and what belongs to the whole process under [`PROCESS`].
    pub(crate) prompts: Hashes,
    /// By task that has an output.
    pub(crate) schemas: Hashes,
}

pub(crate) type Hashes = BTreeMap<String, String>;

/// Stands for the process where others are tasks; no task has such a name.
pub(crate) const PROCESS: &str = "(process)";

/// What differs between two tables of hashes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
    pub(crate) changed: Vec<String>,
}

impl Difference {
    /// What was added, removed and changed from `old` to `new`.
    pub(crate) fn between(old: &Hashes, new: &Hashes) -> Option<Self> {
        let mut difference = Self::default();
        for (name, hash) in new {
            match old.get(name) {
                None => difference.added.push(name.clone()),
                Some(other) if other != hash => difference.changed.push(name.clone()),
                Some(_) => {}
            }
        }
        difference.removed.extend(old.keys().filter(|name| !new.contains_key(*name)).cloned());
        (difference != Self::default()).then_some(difference)
    }

    /// All names in it.
    pub(crate) fn names(self) -> Vec<String> {
        [self.added, self.removed, self.changed].concat()
    }
}

/// A type's name without the modules that it and its parameters lie in.
pub(crate) fn short_type_name<T>() -> String {
    let mut short = String::new();
    for segment in type_name::<T>().split("::") {
        let start = short.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
        short.truncate(start);
        short.push_str(segment);
    }
    short
}

pub(crate) fn hash_of(parts: &[&str]) -> String {
    let mut hasher = FnvHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    hex(hasher.finish())
}

pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
