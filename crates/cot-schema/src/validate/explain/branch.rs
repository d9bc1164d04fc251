//! Explains values that match none of several alternatives, such as the variants of an enum.

use jsonschema::ValidationError;
use serde_json::Value;

use super::explain::Explainer;
use crate::{
    graph::{
        document::{Document, Subschema},
        node::Types,
        place::Place,
    },
    issue::Issue,
    path::push_key,
    validate::message,
};

/// The feature that distinguishes an alternative from the others.
enum Form<'s> {
    /// One of some constants: unit variants.
    Values(Vec<&'s Value>),
    /// An object with exactly this key: an externally tagged variant.
    Keyed(&'s str),
    /// An object with this key and value: an internally or adjacently tagged variant.
    Tagged(&'s str, &'s Value),
    /// Anything else.
    Open,
}

struct Branch<'s, 'e> {
    form: Form<'s>,
    /// The JSON types that the branch accepts. An empty list means any.
    types: Vec<&'s str>,
    errors: &'e [ValidationError<'static>],
}

type Errors = Vec<ValidationError<'static>>;

impl Explainer<'_> {
    pub(super) fn explain_branches(&mut self, error: &ValidationError<'_>, context: &[Errors]) {
        let value: &Value = error.instance();
        let schema = self.schema;
        let branches = branches(schema, error.schema_path().as_str(), context);
        if let Some(chosen) = branches.iter().find(|branch| branch.form.is_chosen_by(value)) {
            return self.explain_all(chosen.errors);
        }
        if branches.iter().all(Branch::is_closed) {
            return self.add(self.path(error), closed_message(branches.iter()), value);
        }
        let compatible: Vec<_> = branches.iter().filter(|b| b.admits_type_of(value)).collect();
        if compatible.is_empty() {
            self.add(self.path(error), message::wrong_type(&all_types(&branches), value), value);
        } else if let [only] = compatible.as_slice() {
            self.explain_all(only.errors);
        } else if compatible.iter().all(|branch| branch.is_closed()) {
            self.add(self.path(error), closed_message(compatible.into_iter()), value);
        } else if let Some(tag) = compatible.iter().find_map(|branch| branch.form.tag()) {
            self.explain_tag(error, tag, &compatible);
        } else {
            self.explain_nearest(error, &branches);
        }
    }

    fn explain_all(&mut self, errors: &[ValidationError<'static>]) {
        for error in errors {
            self.explain(error);
        }
    }

    fn explain_tag(
        &mut self,
        error: &ValidationError<'_>,
        tag: &str,
        branches: &[&Branch<'_, '_>],
    ) {
        let allowed = branches.iter().filter_map(|branch| match branch.form {
            Form::Tagged(name, value) if name == tag => Some(value),
            _ => None,
        });
        let allowed = message::one_of(allowed);
        let mut path = self.path(error);
        if let Some(given) = error.instance().get(tag) {
            push_key(&mut path, tag);
            self.add(path, allowed, given);
        } else {
            let message = format!("`{tag}` is required, and {allowed}");
            self.issues.push(Issue::new(path, message));
        }
    }

    fn explain_nearest(&mut self, error: &ValidationError<'_>, branches: &[Branch<'_, '_>]) {
        let mut message = format!("fits none of the {} allowed forms", branches.len());
        let nearest = branches.iter().min_by_key(|branch| branch.errors.len());
        let mut scratch = Self { issues: Vec::new(), omitted: 0, ..*self };
        scratch.explain_all(nearest.map_or(&[], |branch| branch.errors));
        if let Some(first) = scratch.issues.first() {
            message = format!("{message}; in the nearest one, {first}");
        }
        self.add(self.path(error), message, error.instance());
    }
}

impl<'s> Form<'s> {
    fn from_place(place: &Place<'s>) -> Self {
        if let Some(options) = &place.options {
            return Self::Values(options.clone());
        }
        tagged(place).or_else(|| keyed(place)).unwrap_or(Self::Open)
    }

