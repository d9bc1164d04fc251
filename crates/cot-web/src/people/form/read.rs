//! Reads the value that was entered into a form.

use cot_schema::internal::{Document, PathSegment, Subschema, format_path};
use serde_json::{Map, Number, Value};

use super::{
    entered::{EMPTY, Entered, HERE, Mark, NULL},
    field::{Case, Choice, Content, Field, FieldKind, List, Member, Object},
    located::{FieldIssues, Located, REQUIRED},
    pointer,
};

/// What was entered into a form, read.
#[derive(Debug)]
pub(super) struct Reading {
    /// The value, as far as it is there. What is no number, say, is the text that was entered.
    pub(super) value: Option<Value>,
    /// What is missing or can't be read.
    pub(super) issues: FieldIssues,
    pub(super) located: Located,
}

/// Reads the value of a whole form.
pub(super) fn read(document: Document<'_>, entered: &Entered) -> Reading {
    let mut reader = Reader {
        document,
        entered,
        path: Vec::new(),
        issues: FieldIssues::new(),
        located: Located::default(),
    };
    let value = reader.part(&[document.subschema()], pointer::ROOT, true);
    Reading { value, issues: reader.issues, located: reader.located }
}

struct Reader<'s, 'e> {
    document: Document<'s>,
    entered: &'e Entered,
    path: Vec<PathSegment>,
    issues: FieldIssues,
    located: Located,
}

impl<'s> Reader<'s, '_> {
    fn part(&mut self, parts: &[Subschema<'s>], pointer: &str, is_required: bool) -> Option<Value> {
        self.located.add(format_path(&self.path), pointer);
        if let Some(text) = self.entered.text(pointer, Mark::Json) {
            return self.json(text, pointer, is_required);
        }
        let known = self.issues.len();
        let field = Field::at(self.document, parts, (pointer, !is_required));
        let is_null = is_required || self.entered.is(pointer, NULL);
        match self.value(&field, pointer) {
            Some(value) => return Some(value),
            None if field.is_nullable && is_null => return Some(Value::Null),
            None if is_required && self.issues.len() == known => self.report(pointer, REQUIRED),
            None => {}
        }
        None
    }

    fn inner(
        &mut self,
        segment: PathSegment,
        parts: &[Subschema<'s>],
        pointer: &str,
        is_required: bool,
    ) -> Option<Value> {
        self.path.push(segment);
        let value = self.part(parts, pointer, is_required);
        self.path.pop();
        value
    }

    fn report(&mut self, pointer: &str, message: impl Into<String>) {
        self.issues.entry(pointer.to_owned()).or_default().push(message.into());
    }

    fn json(&mut self, text: &str, pointer: &str, is_required: bool) -> Option<Value> {
        if text.trim().is_empty() {
            if is_required {
                self.report(pointer, REQUIRED);
            }
            return None;
        }
        match serde_json::from_str(text) {
            Ok(value) => Some(value),
            Err(error) => {
                self.report(pointer, format!("is not JSON: {error}"));
                None
            }
        }
    }

    fn value(&mut self, field: &Field<'s>, pointer: &str) -> Option<Value> {
        let text = self.entered.text(pointer, Mark::Value);
        let filled = text.filter(|text| !text.trim().is_empty());
        let is_here = self.entered.is(pointer, HERE);
        match &field.kind {
            FieldKind::Fixed(value) => Some((*value).clone()),
            FieldKind::Json => None,
            FieldKind::Text(_) => {
                let is_empty = self.entered.is(pointer, EMPTY);
                text.filter(|text| !text.is_empty() || is_empty).map(Value::from)
            }
            FieldKind::Number => filled.map(number),
            FieldKind::Bool => filled.map(|text| match text {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                other => Value::from(other),
            }),
            FieldKind::Choice(choices) => {
                filled.map(|text| chosen(choices, text).cloned().unwrap_or_else(|| text.into()))
            }
            FieldKind::Several(choices) => is_here.then(|| {
                let texts = self.entered.all(pointer, Mark::Value).iter();
                texts
                    .map(|text| {
                        chosen(choices, text).cloned().unwrap_or_else(|| text.as_str().into())
                    })
                    .collect()
            }),
            FieldKind::List(list) => is_here.then(|| self.list(list, pointer)),
            FieldKind::Object(object) => is_here.then(|| self.object(object, pointer)),
            FieldKind::Variants(cases) => self.variant(cases, pointer),
        }
    }

    fn list(&mut self, list: &List<'s>, pointer: &str) -> Value {
        let rows = 0..self.entered.rows(pointer).unwrap_or_default();
        let rows = rows.map_while(|index| Some((index, list.row(index)?)));
        let items = rows.map(|(index, parts)| {
            let at = pointer::row(pointer, index);
            // A row without a value is reported; the others keep their numbers.
            self.inner(PathSegment::Index(index), parts, &at, true).unwrap_or_default()
        });
        items.collect()
    }

    fn object(&mut self, object: &Object<'s>, pointer: &str) -> Value {
        let mut members = Map::new();
        for Member { name, parts, is_required } in &object.members {
            let at = pointer::member(pointer, name);
            let key = PathSegment::Key((*name).to_owned());
            if let Some(value) = self.inner(key, parts, &at, *is_required) {
                members.insert((*name).to_owned(), value);
            }
        }
        let Some(parts) = &object.rest else { return Value::Object(members) };
        let rest = pointer::rest(pointer);
        for index in 0..self.entered.rows(&rest).unwrap_or_default() {
            let at = pointer::row(&rest, index);
            let key = self.entered.text(&at, Mark::Key).unwrap_or_default().to_owned();
            let is_named = object.members.iter().any(|member| member.name == key);
            if is_named || members.contains_key(&key) {
                self.report(
                    &pointer::case(&at),
                    format!("there is a value of the name `{key}` already"),
                );
                continue;
            }
            let segment = PathSegment::Key(key.clone());
            let value = self.inner(segment, parts, &pointer::case(&at), true);
            members.insert(key, value.unwrap_or_default());
        }
        Value::Object(members)
    }

    fn variant(&mut self, cases: &[Case<'s>], pointer: &str) -> Option<Value> {
        let case = chosen_case(self.entered, cases, pointer)?;
        match &case.content {
            Content::Value(value) => Some((*value).clone()),
            Content::Parts(parts) => self.part(parts, &pointer::case(pointer), true),
        }
    }
}

/// Returns the variant that was chosen.
pub(super) fn chosen_case<'c, 's>(
    entered: &Entered,
    cases: &'c [Case<'s>],
    pointer: &str,
) -> Option<&'c Case<'s>> {
    cases.get(entered.text(pointer, Mark::As)?.parse::<usize>().ok()?)
}

fn chosen<'s>(choices: &[Choice<'s>], text: &str) -> Option<&'s Value> {
    choices.iter().find(|choice| choice.control_text() == text).map(|choice| choice.value)
}

/// Reads a number. Another text is kept, so that the reason why it is none is that of the schema.
fn number(text: &str) -> Value {
    let text = text.trim();
    text.parse::<Number>().map_or_else(|_| Value::from(text), Value::Number)
}
