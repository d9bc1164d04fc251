//! Forms and their fields.

use maud::{Markup, PreEscaped, html};

use super::text::shown;
use crate::visit::Visit;

/// The name of the field that contains the token against forged requests.
pub(crate) const CSRF_FIELD: &str = "csrf";

/// A form that posts to an address within the site, with the token against forged requests. Empty in read-only mode.
pub(crate) fn form(visit: &Visit, action: &str, body: Markup) -> Markup {
    form_with(visit, action, "form", None, body)
}

/// Like [`form`], with CSS classes, and with a question that the script asks before it posts the form.
pub(crate) fn form_with(
    visit: &Visit,
    action: &str,
    class: &str,
    confirm: Option<&str>,
    body: Markup,
) -> Markup {
    let Some(visitor) = visit.visitor().filter(|_| !visit.is_read_only()) else {
        return PreEscaped(String::new());
    };
    html! {
        form method="post" action=(action) class=(class) data-confirm=[confirm] {
            input type="hidden" name=(CSRF_FIELD) value=(visitor.csrf);
            (body)
        }
    }
}

/// A button that posts a form of its own. Empty in read-only mode.
pub(crate) fn post_button(
    visit: &Visit,
    action: &str,
    text: &str,
    class: &str,
    confirm: Option<&str>,
) -> Markup {
    let button = html! { button class=(class) type="submit" { (text) } };
    form_with(visit, action, "form-inline", confirm, button)
}

/// A labelled field of a form, with a hint and issues that belong to its control.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    id: &'a str,
    label: &'a str,
    hint: Option<&'a str>,
    issues: &'a [String],
    is_required: bool,
}

/// The attributes that a control has from its field.
#[derive(Debug)]
pub(crate) struct ControlAttributes<'a> {
    pub(crate) id: &'a str,
    /// For `aria-describedby`.
    pub(crate) described_by: Option<String>,
    /// For `aria-invalid`.
    pub(crate) invalid: Option<&'static str>,
}

impl<'a> Field<'a> {
    /// Creates a field whose control has an id that is unique in the page.
    pub(crate) const fn new(id: &'a str, label: &'a str) -> Self {
        Self { id, label, hint: None, issues: &[], is_required: false }
    }

    pub(crate) const fn hint(mut self, hint: Option<&'a str>) -> Self {
        self.hint = hint;
        self
    }

    pub(crate) const fn issues(mut self, issues: &'a [String]) -> Self {
        self.issues = issues;
        self
    }

    /// Marks the label of a field that must be filled in.
    pub(crate) const fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// Renders the field around its control, which must have the given attributes.
    pub(crate) fn control(self, control: impl FnOnce(&ControlAttributes<'_>) -> Markup) -> Markup {
        let Self { id, label, hint, issues, is_required } = self;
        let hint_id = hint.map(|_| format!("{id}-hint"));
        let issues_id = (!issues.is_empty()).then(|| format!("{id}-issues"));
        let ids: Vec<_> = issues_id.iter().chain(&hint_id).cloned().collect();
        let attributes = ControlAttributes {
            id,
            described_by: (!ids.is_empty()).then(|| ids.join(" ")),
            invalid: issues_id.is_some().then_some("true"),
        };
        html! {
            div.field.field-invalid[!issues.is_empty()] {
                label.field-label for=(id) {
                    (shown(label))
                    @if is_required { " " span.required { "(required)" } }
                }
                (control(&attributes))
                @if let Some(hint) = hint { p.field-hint id=[hint_id] { (shown(hint)) } }
                @if !issues.is_empty() {
                    ul.field-issues id=[issues_id] { @for issue in issues { li { (shown(issue)) } } }
                }
            }
        }
    }
}

/// A choice of values with their texts, one of them selected.
pub(crate) fn select(
    attributes: &ControlAttributes<'_>,
    name: &str,
    options: &[(&str, &str)],
    selected: &str,
) -> Markup {
    html! {
        select id=(attributes.id) name=(name) aria-describedby=[attributes.described_by.as_deref()]
            aria-invalid=[attributes.invalid] {
            @for (value, text) in options {
                option value=(value) selected[*value == selected] { (shown(text)) }
            }
        }
    }
}

/// A field of one line. `kind` is the type of the input: `text`, `search`, `number`, `password`.
pub(crate) fn input(
    attributes: &ControlAttributes<'_>,
    name: &str,
    kind: &str,
    value: &str,
) -> Markup {
    html! {
        input id=(attributes.id) name=(name) type=(kind) value=(value) autocomplete="off"
            aria-describedby=[attributes.described_by.as_deref()] aria-invalid=[attributes.invalid];
    }
}

/// A field of several lines.
pub(crate) fn textarea(
    attributes: &ControlAttributes<'_>,
    name: &str,
    rows: u32,
    value: &str,
) -> Markup {
    // The first line end of a text area is not part of its value.
    html! {
        textarea id=(attributes.id) name=(name) rows=(rows) autocomplete="off" spellcheck="false"
            aria-describedby=[attributes.described_by.as_deref()] aria-invalid=[attributes.invalid] {
            "\n" (value)
        }
    }
}
