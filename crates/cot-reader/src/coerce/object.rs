//! Objects.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Objects, Others, Property, Step, Types, cut_text};
use fnv::FnvHashSet;
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    outcome::{Form, Note, Outcome, Part},
    place::{Fate, Renaming, places, property_of},
    scalar::is_null,
    wrap::is_neutral,
};
use crate::repair::{
    catalogue::{RepairKind, STRAY_KEY},
    fix::Fix,
};

/// How many of the known keys an issue names.
const MAX_NAMED: usize = 5;
/// How much of a key a repair repeats.
const MAX_SHOWN: usize = 40;

/// An object that is being put together.
struct Making<'v> {
    outcome: Outcome,
    /// Empty while nothing has changed: most objects stay as they are.
    parts: Vec<(String, Part)>,
    /// Keys that a map was given in another form.
    renamed: FnvHashSet<String>,
    is_same: bool,
    members: &'v Map<String, Value>,
    /// How many members were added before anything changed.
    unchanged: usize,
    same: Rc<Outcome>,
}

impl Coercer<'_> {
    /// An object, member by member.
    pub(super) fn object(
        &mut self,
        objects: &Objects,
        members: &Map<String, Value>,
        lossy: bool,
    ) -> Rc<Outcome> {
        let places = places(objects, members);
        let mut making = Making {
            outcome: Outcome::default(),
            parts: Vec::new(),
            renamed: FnvHashSet::default(),
            is_same: true,
            members,
            unchanged: 0,
            same: Rc::clone(&self.same),
        };
        for ((key, value), fate) in members.iter().zip(&places.fates) {
            self.member(objects, (key, value), members, fate, lossy, &mut making);
        }
        let missing = objects.properties.iter().zip(&places.members);
        let missing = missing.filter(|(property, place)| property.is_required && place.is_none());
        making.outcome.misfits += u32::try_from(missing.count()).unwrap_or(u32::MAX);
        making.into_outcome(self)
    }

    /// An object that fits though it has nothing of what is expected would be read as one that says
    /// nothing: what it does say would be lost.
    pub(super) fn unless_strange(
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
        fate: &Fate,
        lossy: bool,
        making: &mut Making<'_>,
    ) {
        match fate {
            Fate::Property(index) | Fate::Renamed(Renaming { index, .. }) => {
                let Some(property) = objects.properties.get(*index) else { return };
                if let Fate::Renamed(renaming) = fate {
                    making.note(renaming.fix(cut_text(key, MAX_SHOWN)), &property.name);
                }
                self.property(property, (key, value), lossy, making);
            }
            Fate::Other(node) => {
                let outcome = self.coerce(*node, value, lossy);
                if lossy && !outcome.fits() {
                    return making.lose(key);
                }
                let name = self.key(objects.keys, (key, members), making);
                making.add(&name, key, outcome);
            }
            Fate::Stray => {
                if !objects.properties.is_empty() {
                    making.outcome.cost += STRAY_KEY;
                }
                making.add(key, key, Rc::clone(&self.same));
            }
            Fate::Dropped if is_empty(value) => making.note(RepairKind::EmptyUnknownKey, key),
            Fate::Dropped => making.drop(key, objects),
            Fate::Repeated => making.note(RepairKind::ValueTwice, key),
            Fate::Misspelled => making.add(key, key, Rc::clone(&self.misfit)),
            Fate::Contradicts(index) => {
                let name = objects.properties.get(*index).map_or("", |property| &property.name);
                let message = format!("is given as `{name}` too, with another value");
                making.doubt(message, key);
                making.add(key, key, Rc::clone(&self.misfit));
            }
        }
    }

    fn property(
        &mut self,
        property: &Property,
        (key, value): (&str, &Value),
        lossy: bool,
        making: &mut Making<'_>,
    ) {
        let outcome = self.coerce(property.node, value, lossy || property.allows_loss);
        if !outcome.fits() && !property.is_required {
            if value.is_null() {
                return making.note(RepairKind::NullLeftOut, &property.name);
            }
            let says_nothing = value.as_str().is_some_and(is_null);
            if says_nothing && !self.shape.takes(property.node, Types::TEXT) {
                return making.note(RepairKind::NothingLeftOut, &property.name);
            }
        }
        making.add(&property.name, key, outcome);
    }

    /// The key of a map in the form that its schema wants.
    fn key(
        &mut self,
        keys: Option<NodeId>,
        (key, members): (&str, &Map<String, Value>),
        making: &mut Making<'_>,
    ) -> String {
        let Some(node) = keys else { return key.to_owned() };
        let value = self.keep(Value::String(key.to_owned()));
        let outcome = self.coerce(node, &value, false);
        match &outcome.form {
            Form::New(Value::String(name))
                if outcome.fits()
                    && !members.contains_key(name)
                    && making.renamed.insert(name.clone()) =>
            {
                making.note(RepairKind::MapKey.about(cut_text(key, MAX_SHOWN)), name);
                name.clone()
            }
            _ => {
                making.outcome.misfits += u32::from(!outcome.is_same() || !outcome.fits());
                key.to_owned()
            }
        }
    }
}

/// The first of the known keys.
fn names(objects: &Objects) -> String {
    let names = objects.properties.iter().take(MAX_NAMED).map(|property| &property.name);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Whether a value says nothing, so that nothing is lost with it.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Whether an object holds nothing but something that is no object, under a key that says nothing.
fn is_wrapper(members: &Map<String, Value>) -> bool {
    members.len() == 1 && members.iter().all(|(key, value)| is_neutral(key) && !value.is_object())
}

impl Making<'_> {
    /// Adds a member that comes from the one with a key.
    fn add(&mut self, name: &str, key: &str, outcome: Rc<Outcome>) {
        self.outcome.count(&outcome);
        if self.is_same && outcome.is_same() && name == key {
            self.unchanged += 1;
            return;
        }
        self.change();
        self.parts.push((name.to_owned(), Part::member(key, outcome)));
    }

    /// Something changes from here on; what was added before stays as it is.
    fn change(&mut self) {
        if !std::mem::replace(&mut self.is_same, false) {
            return;
        }
        self.parts.reserve(self.members.len());
        for key in self.members.keys().take(self.unchanged) {
            self.parts.push((key.clone(), Part::member(key, Rc::clone(&self.same))));
        }
    }

    fn note(&mut self, fix: impl Into<Fix>, key: &str) {
        self.change();
        self.outcome.note(fix, Some(Step::Key(key.to_owned())));
    }

    /// Leaves out a member that the schema does not allow, with what it says.
    fn drop(&mut self, key: &str, objects: &Objects) {
        self.note(RepairKind::UnknownKey.about(&names(objects)), key);
    }

    /// Leaves out a member that can't be brought into form.
    fn lose(&mut self, key: &str) {
        self.note(RepairKind::MemberLeftOut, key);
    }

    fn doubt(&mut self, message: String, key: &str) {
        self.change();
        let at = Some(Step::Key(key.to_owned()));
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
