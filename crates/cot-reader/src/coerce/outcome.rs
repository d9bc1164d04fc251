//! What a value comes to at a place of a schema.

use std::rc::Rc;

use cot_schema::{
    Issue, Issues,
    internal::{Step, path_of},
};
use serde_json::{Map, Value};

use crate::repair::{fix::Fix, repairs::Repairs};

/// What a value comes to at a place of a schema. Several are weighed before one is made.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) form: Form,
    pub(super) notes: Vec<Note>,
    /// How far it is from what was given; repairs count, and keys that the schema does not know.
    pub(super) cost: u64,
    /// How many places still don't fit.
    pub(super) misfits: u32,
}

/// How the new value is made of the old one.
#[derive(Debug, Default)]
pub(super) enum Form {
    /// It is the old one.
    #[default]
    Same,
    New(Value),
    List(Vec<Part>),
    Object(Vec<(String, Part)>),
    /// A part of the old one is all of it.
    Only(Part),
    /// Another value stands for the old one: what a text holds, a variant in its other form.
    Instead(Rc<Value>, Rc<Outcome>),
}

/// A part of a new value.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) source: Source,
    pub(super) outcome: Rc<Outcome>,
}

/// Which part of the old value it is made of.
#[derive(Debug)]
pub(super) enum Source {
    Whole,
    Index(usize),
    Key(String),
    /// The member of an item of a list.
    Entry(usize, String),
}

/// What is to be told of a value.
#[derive(Debug)]
pub(super) enum Note {
    Fix { fix: Fix, at: Option<Step> },
    Doubt { message: String, at: Option<Step> },
}

/// What is told, once it is known which value is meant.
pub(super) struct Told<'t> {
    pub(super) repairs: &'t mut Repairs,
    pub(super) doubts: &'t mut Issues,
}

impl Outcome {
    pub(super) fn misfit() -> Self {
        Self { misfits: 1, ..Self::default() }
    }

    /// A form that was made by one repair.
    pub(super) fn mended(form: Form, fix: impl Into<Fix>) -> Self {
        let mut outcome = Self { form, ..Self::default() };
        outcome.note(fix, None);
        outcome
    }

    /// The value as it is, since it could mean two things.
    pub(super) fn doubt(message: String) -> Self {
        let notes = vec![Note::Doubt { message, at: None }];
        Self { notes, misfits: 1, ..Self::default() }
    }

    /// The same with a part taken into account, which it is made of.
    pub(super) fn with(mut self, part: &Self) -> Self {
        self.count(part);
        self
    }

    pub(super) fn count(&mut self, part: &Self) {
        self.cost = self.cost.saturating_add(part.cost);
        self.misfits = self.misfits.saturating_add(part.misfits);
    }

    pub(super) fn note(&mut self, fix: impl Into<Fix>, at: Option<Step>) {
        let fix = fix.into();
        self.cost += u64::from(fix.cost());
        self.notes.push(Note::Fix { fix, at });
    }

    pub(super) const fn fits(&self) -> bool {
        self.misfits == 0
    }

    /// Whether it does not fit, and nothing is to be said of it.
    pub(super) const fn is_misfit(&self) -> bool {
        self.misfits > 0 && matches!(self.form, Form::Same) && self.notes.is_empty()
    }

    pub(super) fn is_doubt(&self) -> bool {
        self.notes.iter().any(|note| matches!(note, Note::Doubt { .. }))
    }

    /// Whether the value stays as it is, and nothing is to be said of it.
    pub(super) const fn is_same(&self) -> bool {
        matches!(self.form, Form::Same) && self.notes.is_empty()
    }

    /// Makes the new value; what stays of the old one is moved, not copied.
    pub(super) fn make(&self, old: Value, path: &mut Vec<Step>, told: &mut Told<'_>) -> Value {
        for note in &self.notes {
            note.tell(path, told);
        }
        match &self.form {
            Form::Same => old,
            Form::New(value) => value.clone(),
            Form::Only(part) => part.make(&mut { old }, path, told),
            Form::Instead(value, outcome) => outcome.make((**value).clone(), path, told),
            Form::List(parts) => Value::Array(made_list(parts, old, path, told)),
            Form::Object(parts) => Value::Object(made_object(parts, old, path, told)),
        }
    }

    /// The new value alone.
    pub(super) fn value(&self, old: &Value) -> Value {
        let (mut repairs, mut doubts) = (Repairs::default(), Issues::new());
        let mut told = Told { repairs: &mut repairs, doubts: &mut doubts };
        self.make(old.clone(), &mut Vec::new(), &mut told)
    }
}

fn made_list(
    parts: &[Part],
    mut old: Value,
    path: &mut Vec<Step>,
    told: &mut Told<'_>,
) -> Vec<Value> {
    let made = parts.iter().enumerate().map(|(index, part)| {
        path.push(Step::Index(index));
        let item = part.make(&mut old, path, told);
        path.pop();
        item
    });
    made.collect()
}

fn made_object(
    parts: &[(String, Part)],
    mut old: Value,
    path: &mut Vec<Step>,
    told: &mut Told<'_>,
) -> Map<String, Value> {
    let mut members = Map::with_capacity(parts.len());
    for (key, part) in parts {
        let member = if part.outcome.is_same() {
            part.take(&mut old)
        } else {
            path.push(Step::Key(key.clone()));
            let member = part.make(&mut old, path, told);
            path.pop();
            member
        };
        members.insert(key.clone(), member);
    }
    members
}

impl Part {
    pub(super) const fn whole(outcome: Rc<Outcome>) -> Self {
        Self { source: Source::Whole, outcome }
    }

    pub(super) const fn item(index: usize, outcome: Rc<Outcome>) -> Self {
        Self { source: Source::Index(index), outcome }
    }

    pub(super) fn member(key: &str, outcome: Rc<Outcome>) -> Self {
        Self { source: Source::Key(key.to_owned()), outcome }
    }

    /// Makes the part, out of what it takes from the old value.
    fn make(&self, old: &mut Value, path: &mut Vec<Step>, told: &mut Told<'_>) -> Value {
        self.outcome.make(self.take(old), path, told)
    }

    /// Takes its source out of the old value; no two parts have the same.
    fn take(&self, old: &mut Value) -> Value {
        let source = match &self.source {
            Source::Whole => Some(old),
            Source::Index(index) => old.get_mut(index),
            Source::Key(key) => old.get_mut(key),
            Source::Entry(index, key) => old.get_mut(index).and_then(|item| item.get_mut(key)),
        };
        source.map(Value::take).unwrap_or_default()
    }
}

impl Note {
    fn tell(&self, path: &mut Vec<Step>, told: &mut Told<'_>) {
        let (Self::Fix { at, .. } | Self::Doubt { at, .. }) = self;
        let depth = path.len();
        path.extend(at.clone());
        match self {
            Self::Fix { fix, .. } => told.repairs.add(path, fix.clone()),
            Self::Doubt { message, .. } => {
                told.doubts.extend([Issue::new(path_of(path), message.clone())]);
            }
        }
        path.truncate(depth);
    }
}
