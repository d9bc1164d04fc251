//! Renders the fields of a form.

use cot_schema::internal::{Document, Subschema};
use maud::{Markup, html};

use super::super::{
    entered::{Entered, HERE, Mark, NONE, NULL},
    field::{Field, FieldKind},
    fill::fill,
    label,
    located::{FieldIssues, REQUIRED},
    pointer::{self, element_id},
};
use crate::frame::text::shown;

/// The maximum number of fields; further lists, objects and variants are edited as JSON.
const MAX_FIELDS: usize = 2_000;

/// A form as HTML.
pub(crate) struct Shown {
    /// The issues, with links to the fields.
    pub(crate) summary: Option<Markup>,
    /// The fields.
    pub(crate) fields: Markup,
}

/// Renders what was entered into a form, with issues at the fields.
pub(in super::super) struct Renderer<'s, 'i> {
    pub(super) document: Document<'s>,
    pub(super) entered: Entered,
    issues: &'i FieldIssues,
    /// The number of fields that can still be rendered.
    left: usize,
    /// The labels of the groups around the current field.
    pub(super) trail: Vec<String>,
    /// The pointers of the fields that show their issues, and their labels.
    shown: Vec<(String, String)>,
}

/// A field to be rendered.
#[derive(Clone, Copy)]
pub(super) struct Spot<'f, 's> {
    pub(super) parts: &'f [Subschema<'s>],
    pub(super) pointer: &'f str,
    pub(super) label: &'f str,
    pub(super) is_required: bool,
}

impl<'s, 'i> Renderer<'s, 'i> {
    pub(in super::super) fn new(
        document: Document<'s>,
        entered: Entered,
        issues: &'i FieldIssues,
    ) -> Self {
        Self { document, entered, issues, left: MAX_FIELDS, trail: Vec::new(), shown: Vec::new() }
    }

    /// Renders the whole form. `label` is that of an answer that is not an object.
    pub(in super::super) fn show(mut self, label: Option<&str>) -> Shown {
        let root = self.document.subschema();
        let parts = [root];
        let field = Field::at(self.document, &parts, (pointer::ROOT, false));
        let is_plain = self.entered.text(pointer::ROOT, Mark::Json).is_none();
        let fields = match &field.kind {
            // The members of the answer need no frame around them.
            FieldKind::Object(object) if is_plain => {
                let label = label.map(|label| ("value", label));
                self.members(object, pointer::ROOT, label)
            }
            _ => {
                let label = if is_plain { "Your answer" } else { "Your answer, as JSON" };
                let spot = Spot { parts: &parts, pointer: pointer::ROOT, label, is_required: true };
                self.field(spot)
            }
        };
        Shown { summary: self.summary(), fields }
    }

    /// Renders a field.
    pub(super) fn field(&mut self, spot: Spot<'_, 's>) -> Markup {
        let Spot { parts, pointer, is_required, .. } = spot;
        let field = Field::at(self.document, parts, (pointer, !is_required));
        if let Some(default) = field.default.filter(|_| !self.entered.has(pointer)) {
            let filled = fill(self.document, parts, default, (pointer, is_required));
            self.entered.merge(filled);
        }
        self.left = self.left.saturating_sub(1);
        let is_large = matches!(
            field.kind,
            FieldKind::List(_)
                | FieldKind::Object(_)
                | FieldKind::Variants(_)
                | FieldKind::Several(_)
        );
        if let Some(text) = self.entered.text(pointer, Mark::Json) {
            let text = text.to_owned();
            return self.json(spot, &field, &text);
        }
        if matches!(field.kind, FieldKind::Json) || (is_large && self.left == 0) {
            return self.json(spot, &field, "");
        }
        let control = match &field.kind {
            FieldKind::Fixed(_) | FieldKind::Json => return html! {},
            FieldKind::Text(kind) => self.text(spot, &field, *kind),
            FieldKind::Number => self.number(spot, &field),
            FieldKind::Bool => self.bool(spot, &field),
            FieldKind::Choice(choices) => self.choice(spot, &field, choices),
            FieldKind::Several(choices) => self.several(spot, &field, choices),
            FieldKind::List(list) => self.list(spot, &field, list),
            FieldKind::Object(object) => self.object(spot, &field, object),
            FieldKind::Variants(cases) => self.variants(spot, &field, cases),
        };
        html! { (control) (self.absence(pointer)) }
    }

    /// Keeps that a value is absent or null.
    fn absence(&self, pointer: &str) -> Markup {
        let is = self.entered.text(pointer, Mark::Is).filter(|is| [NONE, NULL].contains(is));
        html! { @if let Some(is) = is { input type="hidden" name=(Mark::Is.name(pointer)) value=(is); } }
    }

    /// Marks that the fields of a value are shown.
    pub(super) fn presence(pointer: &str) -> Markup {
        html! { input type="hidden" name=(Mark::Is.name(pointer)) value=(HERE); }
    }

    /// Takes the issues of a field, which is about to show them.
    pub(super) fn issues(&mut self, pointer: &str, label: &str) -> &'i [String] {
        let mut trail = self.trail.clone();
        trail.push(label.to_owned());
        self.shown.push((pointer.to_owned(), trail.join(" › ")));
        self.issues.get(pointer).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a field was left empty that has to be filled in.
    pub(super) fn is_missing(&self, pointer: &str) -> bool {
        self.issues.get(pointer).is_some_and(|issues| issues.iter().any(|issue| issue == REQUIRED))
    }

    /// Renders all issues, those of fields with links to them.
    fn summary(&self) -> Option<Markup> {
        if self.issues.is_empty() {
            return None;
        }
        let label = |pointer: &String| {
            let shown = self.shown.iter().rfind(|(shown, _)| shown == pointer);
            shown.map(|(_, label)| label.as_str())
        };
        Some(html! {
            ul.issue-list {
                @for (pointer, messages) in self.issues {
                    @for message in messages {
                        li {
                            @if let Some(label) = label(pointer) {
                                a href=(format!("#{}", element_id(pointer))) { (shown(label)) ": " (shown(message)) }
                            } @else { (shown(message)) }
                        }
                    }
                }
            }
        })
    }
}

/// Returns the label of a member.
pub(super) fn member_label(field: &Field<'_>, name: &str) -> String {
    field.title.map_or_else(|| label::words(name), str::to_owned)
}

/// Returns the description and the demands of a field as one text.
pub(super) fn hint(field: &Field<'_>) -> Option<String> {
    let texts = field.description.into_iter().chain(field.hints.iter().map(String::as_str));
    // A description can contain a demand already.
    let mut hint = String::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if hint.contains(text) {
            continue;
        }
        if !hint.is_empty() {
            hint.push_str(if hint.ends_with(['.', '!', '?', ':']) { " " } else { ". " });
        }
        hint.push_str(text);
    }
    (!hint.is_empty()).then_some(hint)
}
