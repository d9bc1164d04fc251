//! Fields of one value: texts, numbers, choices and JSON.

use maud::{Markup, html};

use super::{
    super::{
        entered::{EMPTY, HERE, Mark},
        field::{Choice, Field, FieldKind, TextKind},
        pointer::element_id,
    },
    renderer::{Renderer, Spot, hint},
};
use crate::frame::{
    form::{ControlAttributes, Field as FormField, input, select, textarea},
    text::shown,
};

/// The number of choices up to which all of them are shown.
const MAX_RADIOS: usize = 7;

/// A choice as it is shown.
pub(super) struct Option_ {
    pub(super) value: String,
    pub(super) text: String,
    pub(super) description: Option<String>,
}

impl<'s> Renderer<'s, '_> {
    /// Renders a field with a label and one control.
    fn labelled(
        &mut self,
        Spot { pointer, label, is_required, .. }: Spot<'_, 's>,
        field: &Field<'s>,
        control: impl FnOnce(&ControlAttributes<'_>) -> Markup,
    ) -> Markup {
        let (id, hint) = (element_id(pointer), hint(field));
        let issues = self.issues(pointer, label);
        let form_field = FormField::new(&id, label).hint(hint.as_deref()).issues(issues);
        let is_required = is_required && !field.is_nullable;
        let form_field = if is_required { form_field.required() } else { form_field };
        form_field.control(control)
    }

    fn entered_value(&self, pointer: &str) -> String {
        self.entered.text(pointer, Mark::Value).unwrap_or_default().to_owned()
    }

    pub(super) fn text(&mut self, spot: Spot<'_, 's>, field: &Field<'s>, kind: TextKind) -> Markup {
        let pointer = spot.pointer;
        let (name, value) = (Mark::Value.name(pointer), self.entered_value(pointer));
        let is_text = matches!(kind, TextKind::Long | TextKind::Short);
        // An empty text that is not meant to be one is no answer.
        let is_empty = self.entered.is(pointer, EMPTY);
        let asks_whether_empty =
            is_empty || (is_text && self.is_missing(pointer) && value.is_empty());
        let control = self.labelled(spot, field, |attributes| match kind {
            _ if value.contains('\n') => textarea(attributes, &name, rows(&value, 2), &value),
            TextKind::Long => textarea(attributes, &name, rows(&value, 2), &value),
            TextKind::Short => input(attributes, &name, "text", &value),
            // A browser would not show another text.
            TextKind::Date if is_date(&value) => input(attributes, &name, "date", &value),
            TextKind::Date => input(attributes, &name, "text", &value),
            TextKind::Email => input(attributes, &name, "email", &value),
            TextKind::Url => input(attributes, &name, "url", &value),
        });
        html! {
            (control)
            @if asks_whether_empty {
                label.choice {
                    input type="checkbox" name=(Mark::Is.name(pointer)) value=(EMPTY) checked[is_empty];
                    span { "The empty text is meant: " (shown(spot.label)) }
                }
            }
        }
    }

    pub(super) fn number(&mut self, spot: Spot<'_, 's>, field: &Field<'s>) -> Markup {
        let (name, value) = (Mark::Value.name(spot.pointer), self.entered_value(spot.pointer));
        // A field of the type `number` would not show what is not a number.
        self.labelled(spot, field, |attributes| {
            html! {
                input.number id=(attributes.id) name=(name) type="text" inputmode="decimal" value=(value)
                    autocomplete="off" aria-describedby=[attributes.described_by.as_deref()]
                    aria-invalid=[attributes.invalid];
            }
        })
    }

    pub(super) fn json(&mut self, spot: Spot<'_, 's>, field: &Field<'s>, text: &str) -> Markup {
        let name = Mark::Json.name(spot.pointer);
        let hints = hint(field).into_iter().chain(["As JSON.".to_owned()]).collect();
        let is_nullable = field.is_nullable;
        let field = Field { is_nullable, hints, ..Field::bare(FieldKind::Json) };
        self.labelled(spot, &field, |attributes| {
            html! { div.json-field { (textarea(attributes, &name, rows(text, 4), text)) } }
        })
    }

    pub(super) fn bool(&mut self, spot: Spot<'_, 's>, field: &Field<'s>) -> Markup {
        let option = |value: &str, text: &str| Option_ {
            value: value.to_owned(),
            text: text.to_owned(),
            description: None,
        };
        let options = [option("true", "Yes"), option("false", "No")];
        self.radios(spot, field, (Mark::Value, &options), html! {})
    }

    pub(super) fn choice(
        &mut self,
        spot: Spot<'_, 's>,
        field: &Field<'s>,
        choices: &[Choice<'s>],
    ) -> Markup {
        let options = options(choices);
        let is_described = options.iter().any(|option| option.description.is_some());
        if options.len() <= MAX_RADIOS || (is_described && options.len() <= 2 * MAX_RADIOS) {
            return self.radios(spot, field, (Mark::Value, &options), html! {});
        }
        let (name, value) = (Mark::Value.name(spot.pointer), self.entered_value(spot.pointer));
        let mut texts = vec![("", "Choose…")];
        if !value.is_empty() && !options.iter().any(|option| option.value == value) {
            texts.push((&value, &value));
        }
        texts.extend(options.iter().map(|option| (option.value.as_str(), option.text.as_str())));
        self.labelled(spot, field, |attributes| select(attributes, &name, &texts, &value))
    }

    /// Renders a choice whose values are all shown, followed by what belongs to the chosen one.
    pub(super) fn radios(
        &mut self,
        spot: Spot<'_, 's>,
        field: &Field<'s>,
        (mark, options): (Mark, &[Option_]),
        more: Markup,
    ) -> Markup {
        let Spot { pointer, is_required, .. } = spot;
        let value = self.entered.text(pointer, mark).unwrap_or_default().to_owned();
        let name = mark.name(pointer);
        let is_optional = !is_required || field.is_nullable;
        let body = html! {
            div.choices {
                @for option in options {
                    (option_input("radio", &name, option, option.value == value))
                }
                @if is_optional {
                    @let none = Option_ { value: String::new(), text: "No answer".to_owned(), description: None };
                    (option_input("radio", &name, &none, value.is_empty()))
                }
            }
            (more)
        };
        self.fieldset(spot, field, body)
    }

    pub(super) fn several(
        &mut self,
        spot: Spot<'_, 's>,
        field: &Field<'s>,
        choices: &[Choice<'s>],
    ) -> Markup {
        let pointer = spot.pointer;
        if !spot.is_required && !self.entered.is(pointer, HERE) {
            return self.closed(spot, field);
        }
        let name = Mark::Value.name(pointer);
        let chosen = self.entered.all(pointer, Mark::Value);
        let options = options(choices);
        let body = html! {
            (Self::presence(pointer))
            div.choices {
                @for option in &options {
                    (option_input("checkbox", &name, option, chosen.contains(&option.value)))
                }
            }
            (Self::close_button(spot, field))
        };
        self.fieldset(spot, field, body)
    }
}

fn option_input(kind: &str, name: &str, option: &Option_, is_chosen: bool) -> Markup {
    html! {
        label.choice {
            input type=(kind) name=(name) value=(option.value) checked[is_chosen];
            span {
                (shown(&option.text))
                @if let Some(description) = &option.description {
                    span.choice-about { (shown(description)) }
                }
            }
        }
    }
}

fn options(choices: &[Choice<'_>]) -> Vec<Option_> {
    let option = |choice: &Choice<'_>| Option_ {
        value: choice.control_text(),
        text: choice.shown(),
        description: choice.description.map(str::to_owned),
    };
    choices.iter().map(option).collect()
}

/// Returns the height of a text area for a text.
fn rows(text: &str, min: u32) -> u32 {
    let lines = text.lines().map(|line| line.chars().count() / 80 + 1).sum::<usize>();
    u32::try_from(lines + 1).unwrap_or(u32::MAX).clamp(min, 24)
}

/// Returns whether a browser takes a text for a date.
fn is_date(text: &str) -> bool {
    text.is_empty() || text.parse::<cot_store::Day>().is_ok()
}
