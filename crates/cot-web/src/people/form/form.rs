//! The form of a schema.

use cot_schema::{
    Issues,
    internal::{Document, is_wrapped},
};
use serde_json::{Value, json};

use super::{
    entered::{Entered, Mark},
    fill::{fill, json_text},
    located::FieldIssues,
    pointer::ROOT,
    read::{Reading, read},
    render::renderer::{Renderer, Shown},
};

/// The form of the values of a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form<'s> {
    schema: &'s Value,
}

/// The issues of what was entered, at the fields that they are about.
#[derive(Debug, Default)]
pub(crate) struct FormIssues(pub(super) FieldIssues);

impl<'s> Form<'s> {
    pub(crate) const fn new(schema: &'s Value) -> Self {
        Self { schema }
    }

    const fn document(&self) -> Document<'s> {
        Document::new(self.schema)
    }

    /// Enters a value.
    pub(crate) fn fill(&self, value: &Value) -> Entered {
        let document = self.document();
        fill(document, &[document.subschema()], value, (ROOT, true))
    }

    /// Reads the value that was entered, and checks it.
    ///
    /// # Errors
    ///
    /// The issues of the fields, if a field can't be read or the check rejects the value.
    pub(crate) fn read(
        &self,
        entered: &Entered,
        check: impl FnOnce(&Value) -> Result<(), Issues>,
    ) -> Result<Value, FormIssues> {
        let Reading { value, mut issues, located } = read(self.document(), entered);
        let Some(value) = value else { return Err(FormIssues(issues)) };
        if let Err(found) = check(&value) {
            found.iter().for_each(|issue| located.locate(issue, &mut issues));
        }
        if issues.is_empty() { Ok(value) } else { Err(FormIssues(issues)) }
    }

    /// Returns the fields of issues that were found in the value that is entered.
    pub(crate) fn locate(&self, entered: &Entered, found: &Issues) -> FormIssues {
        let mut issues = FieldIssues::new();
        let located = read(self.document(), entered).located;
        found.iter().for_each(|issue| located.locate(issue, &mut issues));
        FormIssues(issues)
    }

    /// Shows what was entered, with issues at their fields.
    pub(crate) fn show(&self, entered: &Entered, issues: &FormIssues) -> Shown {
        let label = if is_wrapped(self.schema) { Some("Your answer") } else { None };
        Renderer::new(self.document(), entered.clone(), &issues.0).show(label)
    }

    /// Returns whether the whole answer is shown as JSON.
    pub(crate) fn is_json(entered: &Entered) -> bool {
        entered.text(ROOT, Mark::Json).is_some()
    }

    /// Enters the value as JSON.
    pub(super) fn show_json(&self, entered: &mut Entered) {
        let value = read(self.document(), entered).value.unwrap_or_else(|| json!({}));
        let mut text = Entered::default();
        text.set(ROOT, Mark::Json, json_text(&value));
        *entered = text;
    }

    /// Enters the value of the JSON that was entered, if it is JSON.
    pub(super) fn show_fields(&self, entered: &mut Entered) {
        if let Some(value) = read(self.document(), entered).value {
            *entered = self.fill(&value);
        }
    }
}
