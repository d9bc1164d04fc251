//! Fields with fields in them: objects, lists, maps and variants.

use maud::{Markup, html};

use super::{
    super::{
        action::Action,
        entered::{HERE, MAX_ROWS, Mark},
        field::{Case, Content, Field, FieldKind, List, Member, Object, Parts},
        pointer::{self, element_id},
        read::chosen_case,
    },
    control::Option_,
    renderer::{Renderer, Spot, hint, member_label},
};
use crate::frame::text::shown;

/// The number of rows that a new list has at most, if it needs more.
const MAX_NEW_ROWS: usize = 10;

impl<'s> Renderer<'s, '_> {
    /// Renders a group of controls with a legend, the issues and the hint of the group.
    pub(super) fn fieldset(
        &mut self,
        spot: Spot<'_, 's>,
        field: &Field<'s>,
        body: Markup,
    ) -> Markup {
        let Spot { pointer, label, is_required, .. } = spot;
        let (id, hint) = (element_id(pointer), hint(field));
        let issues = self.issues(pointer, label);
        let hint_id = hint.as_ref().map(|_| format!("{id}-hint"));
        let issues_id = (!issues.is_empty()).then(|| format!("{id}-issues"));
        let ids: Vec<&str> =
            [&issues_id, &hint_id].into_iter().flatten().map(String::as_str).collect();
        // Lists and objects that have to be there are shown with their fields.
        let is_entered = !matches!(field.kind, FieldKind::List(_) | FieldKind::Object(_));
        let is_required = is_required && is_entered && !field.is_nullable;
        html! {
            fieldset.group.field-invalid[!issues.is_empty()] id=(id) tabindex="-1"
                aria-describedby=[(!ids.is_empty()).then(|| ids.join(" "))] {
                legend.field-label {
                    (shown(label))
                    @if is_required { " " span.required { "(required)" } }
                }
                @if let (Some(hint), Some(id)) = (&hint, &hint_id) { p.field-hint id=(id) { (shown(hint)) } }
                @if let Some(id) = &issues_id {
                    ul.field-issues id=(id) { @for issue in issues { li { (shown(issue)) } } }
                }
                (body)
            }
        }
    }

    /// Renders an optional value that is not there.
    pub(super) fn closed(&mut self, spot: Spot<'_, 's>, field: &Field<'s>) -> Markup {
        let text = format!("Add {}", spot.label);
        let button =
            action_button(&Action::Open(spot.pointer.to_owned()), "Add", &text, spot.pointer);
        self.fieldset(spot, field, button)
    }

    pub(super) fn close_button(spot: Spot<'_, 's>, field: &Field<'s>) -> Markup {
        if spot.is_required && !field.is_nullable {
            return html! {};
        }
        let text = format!("Leave out {}", spot.label);
        action_button(&Action::Close(spot.pointer.to_owned()), "Leave out", &text, spot.pointer)
    }

    /// Returns whether the fields of a value are shown.
    fn is_open(&self, spot: Spot<'_, 's>, field: &Field<'s>) -> bool {
        (spot.is_required && !field.is_nullable) || self.entered.is(spot.pointer, HERE)
    }

    pub(super) fn object(
        &mut self,
        spot: Spot<'_, 's>,
        field: &Field<'s>,
        object: &Object<'s>,
    ) -> Markup {
        if !self.is_open(spot, field) {
            return self.closed(spot, field);
        }
        self.trail.push(spot.label.to_owned());
        let members = self.members(object, spot.pointer, None);
        self.trail.pop();
        let body = html! { (members) (Self::close_button(spot, field)) };
        self.fieldset(spot, field, body)
    }

    /// Renders the members of an object. `named` replaces the label of a member.
    pub(in super::super) fn members(
        &mut self,
        object: &Object<'s>,
        pointer: &str,
        named: Option<(&str, &str)>,
    ) -> Markup {
        let mut fields = Vec::new();
        for Member { name, parts, is_required } in &object.members {
            let at = pointer::member(pointer, name);
            let field = Field::at(self.document, parts, (&at, !is_required));
            let label = match named.filter(|(member, _)| member == name) {
                Some((_, label)) => label.to_owned(),
                None => member_label(&field, name),
            };
            let spot = Spot { parts, pointer: &at, label: &label, is_required: *is_required };
            fields.push(self.field(spot));
        }
        let rest = object.rest.as_ref().map(|parts| self.entries(parts, pointer));
        html! {
            (Self::presence(pointer))
            @for field in fields { (field) }
            @if let Some(rest) = rest { (rest) }
        }
    }

    /// Renders the members of an object that the schema does not name: keys with their values.
    fn entries(&mut self, parts: &Parts<'s>, pointer: &str) -> Markup {
        let at = pointer::rest(pointer);
        let rows = self.entered.rows(&at).unwrap_or_default();
        let mut entries = Vec::new();
        for index in 0..rows {
            let row = pointer::row(&at, index);
            let key = self.entered.text(&row, Mark::Key).unwrap_or_default().to_owned();
            let label = format!("Entry {}", index + 1);
            self.trail.push(label.clone());
            let value = pointer::case(&row);
            let spot = Spot { parts, pointer: &value, label: "Value", is_required: true };
            let value = self.field(spot);
            self.trail.pop();
            let id = format!("{}-key", element_id(&row));
            let head = html! {
                div.field {
                    label.field-label for=(id) { "Name" }
                    input id=(id) type="text" name=(Mark::Key.name(&row)) value=(key) autocomplete="off";
                }
            };
            entries.push(row_markup(&label, (&at, index), html! { (head) (value) }, true));
        }
        html! {
            input type="hidden" name=(Mark::Rows.name(&at)) value=(rows);
            div.rows id=(element_id(&at)) tabindex="-1" { @for entry in entries { (entry) } }
            @if rows < MAX_ROWS {
                (action_button(&Action::AddRow(at.clone()), "Add an entry", "Add an entry", &at))
            }
        }
    }

    pub(super) fn list(
        &mut self,
        spot: Spot<'_, 's>,
        field: &Field<'s>,
        list: &List<'s>,
    ) -> Markup {
        if !self.is_open(spot, field) {
            return self.closed(spot, field);
        }
        let pointer = spot.pointer;
        let new = list.min.min(list.prefix.len().max(MAX_NEW_ROWS));
        let rows = self.entered.rows(pointer).unwrap_or(new).max(list.prefix.len());
        let mut items = Vec::new();
        self.trail.push(spot.label.to_owned());
        for index in 0..rows {
            let Some(parts) = list.row(index) else { break };
            let (at, label) = (pointer::row(pointer, index), (index + 1).to_string());
            let item = self.field(Spot { parts, pointer: &at, label: &label, is_required: true });
            items.push(row_markup(&label, (pointer, index), item, index >= list.prefix.len()));
        }
        self.trail.pop();
        let can_grow =
            list.items.is_some() && rows < MAX_ROWS && list.max.is_none_or(|max| rows < max);
        let add = format!("Add a row to {}", spot.label);
        let body = html! {
            (Self::presence(pointer))
            input type="hidden" name=(Mark::Rows.name(pointer)) value=(items.len());
            div.rows { @for item in items { (item) } }
            @if can_grow { (action_button(&Action::AddRow(pointer.to_owned()), "Add a row", &add, pointer)) }
            (Self::close_button(spot, field))
        };
        self.fieldset(spot, field, body)
    }

    pub(super) fn variants(
        &mut self,
        spot: Spot<'_, 's>,
        field: &Field<'s>,
        cases: &[Case<'s>],
    ) -> Markup {
        let pointer = spot.pointer;
        let options: Vec<Option_> = cases
            .iter()
            .enumerate()
            .map(|(index, case)| Option_ {
                value: index.to_string(),
                text: case.label.clone(),
                description: case.description.map(str::to_owned),
            })
            .collect();
        let content = match chosen_case(&self.entered, cases, pointer) {
            Some(Case { content: Content::Parts(parts), label, .. }) => {
                self.trail.push(spot.label.to_owned());
                let content = self.case(parts, &pointer::case(pointer), label);
                self.trail.pop();
                content
            }
            _ => html! {},
        };
        let text = format!("Show the fields of {}", spot.label);
        let more = html! {
            div.when-no-script { (action_button(&Action::Switch, "Show its fields", &text, pointer)) }
            (content)
        };
        html! { div.variants data-switch { (self.radios(spot, field, (Mark::As, &options), more)) } }
    }

    /// Renders the fields of the chosen variant, without a frame if it is an object.
    fn case(&mut self, parts: &Parts<'s>, pointer: &str, label: &str) -> Markup {
        let field = Field::at(self.document, parts, (pointer, false));
        let is_plain = self.entered.text(pointer, Mark::Json).is_none();
        match &field.kind {
            FieldKind::Object(object) if is_plain && !field.is_nullable => {
                let issues = self.issues(pointer, label);
                let members = self.members(object, pointer, None);
                html! {
                    div.case id=(element_id(pointer)) tabindex="-1" {
                        @if !issues.is_empty() { ul.field-issues { @for issue in issues { li { (shown(issue)) } } } }
                        (members)
                    }
                }
            }
            _ => {
                html! { div.case { (self.field(Spot { parts, pointer, label, is_required: true })) } }
            }
        }
    }
}

/// A row of a list or map, with the button that removes it.
fn row_markup(
    label: &str,
    (list, index): (&str, usize),
    body: Markup,
    is_removable: bool,
) -> Markup {
    let about = format!("Remove row {label}");
    html! {
        div.row {
            div.row-fields { (body) }
            @if is_removable {
                (action_button(&Action::RemoveRow(list.to_owned(), index), "Remove", &about, list))
            }
        }
    }
}

/// A button that changes the form. Without script, the form is posted and shown again at the field.
pub(super) fn action_button(action: &Action, text: &str, about: &str, pointer: &str) -> Markup {
    html! {
        button.button.button-small type="submit" name="do" value=(action.value()) formnovalidate formaction=(format!("#{}", element_id(pointer)))
            aria-label=[(about != text).then_some(about)] { (text) }
    }
}
