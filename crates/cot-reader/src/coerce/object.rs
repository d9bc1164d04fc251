//! Coerces the members of objects.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Objects, Others, PathSegment, Property, Types, truncate};
use fnv::FnvHashSet;
use serde_json::{Map, Value};

use super::{
    assign::{Assignment, Renaming, assign_members, property_of},
    coercer::Coercer,
    outcome::{Form, Note, Outcome, OutcomePart},
    scalar::is_null,
    schema_shape::names,
    wrap::is_neutral,
};
use crate::repair::{
    catalogue::{RepairKind, STRAY_KEY},
    fix::Fix,
};

/// Maximum length of a key in a repair.
const MAX_SHOWN: usize = 40;

/// The outcome of an object, under construction.
struct ObjectBuilder<'v> {
    outcome: Outcome,
    /// The members of the new object. Empty as long as nothing has changed.
    parts: Vec<(String, OutcomePart)>,
    /// The keys of a map that were coerced.
    renamed: FnvHashSet<String>,
    is_same: bool,
    members: &'v Map<String, Value>,
    /// The number of members before the first change.
    unchanged: usize,
    same: Rc<Outcome>,
}

impl Coercer<'_> {
    /// Coerces each member of an object.
    pub(super) fn object(
        &mut self,
        objects: &Objects,
        members: &Map<String, Value>,
        lossy: bool,
    ) -> Rc<Outcome> {
        let assigned = assign_members(objects, members);
        let mut builder = ObjectBuilder {
            outcome: Outcome::default(),
            parts: Vec::new(),
            renamed: FnvHashSet::default(),
            is_same: true,
            members,
            unchanged: 0,
            same: Rc::clone(&self.same),
        };
        for ((key, value), assignment) in members.iter().zip(&assigned.members) {
            self.member(objects, (key, value), members, assignment, lossy, &mut builder);
        }
        let missing = objects.properties.iter().zip(&assigned.properties);
        let missing = missing.filter(|(property, place)| property.is_required && place.is_none());
        builder.outcome.misfits += u32::try_from(missing.count()).unwrap_or(u32::MAX);
        builder.into_outcome(self)
    }

    /// Replaces the outcome of an object by a doubt if it fits without sharing any key with the schema: its
    /// content would be lost.
    pub(super) fn unless_unrelated(
        &self,
        node: &Node,
        value: &Value,
        direct: Rc<Outcome>,
    ) -> Rc<Outcome> {
        let (Value::Object(members), objects) = (value, &node.objects) else { return direct };
        let is_closed = match objects.others {
            Others::Closed => true,
            Others::Open => false,
            Others::Schema(_) => return direct,
        };
        let may_be_strange = direct.fits()
            && !objects.properties.is_empty()
            && objects.patterns.is_empty()
            && !objects.is_open
            && (is_wrapper(members) || (is_closed && !members.is_empty()));
        let is_known =
            |key: &String| objects.property(key).is_some() || property_of(objects, key).is_some();
        if !may_be_strange || members.keys().any(is_known) {
            return direct;
        }
        let message = format!("has none of the keys that are known, such as {}", names(objects));
        Rc::new(Outcome::doubt(message))
    }

    fn member(
        &mut self,
        objects: &Objects,
        (key, value): (&str, &Value),
        members: &Map<String, Value>,
        assignment: &Assignment,
        lossy: bool,
        builder: &mut ObjectBuilder<'_>,
    ) {
        match assignment {
            Assignment::Property(index) | Assignment::Renamed(Renaming { index, .. }) => {
                let Some(property) = objects.properties.get(*index) else { return };
                if let Assignment::Renamed(renaming) = assignment {
                    builder.note(renaming.fix(truncate(key, MAX_SHOWN)), &property.name);
                }
                self.property(property, (key, value), lossy, builder);
            }
            Assignment::Other(node) => {
                let outcome = self.coerce(*node, value, lossy);
                if lossy && !outcome.fits() {
                    return builder.lose(key);
                }
                let name = self.key(objects.keys, (key, members), builder);
                builder.add(&name, key, outcome);
            }
            Assignment::Stray => {
                if !objects.properties.is_empty() {
                    builder.outcome.cost += STRAY_KEY;
                }
                builder.add(key, key, Rc::clone(&self.same));
            }
            Assignment::Dropped if is_empty(value) => {
                builder.note(RepairKind::EmptyUnknownKey, key);
            }
            Assignment::Dropped => builder.drop(key, objects),
            Assignment::Repeated => builder.note(RepairKind::ValueTwice, key),
            Assignment::Misspelled => builder.add(key, key, Rc::clone(&self.misfit)),
            Assignment::Contradicts(index) => {
                let name = objects.properties.get(*index).map_or("", |property| &property.name);
                let message = format!("is given as `{name}` too, with another value");
                builder.doubt(message, key);
                builder.add(key, key, Rc::clone(&self.misfit));
            }
        }
    }

    fn property(
        &mut self,
        property: &Property,
        (key, value): (&str, &Value),
        lossy: bool,
        builder: &mut ObjectBuilder<'_>,
    ) {
        let outcome = self.coerce(property.node, value, lossy || property.allows_loss);
        if !outcome.fits() && !property.is_required {
            if value.is_null() {
                return builder.note(RepairKind::NullLeftOut, &property.name);
            }
            let says_nothing = value.as_str().is_some_and(is_null);
            if says_nothing && !self.shape.takes(property.node, Types::TEXT) {
                return builder.note(RepairKind::NothingLeftOut, &property.name);
            }
        }
        builder.add(&property.name, key, outcome);
    }

    /// Coerces the key of a map to the schema of the keys.
    fn key(
        &mut self,
        keys: Option<NodeId>,
        (key, members): (&str, &Map<String, Value>),
        builder: &mut ObjectBuilder<'_>,
    ) -> String {
        let Some(node) = keys else { return key.to_owned() };
        let value = self.keep(Value::String(key.to_owned()));
        let outcome = self.coerce(node, &value, false);
        match &outcome.form {
            Form::New(Value::String(name))
                if outcome.fits()
                    && !members.contains_key(name)
                    && builder.renamed.insert(name.clone()) =>
            {
                builder.note(RepairKind::MapKey.with_subject(truncate(key, MAX_SHOWN)), name);
                name.clone()
            }
            _ => {
                builder.outcome.misfits += u32::from(!outcome.is_same() || !outcome.fits());
                key.to_owned()
            }
        }
    }
}

