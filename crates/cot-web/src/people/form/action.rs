//! What the buttons within a form do: each posts the form, which is then shown again.

use super::{
    entered::{Entered, HERE, MAX_ROWS, Mark, NONE},
    form::Form,
    pointer,
};

/// What a button of a form does, other than to send the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    /// Adds a row to a list or map.
    AddRow(String),
    /// Removes a row.
    RemoveRow(String, usize),
    /// Shows the fields of an optional value.
    Open(String),
    /// Removes an optional value.
    Close(String),
    /// Shows the fields of the chosen variant.
    Switch,
    /// Shows the answer as JSON.
    ToJson,
    /// Shows the answer as fields.
    ToFields,
}

impl Action {
    /// Parses the value of a button; `None` for that of the button that sends the answer.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (verb, pointer) = text.split_once(':')?;
        let pointer = pointer.to_owned();
        Some(match verb {
            "add" => Self::AddRow(pointer),
            "open" => Self::Open(pointer),
            "close" => Self::Close(pointer),
            "switch" => Self::Switch,
            "json" => Self::ToJson,
            "fields" => Self::ToFields,
            "remove" => {
                let (list, index) = pointer.strip_suffix('/')?.rsplit_once('/')?;
                Self::RemoveRow(format!("{list}/"), index.parse().ok()?)
            }
            _ => return None,
        })
    }

    /// Returns the value of the button.
    pub(super) fn value(&self) -> String {
        match self {
            Self::AddRow(pointer) => format!("add:{pointer}"),
            Self::RemoveRow(pointer, index) => format!("remove:{}", pointer::row(pointer, *index)),
            Self::Open(pointer) => format!("open:{pointer}"),
            Self::Close(pointer) => format!("close:{pointer}"),
            Self::Switch => "switch:".to_owned(),
            Self::ToJson => "json:".to_owned(),
            Self::ToFields => "fields:".to_owned(),
        }
    }

    /// Changes what was entered.
    pub(crate) fn apply(&self, form: &Form<'_>, entered: &mut Entered) {
        match self {
            Self::AddRow(pointer) => {
                let rows = entered.rows(pointer).unwrap_or_default() + 1;
                entered.set(pointer, Mark::Rows, rows.min(MAX_ROWS).to_string());
            }
            Self::RemoveRow(pointer, index) => entered.remove_row(pointer, *index),
            Self::Open(pointer) => entered.set(pointer, Mark::Is, HERE),
            Self::Close(pointer) => {
                entered.remove(pointer);
                entered.set(pointer, Mark::Is, NONE);
            }
            Self::Switch => {}
            Self::ToJson => form.show_json(entered),
            Self::ToFields => form.show_fields(entered),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_say_what_they_do() {
        let actions = [
            Action::AddRow("/a/".to_owned()),
            Action::RemoveRow("/a/".to_owned(), 3),
            Action::Open("/a/b/".to_owned()),
            Action::Close("/".to_owned()),
            Action::Switch,
            Action::ToJson,
            Action::ToFields,
        ];
        for action in actions {
            assert_eq!(Action::parse(&action.value()), Some(action));
        }
        assert_eq!(Action::parse("send"), None);
        assert_eq!(Action::parse("remove:/a/x/"), None);
        assert_eq!(Action::parse("remove:"), None);
    }
}
