//! Which member of an object is which property.

use cot_schema::internal::{
    NameLookup, NameMatch, Nearness, NodeId, Objects, Others, closest, strip_marks,
};
use serde_json::{Map, Value};

use super::choice::is_alike;
use crate::repair::{catalogue::RepairKind, fix::Fix};

/// What becomes of a member.
#[derive(Debug)]
pub(super) enum Fate {
    /// It is a property.
    Property(usize),
    /// It is a property, under another name.
    Renamed(Renaming),
    /// It is one of those that the schema does not name.
    Other(NodeId),
    /// The schema does not know it, and does not mind.
    Stray,
    /// The schema does not allow it.
    Dropped,
    /// It says again what another member says.
    Repeated,
    /// It says something else than another member that it could be.
    Contradicts(usize),
    /// It may be a property that is misspelled, or the key of a map.
    Misspelled,
}

/// A key that names a property in another form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Renaming {
    /// The property.
    pub(super) index: usize,
    nearness: Nearness,
    has_marks: bool,
}

impl Renaming {
    /// The repair of such a key.
    pub(super) fn fix(self, key: &str) -> Fix {
        let kind = match self.nearness {
            Nearness::Name => return RepairKind::KeyMarks.about(key),
            Nearness::Alias => RepairKind::KeyAlias,
            Nearness::Case => RepairKind::KeyCase,
            Nearness::Separators => RepairKind::KeySeparators,
            Nearness::Accents => RepairKind::KeyAccents,
        };
        let fix = kind.about(key);
        if self.has_marks { fix.with_cost_of(RepairKind::KeyMarks) } else { fix }
    }
}

/// The members of an object, each with what becomes of it.
pub(super) struct Places {
    pub(super) fates: Vec<Fate>,
    /// Which member each property is.
    pub(super) members: Vec<Option<usize>>,
}

/// Finds out what becomes of the members of an object.
pub(super) fn places(objects: &Objects, members: &Map<String, Value>) -> Places {
    let known = |key: &String| objects.by_name.get(key).copied();
    let found: Vec<Option<usize>> = members.keys().map(known).collect();
    let mut placed: Vec<Option<usize>> = vec![None; objects.properties.len()];
    for (position, index) in found.iter().enumerate() {
        if let Some(place) = index.and_then(|index| placed.get_mut(index)) {
            *place = Some(position);
        }
    }
    if let Some(all) = found.iter().map(|index| index.map(Fate::Property)).collect() {
        return Places { fates: all, members: placed };
    }
    let values: Vec<&Value> = members.values().collect();
    let mut fates = Vec::with_capacity(members.len());
    for (position, (key, index)) in members.keys().zip(found).enumerate() {
        fates.push(match index {
            Some(index) => Fate::Property(index),
            None => fate_of_stray(objects, &mut placed, &values, (position, key)),
        });
    }
    // Only now is it known which properties are missed.
    for (fate, key) in fates.iter_mut().zip(members.keys()) {
        if matches!(fate, Fate::Dropped) && is_misspelled(objects, &placed, key) {
            *fate = Fate::Misspelled;
        }
    }
    Places { fates, members: placed }
}

fn fate_of_stray(
    objects: &Objects,
    placed: &mut [Option<usize>],
    values: &[&Value],
    (position, key): (usize, &str),
) -> Fate {
    if let Some(found) = property_of(objects, key)
        && let Some(place) = placed.get_mut(found.index)
    {
        let Some(other) = *place else {
            *place = Some(position);
            return Fate::Renamed(found);
        };
        return match (values.get(other), values.get(position)) {
            (Some(one), Some(other)) if is_alike(one, other) => Fate::Repeated,
            _ => Fate::Contradicts(found.index),
        };
    }
    let pattern = Value::String(key.to_owned());
    let mut patterns = objects.patterns.iter();
    if let Some((_, node)) = patterns.find(|(validator, _)| validator.is_valid(&pattern)) {
        return Fate::Other(*node);
    }
    match objects.others {
        Others::Open => Fate::Stray,
        Others::Schema(node) => Fate::Other(node),
        // The keys of a map are all that is said of its members: no member is beside the point.
        Others::Closed if objects.properties.is_empty() && !objects.patterns.is_empty() => {
            Fate::Misspelled
        }
        Others::Closed => Fate::Dropped,
    }
}

/// The property that a key names in another form.
pub(super) fn property_of(objects: &Objects, key: &str) -> Option<Renaming> {
    let (NameMatch { index, nearness }, has_marks) = match objects.names.find(key) {
        NameLookup::One(found) => (found, false),
        NameLookup::Several(_) => return None,
        NameLookup::Nothing => (objects.names.find_unique(strip_marks(key))?, true),
    };
    // Where any key will do, another form of one is taken for it only if it is missed.
    let is_meant = !matches!(objects.others, Others::Schema(_))
        || objects.properties.get(index).is_some_and(|property| property.is_required);
    is_meant.then_some(Renaming { index, nearness, has_marks })
}

/// Whether a key is most like that of a property that is missed.
fn is_misspelled(objects: &Objects, placed: &[Option<usize>], key: &str) -> bool {
    let known = objects.properties.iter().map(|property| property.name.as_str());
    let meant = closest(key, known).and_then(|name| objects.property(name));
    meant.is_some_and(|(index, _)| placed.get(index) == Some(&None))
}