/// Returns whether a value is null or empty, so that it can be dropped without loss.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Returns whether an object consists of a neutral key with a value that is not an object.
fn is_wrapper(members: &Map<String, Value>) -> bool {
    members.len() == 1 && members.iter().all(|(key, value)| is_neutral(key) && !value.is_object())
}

impl ObjectBuilder<'_> {
    /// Adds a member that is made from the old member `key`.
    fn add(&mut self, name: &str, key: &str, outcome: Rc<Outcome>) {
        self.outcome.count(&outcome);
        if self.is_same && outcome.is_same() && name == key {
            self.unchanged += 1;
            return;
        }
        self.change();
        self.parts.push((name.to_owned(), OutcomePart::member(key, outcome)));
    }

    /// Marks the object as changed and adds the unchanged members so far.
    fn change(&mut self) {
        if !std::mem::replace(&mut self.is_same, false) {
            return;
        }
        self.parts.reserve(self.members.len());
        for key in self.members.keys().take(self.unchanged) {
            self.parts.push((key.clone(), OutcomePart::member(key, Rc::clone(&self.same))));
        }
    }

    fn note(&mut self, fix: impl Into<Fix>, key: &str) {
        self.change();
        self.outcome.note(fix, Some(PathSegment::Key(key.to_owned())));
    }

    /// Drops a member that the schema does not allow, as a loss.
    fn drop(&mut self, key: &str, objects: &Objects) {
        let known = match objects.properties.is_empty() {
            true => "there are no known ones".to_owned(),
            false => format!("the known ones are {}", names(objects)),
        };
        self.note(RepairKind::UnknownKey.with_subject(&known), key);
    }

    /// Drops a member of a map that does not fit.
    fn lose(&mut self, key: &str) {
        self.note(RepairKind::MemberLeftOut, key);
    }

    fn doubt(&mut self, message: String, key: &str) {
        self.change();
        let at = Some(PathSegment::Key(key.to_owned()));
        self.outcome.notes.push(Note::Doubt { message, at });
    }

    fn into_outcome(self, coercer: &Coercer<'_>) -> Rc<Outcome> {
        let Self { mut outcome, parts, is_same, .. } = self;
        if is_same {
            let is_plain = outcome.cost == 0 && outcome.fits();
            return if is_plain { Rc::clone(&coercer.same) } else { Rc::new(outcome) };
        }
        outcome.form = Form::Object(parts);
        Rc::new(outcome)
    }
}
