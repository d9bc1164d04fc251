//! Converts variants of an enum between their representations.

use std::rc::Rc;

use cot_schema::internal::{Either, Label, LabelForm, NodeId, same_name, strip_marks};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome},
};
use crate::repair::catalogue::RepairKind;

/// Common keys for the name of a variant.
const TAGS: [&str; 7] = ["type", "kind", "tag", "variant", "case", "$type", "discriminator"];

impl Coercer<'_> {
    /// Coerces a variant in another representation, or a variant without its tag if only one matches.
    pub(super) fn convert_variant(
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

    /// Evaluates converted forms and returns the outcomes that fit.
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
                let outcome = Outcome::repaired(form, kind);
                found.push((branch, Rc::new(outcome.including(&inner))));
            }
        }
        found
    }

    /// Adds the tag of each variant that knows all keys of an object without a tag.
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

/// Converts a value to all representations of the variants that it names.
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

/// Adds the representations of an object that names a variant by one of its members.
fn add_tagged_forms(
    either: &Either,
    members: &Map<String, Value>,
    (key, name): (&str, &str),
    forms: &mut Vec<(NodeId, Value)>,
) {
    for label in either.labels_named(name) {
        let mut rest = members.clone();
        // The order of the other members is preserved.
        rest.shift_remove(key);
        let only = rest.values().next().filter(|_| rest.len() == 1).cloned();
        add_forms(label, &Value::Object(rest), forms);
        if let (Some(only), LabelForm::Key) = (only, &label.form) {
            add_forms(label, &only, forms);
        }
    }
}

/// Adds the representations of a variant with its content.
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

/// Returns an object with a tag as its first member.
fn tagged(tag: &str, label: &Label, rest: Map<String, Value>) -> Value {
    let mut members = Map::from_iter([(tag.to_owned(), Value::String(label.name.clone()))]);
    for (key, value) in rest {
        if key != tag {
            members.insert(key, value);
        }
    }
    Value::Object(members)
}
