//! The places of a schema, each of which is visited once.

use std::collections::VecDeque;

use fnv::FnvHashMap;

use super::document::Subschema;

/// Position of a place among those of its schema.
pub type PlaceId = usize;

/// The places of a schema that are found while it is compiled, numbered in the order in which they are found.
///
/// A place is identified by the schemas that apply to it, so that a recursive schema has a finite number of them.
#[derive(Debug, Default)]
pub struct Places<'s> {
    known: FnvHashMap<Vec<Key>, PlaceId>,
    // A queue, since schemas can refer to each other to any depth.
    waiting: VecDeque<Vec<Subschema<'s>>>,
}

/// Most places of one schema.
const MAX_PLACES: usize = 20_000;

/// What makes two schemas the same.
type Key = (usize, usize, bool, bool);

impl<'s> Places<'s> {
    /// The place to which these schemas apply. Returns `None` for a further place where there are too many.
    pub fn id(&mut self, parts: Vec<Subschema<'s>>) -> Option<PlaceId> {
        let mut key: Vec<Key> = parts.iter().map(key_of).collect();
        key.sort_unstable();
        key.dedup();
        if let Some(id) = self.known.get(&key) {
            return Some(*id);
        }
        let id = self.known.len();
        if id >= MAX_PLACES {
            return None;
        }
        self.known.insert(key, id);
        self.waiting.push_back(parts);
        Some(id)
    }

    /// The schemas of the next place, in the order of their numbers.
    pub fn pop(&mut self) -> Option<Vec<Subschema<'s>>> {
        self.waiting.pop_front()
    }
}

fn key_of(part: &Subschema<'_>) -> Key {
    let rules = part.rules.map_or(0, |rules| std::ptr::from_ref(rules) as usize);
    (std::ptr::from_ref(part.schema) as usize, rules, part.is_variant, part.skips_either)
}