    fn is_chosen_by(&self, value: &Value) -> bool {
        match self {
            Self::Keyed(key) => value.get(key).is_some(),
            Self::Tagged(key, tag) => value.get(key) == Some(*tag),
            Self::Values(_) | Self::Open => false,
        }
    }

    fn tag(&self) -> Option<&'s str> {
        match self {
            Self::Tagged(key, _) => Some(key),
            _ => None,
        }
    }
}

impl Branch<'_, '_> {
    /// Returns whether the accepted values can be listed in a message.
    fn is_closed(&self) -> bool {
        matches!(self.form, Form::Values(_) | Form::Keyed(_))
    }

    fn admits_type_of(&self, value: &Value) -> bool {
        let value_type = message::type_of(value);
        let fits =
            |name: &&str| *name == value_type || (*name == "number" && value_type == "integer");
        self.types.is_empty() || self.types.iter().any(fits)
    }
}

fn branches<'s, 'e>(root: &'s Value, pointer: &str, context: &'e [Errors]) -> Vec<Branch<'s, 'e>> {
    let schemas = root.pointer(pointer).and_then(Value::as_array);
    let schemas = schemas.into_iter().flatten().map(Some).chain(std::iter::repeat(None));
    let branch = |(errors, schema): (&'e Errors, Option<&'s Value>)| match schema {
        Some(schema) => {
            let place = Place::new(Document::new(root), &[Subschema::new(schema)]);
            Branch { form: Form::from_place(&place), types: types(&place), errors }
        }
        None => Branch { form: Form::Open, types: Vec::new(), errors },
    };
    context.iter().zip(schemas).map(branch).collect()
}

/// Returns the first property that is constant.
fn tagged<'s>(place: &Place<'s>) -> Option<Form<'s>> {
    let mut properties = place.properties.iter();
    properties.find_map(|(key, schemas)| {
        let constant = schemas.iter().find_map(|part| part.schema.get("const"))?;
        Some(Form::Tagged(key, constant))
    })
}

fn keyed<'s>(place: &Place<'s>) -> Option<Form<'s>> {
    match place.required.as_slice() {
        [key] if place.is_closed => Some(Form::Keyed(key)),
        _ => None,
    }
}

/// Returns the JSON types that a place accepts, in the order of the schema. If they contradict each other,
/// returns all that the schema names.
fn types<'s>(place: &Place<'s>) -> Vec<&'s str> {
    let names = place.keyword_values("type").flat_map(|said| match said {
        Value::Array(names) => names.as_slice(),
        name => std::slice::from_ref(name),
    });
    let admits =
        |name: &&str| place.types == Types::NONE || place.types.contains(Types::from_name(name));
    names.filter_map(Value::as_str).filter(admits).collect()
}

fn all_types<'s>(branches: &[Branch<'s, '_>]) -> Vec<&'s str> {
    let mut all = Vec::new();
    for name in branches.iter().flat_map(|branch| &branch.types) {
        if !all.contains(name) {
            all.push(*name);
        }
    }
    all
}

/// Formats the constants and keys that closed branches accept as one message.
fn closed_message<'b>(branches: impl Iterator<Item = &'b Branch<'b, 'b>>) -> String {
    let (mut values, mut keys) = (Vec::new(), Vec::new());
    for branch in branches {
        match &branch.form {
            Form::Values(some) => values.extend(some.iter().copied()),
            Form::Keyed(key) => keys.push((*key).to_owned()),
            Form::Tagged(..) | Form::Open => {}
        }
    }
    let objects = match keys.as_slice() {
        [] => return message::one_of(values),
        [key] => format!("an object with the key {}", message::quoted_names([key])),
        keys => format!("an object with exactly one of the keys {}", message::quoted_names(keys)),
    };
    if values.is_empty() {
        format!("must be {objects}")
    } else {
        format!("{}, or {objects}", message::one_of(values))
    }
}
