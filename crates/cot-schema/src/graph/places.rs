//! Numbering of the places of a schema, so that each is visited once.

use std::collections::VecDeque;

use fnv::FnvHashMap;

use super::document::Subschema;

/// The number of a place.
pub type PlaceId = usize;

/// The places of a schema, numbered in the order of their discovery, and the queue of those to be visited.
///
/// A place is identified by the schemas that apply to it, so that a recursive schema has finitely many
/// places.
#[derive(Debug, Default)]
pub struct Places<'s> {
    known: FnvHashMap<Vec<PlaceKey>, PlaceId>,
    // A queue instead of recursion, since schemas can refer to each other to any depth.
    waiting: VecDeque<Vec<Subschema<'s>>>,
}

/// Maximum number of places of a schema.
const MAX_PLACES: usize = 20_000;

/// The identity of a subschema.
type PlaceKey = (usize, usize, bool, bool);

impl<'s> Places<'s> {
    /// Returns the number of the place to which these schemas apply, and enqueues it if it is new.
    ///
    /// Returns `None` for a new place beyond the maximum.
    pub fn insert(&mut self, parts: Vec<Subschema<'s>>) -> Option<PlaceId> {
        let mut key: Vec<PlaceKey> = parts.iter().map(key_of).collect();
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

    /// Removes the next place to be visited from the queue and returns its schemas. The order is that of the
    /// numbers.
    pub fn pop(&mut self) -> Option<Vec<Subschema<'s>>> {
        self.waiting.pop_front()
    }
}

fn key_of(part: &Subschema<'_>) -> PlaceKey {
    let rules = part.rules.map_or(0, |rules| std::ptr::from_ref(rules) as usize);
    (std::ptr::from_ref(part.schema) as usize, rules, part.is_variant, part.skips_either)
}
