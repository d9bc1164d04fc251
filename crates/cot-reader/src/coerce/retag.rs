//! Variants of an enum that were written in another of the forms that enums have.

use std::rc::Rc;

use cot_schema::internal::{Either, Label, LabelForm, NodeId, same_name, strip_marks};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome},
};
use crate::repair::catalogue::RepairKind;

/// Keys under which models name a variant.
const TAGS: [&str; 7] = ["type", "kind", "tag", "variant", "case", "$type", "discriminator"];

impl Coercer<'_> {
    /// The variant that is named in another form, or that is not named, but can only be this one.
    pub(super) fn in_another_form(
        &mut self,
        either: &Either,
        value: &Value,
        lossy: bool,
    ) -> Option<Rc<Outcome>> {
        let forms = other_forms(either, value);
        let found = self.fitting(forms, lossy, RepairKind::VariantForm);
        self.cheapest(&found, value).or_else(|| {
            let forms = self.untagged(either, value);
            let found = self.fitting(forms, lossy, RepairKind::MissingTag);
            match found.as_slice() {
                [(_, only)] => Some(Rc::clone(only)),
                _ => None,
            }
        })
    }

    /// Those of some other forms that fit.
    fn fitting(
        &mut self,
        forms: Vec<(NodeId, Value)>,
        lossy: bool,
        kind: RepairKind,
    ) -> Vec<(NodeId, Rc<Outcome>)> {
        let mut found = Vec::new();
        for (branch, form) in forms {
            let form = self.keep(form);
            let inner = self.coerce(branch, &form, lossy);
            if inner.fits() {
                let form = Form::Instead(form, Rc::clone(&inner));
                let outcome = Outcome::mended(form, kind);
                found.push((branch, Rc::new(outcome.with(&inner))));
            }
        }
        found
    }

    /// An object without its tag, for each of the variants that know all that it has.
    fn untagged(&self, either: &Either, value: &Value) -> Vec<(NodeId, Value)> {
        let Value::Object(members) = value else { return Vec::new() };
        let mut forms = Vec::new();
        for label in &either.labels {
            if let LabelForm::Tag { tag, .. } = &label.form
                && !members.keys().any(|key| same_name(key, tag))
                && self.shape.knows_all(label.branch, members)
            {
                forms.push((label.branch, tagged(tag, label, members.clone())));
            }
        }
        forms
    }
}

/// The forms that a value could be the other form of.
fn other_forms(either: &Either, value: &Value) -> Vec<(NodeId, Value)> {
    let mut forms = Vec::new();
    match value {
        Value::String(text) => {
            for label in either.labels_named(strip_marks(text)) {
                add_forms(label, &Value::Null, &mut forms);
            }
        }
        Value::Object(members) => {
            if let (1, Some((key, inner))) = (members.len(), members.iter().next()) {
                for label in either.labels_named(key) {
                    add_forms(label, inner, &mut forms);
                }
            }
            for (key, name) in members {
                let Value::String(name) = name else { continue };
                if TAGS.contains(&key.as_str()) || either.tags.iter().any(|tag| same_name(tag, key))
                {
                    add_tagged_forms(either, members, (key, name), &mut forms);
                }
            }
        }
        _ => {}
    }
    forms
}

/// The forms of an object that names a variant at one of its keys.
fn add_tagged_forms(
    either: &Either,
    members: &Map<String, Value>,
    (key, name): (&str, &str),
    forms: &mut Vec<(NodeId, Value)>,
) {
    for label in either.labels_named(name) {
        let mut rest = members.clone();
        // The order of what is left is kept.
        rest.shift_remove(key);
        let only = rest.values().next().filter(|_| rest.len() == 1).cloned();
        add_forms(label, &Value::Object(rest), forms);
        if let (Some(only), LabelForm::Key) = (only, &label.form) {
            add_forms(label, &only, forms);
        }
    }
}

/// The forms of a variant with its content.
fn add_forms(label: &Label, content: &Value, forms: &mut Vec<(NodeId, Value)>) {
    let is_empty = match content {
        Value::Null => true,
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let mut add = |value| forms.push((label.branch, value));
    match (&label.form, content) {
        (LabelForm::Unit, _) if is_empty => add(Value::String(label.name.clone())),
        (LabelForm::Unit, _) => {}
        (LabelForm::Key, _) => {
            add(Value::Object(Map::from_iter([(label.name.clone(), content.clone())])));
        }
        (LabelForm::Tag { tag, .. }, _) if is_empty => add(tagged(tag, label, Map::new())),
        (LabelForm::Tag { tag, content: place }, _) => {
            if let Value::Object(members) = content {
                add(tagged(tag, label, members.clone()));
            }
            if let Some(place) = place {
                let rest = Map::from_iter([(place.clone(), content.clone())]);
                add(tagged(tag, label, rest));
            }
        }
    }
}

/// An object with its tag, which comes first.
fn tagged(tag: &str, label: &Label, rest: Map<String, Value>) -> Value {
    let mut members = Map::from_iter([(tag.to_owned(), Value::String(label.name.clone()))]);
    for (key, value) in rest {
        if key != tag {
            members.insert(key, value);
        }
    }
    Value::Object(members)
}
