//! The fingerprint that decides whether a snapshot can be resumed: hashes of the graph, the state type, the
//! prompts and the schemas.

use std::{any::type_name, collections::BTreeMap, hash::Hasher};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

/// Hashes of the parts of a process, by name, so that differences can be reported by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The graph, by task; the whole process under [`PROCESS`].
    pub(crate) graph: Hashes,
    /// The types in the state, by name.
    pub(crate) state: Hashes,
    /// The prompts, by task; the whole process under [`PROCESS`].
    pub(crate) prompts: Hashes,
    /// The schemas, by task.
    pub(crate) schemas: Hashes,
}

pub(crate) type Hashes = BTreeMap<String, String>;

/// The key of the whole process among the tasks. No task has this name.
pub(crate) const PROCESS: &str = "(process)";

/// Returns the name of a type without module paths, including its parameters.
pub(crate) fn short_type_name<T>() -> String {
    let mut short = String::new();
    for segment in type_name::<T>().split("::") {
        let start = short.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
        short.truncate(start);
        short.push_str(segment);
    }
    short
}

/// Returns a hash of texts, as 16 hexadecimal digits. It is not a cryptographic hash.
pub fn hash_parts(parts: &[&str]) -> String {
    let mut hasher = FnvHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    hex(hasher.finish())
}

/// Returns a hash as 16 hexadecimal digits.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
