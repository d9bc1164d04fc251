//! Assigns the members of an object to the properties of a schema.

use cot_schema::internal::{
    NameLookup, NameMatch, Nearness, NodeId, Objects, Others, closest_name, strip_marks,
};
use serde_json::{Map, Value};

use super::choice::is_alike;
use crate::repair::{catalogue::RepairKind, fix::Fix};

/// The treatment of a member.
#[derive(Debug)]
pub(super) enum Assignment {
    /// The member is a property.
    Property(usize),
    /// The member is a property under an inexact name.
    Renamed(Renaming),
    /// The member is an additional one with a schema.
    Other(NodeId),
    /// The member is unknown to the schema but allowed.
    Stray,
    /// The member is not allowed.
    Dropped,
    /// The member has the same value as another one for the same property.
    Repeated,
    /// The member has another value than the member for the same property.
    Contradicts(usize),
    /// The key may be misspelled.
    Misspelled,
}

/// An inexact key of a property.
#[derive(Debug, Clone, Copy)]
pub(super) struct Renaming {
    /// The index of the property.
    pub(super) index: usize,
    nearness: Nearness,
    has_marks: bool,
}

impl Renaming {
    /// Returns the repair for the key.
    pub(super) fn fix(self, key: &str) -> Fix {
        let kind = match self.nearness {
            Nearness::Name => return RepairKind::KeyMarks.with_subject(key),
            Nearness::Alias => RepairKind::KeyAlias,
            Nearness::Case => RepairKind::KeyCase,
            Nearness::Separators => RepairKind::KeySeparators,
            Nearness::Accents => RepairKind::KeyAccents,
        };
        let fix = kind.with_subject(key);
        if self.has_marks { fix.with_cost_of(RepairKind::KeyMarks) } else { fix }
    }
}

/// The assignment of members to properties.
pub(super) struct MemberAssignments {
    pub(super) members: Vec<Assignment>,
    /// The position of the member of each property.
    pub(super) properties: Vec<Option<usize>>,
}

/// Assigns the members of an object to the properties of a schema.
pub(super) fn assign_members(objects: &Objects, members: &Map<String, Value>) -> MemberAssignments {
    let known = |key: &String| objects.by_name.get(key).copied();
    let found: Vec<Option<usize>> = members.keys().map(known).collect();
    let mut placed: Vec<Option<usize>> = vec![None; objects.properties.len()];
    for (position, index) in found.iter().enumerate() {
        if let Some(place) = index.and_then(|index| placed.get_mut(index)) {
            *place = Some(position);
        }
    }
    if let Some(all) = found.iter().map(|index| index.map(Assignment::Property)).collect() {
        return MemberAssignments { members: all, properties: placed };
    }
    let values: Vec<&Value> = members.values().collect();
    let mut assignments = Vec::with_capacity(members.len());
    for (position, (key, index)) in members.keys().zip(found).enumerate() {
        assignments.push(match index {
            Some(index) => Assignment::Property(index),
            None => assign_inexact(objects, &mut placed, &values, (position, key)),
        });
    }
    // Missing properties are known only after all members were assigned.
    for (assignment, key) in assignments.iter_mut().zip(members.keys()) {
        if matches!(assignment, Assignment::Dropped) && is_misspelled(objects, &placed, key) {
            *assignment = Assignment::Misspelled;
        }
    }
    MemberAssignments { members: assignments, properties: placed }
}

fn assign_inexact(
    objects: &Objects,
    placed: &mut [Option<usize>],
    values: &[&Value],
    (position, key): (usize, &str),
) -> Assignment {
    if let Some(found) = property_of(objects, key)
        && let Some(place) = placed.get_mut(found.index)
    {
        let Some(other) = *place else {
            *place = Some(position);
            return Assignment::Renamed(found);
        };
        return match (values.get(other), values.get(position)) {
            (Some(one), Some(other)) if is_alike(one, other) => Assignment::Repeated,
            _ => Assignment::Contradicts(found.index),
        };
    }
    let pattern = Value::String(key.to_owned());
    let mut patterns = objects.patterns.iter();
    if let Some((_, node)) = patterns.find(|(validator, _)| validator.is_valid(&pattern)) {
        return Assignment::Other(*node);
    }
    match objects.others {
        Others::Open => Assignment::Stray,
        Others::Schema(node) => Assignment::Other(node),
        // In a map with key patterns, a key that matches none must be misspelled.
        Others::Closed if objects.properties.is_empty() && !objects.patterns.is_empty() => {
            Assignment::Misspelled
        }
        Others::Closed => Assignment::Dropped,
    }
}

/// Finds the property that a key names inexactly.
pub(super) fn property_of(objects: &Objects, key: &str) -> Option<Renaming> {
    let (NameMatch { index, nearness }, has_marks) = match objects.names.find(key) {
        NameLookup::One(found) => (found, false),
        NameLookup::Several(_) => return None,
        NameLookup::Nothing => (objects.names.find_unique(strip_marks(key))?, true),
    };
    // If any key is allowed, an inexact key is used only for a required property.
    let is_meant = !matches!(objects.others, Others::Schema(_))
        || objects.properties.get(index).is_some_and(|property| property.is_required);
    is_meant.then_some(Renaming { index, nearness, has_marks })
}

/// Returns whether a key is most similar to that of a missing property.
fn is_misspelled(objects: &Objects, placed: &[Option<usize>], key: &str) -> bool {
    let known = objects.properties.iter().map(|property| property.name.as_str());
    let meant = closest_name(key, known).and_then(|name| objects.property(name));
    meant.is_some_and(|(index, _)| placed.get(index) == Some(&None))
}
