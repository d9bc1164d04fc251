//! Enters a value into a form.

use cot_schema::internal::{Document, Subschema};
use serde_json::Value;

use super::{
    entered::{EMPTY, Entered, HERE, MAX_ROWS, Mark, NONE, NULL},
    field::{Case, Choice, Content, Field, FieldKind, List, Member, Object, Parts, TextKind},
    pointer,
};

/// The maximum number of parts that are tried.
const MAX_TRIED: usize = 20_000;

/// Enters a value at a place. What the fields of its schema can't express is entered as JSON.
pub(super) fn fill<'s>(
    document: Document<'s>,
    parts: &[Subschema<'s>],
    value: &Value,
    (pointer, is_required): (&str, bool),
) -> Entered {
    let mut filler =
        Filler { document, entered: Entered::default(), is_trial: false, left: MAX_TRIED };
    filler.part(parts, value, pointer, is_required);
    filler.entered
}

/// Returns a value as the text of a JSON field.
pub(super) fn json_text(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

struct Filler<'s> {
    document: Document<'s>,
    entered: Entered,
    /// Whether a variant is tried, which every part has to fit.
    is_trial: bool,
    left: usize,
}

/// A value does not fit the fields of its place.
struct Unfit;

impl<'s> Filler<'s> {
    fn part(&mut self, parts: &[Subschema<'s>], value: &Value, pointer: &str, is_required: bool) {
        if self.try_part(parts, value, pointer, is_required).is_err() {
            self.entered.remove(pointer);
            self.entered.set(pointer, Mark::Json, json_text(value));
        }
    }

    /// Enters a part of a value that fits, or any in the end.
    fn inner(
        &mut self,
        parts: &[Subschema<'s>],
        value: &Value,
        pointer: &str,
        is_required: bool,
    ) -> Result<(), Unfit> {
        match self.is_trial {
            true => self.try_part(parts, value, pointer, is_required)?,
            false => self.part(parts, value, pointer, is_required),
        }
        Ok(())
    }

    fn try_part(
        &mut self,
        parts: &[Subschema<'s>],
        value: &Value,
        pointer: &str,
        is_required: bool,
    ) -> Result<(), Unfit> {
        self.left = self.left.checked_sub(1).ok_or(Unfit)?;
        let field = Field::at(self.document, parts, (pointer, !is_required));
        if value.is_null() && field.is_nullable {
            self.entered.set(pointer, Mark::Is, NULL);
            return Ok(());
        }
        match &field.kind {
            FieldKind::Fixed(only) => return if *only == value { Ok(()) } else { Err(Unfit) },
            FieldKind::Json => self.entered.set(pointer, Mark::Json, json_text(value)),
            FieldKind::Text(kind) => self.text(*kind, value.as_str().ok_or(Unfit)?, pointer)?,
            FieldKind::Number if value.is_number() => {
                self.entered.set(pointer, Mark::Value, value.to_string());
            }
            FieldKind::Bool if value.is_boolean() => {
                self.entered.set(pointer, Mark::Value, value.to_string());
            }
            FieldKind::Number | FieldKind::Bool => return Err(Unfit),
            FieldKind::Choice(choices) => {
                let choice = choices.iter().find(|choice| choice.value == value).ok_or(Unfit)?;
                self.entered.set(pointer, Mark::Value, choice.control_text());
            }
            FieldKind::Several(choices) => self.several(choices, value, pointer)?,
            FieldKind::List(list) => self.list(list, value, pointer)?,
            FieldKind::Object(object) => self.object(object, value, pointer)?,
            FieldKind::Variants(cases) => self.variants(cases, value, pointer)?,
        }
        Ok(())
    }

    /// Enters a text that a browser posts as it is.
    fn text(&mut self, kind: TextKind, text: &str, pointer: &str) -> Result<(), Unfit> {
        let is_altered = match kind {
            TextKind::Long => false,
            TextKind::Short => text.contains('\n'),
            TextKind::Date | TextKind::Email | TextKind::Url => {
                text.contains('\n') || text.trim() != text
            }
        };
        if is_altered || text.contains(['\r', '\0']) {
            return Err(Unfit);
        }
        self.entered.set(pointer, Mark::Value, text);
        if text.is_empty() {
            self.entered.set(pointer, Mark::Is, EMPTY);
        }
        Ok(())
    }

    fn several(
        &mut self,
        choices: &[Choice<'s>],
        value: &Value,
        pointer: &str,
    ) -> Result<(), Unfit> {
        let items = value.as_array().ok_or(Unfit)?;
        let chosen = choices.iter().filter(|choice| items.contains(choice.value));
        let (texts, values): (Vec<_>, Vec<_>) =
            chosen.map(|choice| (choice.control_text(), choice.value)).unzip();
        if !values.into_iter().eq(items) {
            return Err(Unfit);
        }
        self.entered.set(pointer, Mark::Is, HERE);
        self.entered.set_all(pointer, Mark::Value, texts);
        Ok(())
    }

    fn list(&mut self, list: &List<'s>, value: &Value, pointer: &str) -> Result<(), Unfit> {
        let items = value.as_array().filter(|items| items.len() <= MAX_ROWS).ok_or(Unfit)?;
        if items.len() < list.prefix.len() {
            return Err(Unfit);
        }
        for (index, item) in items.iter().enumerate() {
            let parts = list.row(index).ok_or(Unfit)?;
            self.inner(parts, item, &pointer::row(pointer, index), true)?;
        }
        self.entered.set(pointer, Mark::Is, HERE);
        self.entered.set(pointer, Mark::Rows, items.len().to_string());
        Ok(())
    }

    fn object(&mut self, object: &Object<'s>, value: &Value, pointer: &str) -> Result<(), Unfit> {
        let members = value.as_object().ok_or(Unfit)?;
        let is_named = |name: &str| object.members.iter().any(|member| member.name == name);
        let others: Vec<_> = members.iter().filter(|(name, _)| !is_named(name)).collect();
        if others.len() > MAX_ROWS {
            return Err(Unfit);
        }
        for Member { name, parts, is_required } in &object.members {
            let at = pointer::member(pointer, name);
            match members.get(*name) {
                Some(value) => self.inner(parts, value, &at, *is_required)?,
                None if *is_required && self.is_trial => return Err(Unfit),
                // Otherwise the default would be shown.
                None => self.entered.set(&at, Mark::Is, NONE),
            }
        }
        self.entered.set(pointer, Mark::Is, HERE);
        let Some(parts) = &object.rest else {
            return if others.is_empty() { Ok(()) } else { Err(Unfit) };
        };
        let rest = pointer::rest(pointer);
        for (index, (key, value)) in others.iter().enumerate() {
            if key.contains(['\r', '\n', '\0']) {
                return Err(Unfit);
            }
            let at = pointer::row(&rest, index);
            self.entered.set(&at, Mark::Key, key.as_str());
            self.row_of_rest(parts, value, &at)?;
        }
        self.entered.set(&rest, Mark::Rows, others.len().to_string());
        Ok(())
    }

    /// Enters the value of an entry, whose key is entered at the same place.
    fn row_of_rest(&mut self, parts: &Parts<'s>, value: &Value, at: &str) -> Result<(), Unfit> {
        self.inner(parts, value, &pointer::case(at), true)
    }

    fn variants(&mut self, cases: &[Case<'s>], value: &Value, pointer: &str) -> Result<(), Unfit> {
        let was_trial = std::mem::replace(&mut self.is_trial, true);
        let at = pointer::case(pointer);
        let fits = |(index, case): (usize, &Case<'s>)| {
            let fits = match &case.content {
                Content::Value(only) => *only == value,
                Content::Parts(parts) => self.try_part(parts, value, &at, true).is_ok(),
            };
            if !fits {
                self.entered.remove(&at);
            }
            fits.then_some(index)
        };
        let chosen = cases.iter().enumerate().find_map(fits);
        self.is_trial = was_trial;
        self.entered.set(pointer, Mark::As, chosen.ok_or(Unfit)?.to_string());
        Ok(())
    }
}

impl<'s> List<'s> {
    /// Returns the schemas of the row at an index, if there can be one.
    pub(super) fn row(&self, index: usize) -> Option<&Parts<'s>> {
        self.prefix.get(index).or(self.items.as_ref())
    }
}
