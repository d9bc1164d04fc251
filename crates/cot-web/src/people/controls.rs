//! The controls of a form with an answer: the issues, the fields, and the buttons.

use maud::{Markup, html};
use serde_json::Value;

use super::form::{
    entered::Entered,
    form::{Form, FormIssues},
};

/// The value of the button that sends the answer.
const SEND: &str = "send";

/// The texts around the fields of an answer.
#[derive(Clone, Copy)]
pub(super) struct Texts {
    /// The title of the issues.
    pub(super) issues: &'static str,
    /// The button that sends the answer.
    pub(super) send: &'static str,
}

/// Renders what was entered for a schema, with its issues and the buttons.
pub(super) fn controls(
    schema: &Value,
    entered: &Entered,
    issues: &FormIssues,
    texts: Texts,
) -> Markup {
    let shown = Form::new(schema).show(entered, issues);
    html! {
        @if let Some(summary) = shown.summary {
            div.notice.notice-error #issues role="alert" tabindex="-1" {
                h2 { (texts.issues) }
                (summary)
            }
        }
        (shown.fields)
        div.row {
            button.button.button-primary type="submit" name="do" value=(SEND) formnovalidate { (texts.send) }
            @if Form::is_json(entered) {
                button.button.button-quiet type="submit" name="do" value="fields:" formnovalidate { "Edit as fields" }
            } @else {
                button.button.button-quiet type="submit" name="do" value="json:" formnovalidate { "Edit as JSON" }
            }
        }
    }
}

/// The button that the key Enter presses, at the start of the form.
pub(super) fn enter_button() -> Markup {
    html! {
        button.visually-hidden type="submit" name="do" value=(SEND) formnovalidate tabindex="-1" aria-hidden="true" { "Send" }
    }
}
