//! The outcome of coercing a value to a node.

use std::rc::Rc;

use cot_schema::{
    Issue, Issues,
    internal::{PathSegment, format_path},
};
use serde_json::{Map, Value};

use crate::repair::{fix::Fix, repairs::Repairs};

/// The outcome of coercing a value to a node: how to make the new value, at which cost. Several outcomes are
/// compared before one is applied.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) form: Form,
    pub(super) notes: Vec<Note>,
    /// The total cost of repairs and unknown keys.
    pub(super) cost: u64,
    /// The number of places that do not fit the schema.
    pub(super) misfits: u32,
}

/// The construction of the new value from the old one.
#[derive(Debug, Default)]
pub(super) enum Form {
    /// The old value.
    #[default]
    Same,
    New(Value),
    List(Vec<OutcomePart>),
    Object(Vec<(String, OutcomePart)>),
    /// A part of the old value.
    Only(OutcomePart),
    /// A substituted value, coerced in turn: the JSON in a string, a variant in another form.
    Instead(Rc<Value>, Rc<Outcome>),
}

/// A part of a new value.
#[derive(Debug)]
pub(super) struct OutcomePart {
    pub(super) source: Source,
    pub(super) outcome: Rc<Outcome>,
}

/// The location of a part in the old value.
#[derive(Debug)]
pub(super) enum Source {
    Whole,
    Index(usize),
    Key(String),
    /// A member of an item of a list.
    Entry(usize, String),
}

/// A repair or doubt to be reported.
#[derive(Debug)]
pub(super) enum Note {
    Fix { fix: Fix, at: Option<PathSegment> },
    Doubt { message: String, at: Option<PathSegment> },
}

/// The receiver of repairs and doubts when an outcome is applied.
pub(super) struct CoercionLog<'t> {
    pub(super) repairs: &'t mut Repairs,
    pub(super) doubts: &'t mut Issues,
}

impl Outcome {
    pub(super) fn misfit() -> Self {
        Self { misfits: 1, ..Self::default() }
    }

    /// Creates an outcome with a single repair.
    pub(super) fn repaired(form: Form, fix: impl Into<Fix>) -> Self {
        let mut outcome = Self { form, ..Self::default() };
        outcome.note(fix, None);
        outcome
    }

    /// Creates the outcome of an ambiguous value, which is left unchanged.
    pub(super) fn doubt(message: String) -> Self {
        let notes = vec![Note::Doubt { message, at: None }];
        Self { notes, misfits: 1, ..Self::default() }
    }

    /// Adds the cost and misfits of a part.
    pub(super) fn including(mut self, part: &Self) -> Self {
        self.count(part);
        self
    }

    pub(super) fn count(&mut self, part: &Self) {
        self.cost = self.cost.saturating_add(part.cost);
        self.misfits = self.misfits.saturating_add(part.misfits);
    }

    pub(super) fn note(&mut self, fix: impl Into<Fix>, at: Option<PathSegment>) {
        let fix = fix.into();
        self.cost += u64::from(fix.cost());
        self.notes.push(Note::Fix { fix, at });
    }

    pub(super) const fn fits(&self) -> bool {
        self.misfits == 0
    }

    /// Returns whether the value does not fit, with nothing changed or reported.
    pub(super) const fn is_misfit(&self) -> bool {
        self.misfits > 0 && matches!(self.form, Form::Same) && self.notes.is_empty()
    }

    pub(super) fn is_doubt(&self) -> bool {
        self.notes.iter().any(|note| matches!(note, Note::Doubt { .. }))
    }

    /// Returns whether the value is unchanged, with nothing reported.
    pub(super) const fn is_same(&self) -> bool {
        matches!(self.form, Form::Same) && self.notes.is_empty()
    }

    /// Applies the outcome to the old value and reports repairs and doubts. Unchanged parts are moved, not
    /// copied.
    pub(super) fn make(
        &self,
        old: Value,
        path: &mut Vec<PathSegment>,
        log: &mut CoercionLog<'_>,
    ) -> Value {
        for note in &self.notes {
            note.report(path, log);
        }
        match &self.form {
            Form::Same => old,
            Form::New(value) => value.clone(),
            Form::Only(part) => part.make(&mut { old }, path, log),
            Form::Instead(value, outcome) => outcome.make((**value).clone(), path, log),
            Form::List(parts) => Value::Array(made_list(parts, old, path, log)),
            Form::Object(parts) => Value::Object(made_object(parts, old, path, log)),
        }
    }

    /// Applies the outcome to a copy of the old value, without reporting.
    pub(super) fn value(&self, old: &Value) -> Value {
        let (mut repairs, mut doubts) = (Repairs::default(), Issues::new());
        let mut log = CoercionLog { repairs: &mut repairs, doubts: &mut doubts };
        self.make(old.clone(), &mut Vec::new(), &mut log)
    }
}

fn made_list(
    parts: &[OutcomePart],
    mut old: Value,
    path: &mut Vec<PathSegment>,
    log: &mut CoercionLog<'_>,
) -> Vec<Value> {
    let made = parts.iter().enumerate().map(|(index, part)| {
        path.push(PathSegment::Index(index));
        let item = part.make(&mut old, path, log);
        path.pop();
        item
    });
    made.collect()
}

fn made_object(
    parts: &[(String, OutcomePart)],
    mut old: Value,
    path: &mut Vec<PathSegment>,
    log: &mut CoercionLog<'_>,
) -> Map<String, Value> {
    let mut members = Map::with_capacity(parts.len());
    for (key, part) in parts {
        let member = if part.outcome.is_same() {
            part.take(&mut old)
        } else {
            path.push(PathSegment::Key(key.clone()));
            let member = part.make(&mut old, path, log);
            path.pop();
            member
        };
        members.insert(key.clone(), member);
    }
    members
}

impl OutcomePart {
    pub(super) const fn whole(outcome: Rc<Outcome>) -> Self {
        Self { source: Source::Whole, outcome }
    }

    pub(super) const fn item(index: usize, outcome: Rc<Outcome>) -> Self {
        Self { source: Source::Index(index), outcome }
    }

    pub(super) fn member(key: &str, outcome: Rc<Outcome>) -> Self {
        Self { source: Source::Key(key.to_owned()), outcome }
    }

    /// Applies the outcome of the part to its source.
    fn make(
        &self,
        old: &mut Value,
        path: &mut Vec<PathSegment>,
        log: &mut CoercionLog<'_>,
    ) -> Value {
        self.outcome.make(self.take(old), path, log)
    }

    /// Takes the source out of the old value. Each source is used by only one part.
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
    fn report(&self, path: &mut Vec<PathSegment>, log: &mut CoercionLog<'_>) {
        let (Self::Fix { at, .. } | Self::Doubt { at, .. }) = self;
        let depth = path.len();
        path.extend(at.clone());
        match self {
            Self::Fix { fix, .. } => log.repairs.add(path, fix.clone()),
            Self::Doubt { message, .. } => {
                log.doubts.extend([Issue::new(format_path(path), message.clone())]);
            }
        }
        path.truncate(depth);
    }
}
