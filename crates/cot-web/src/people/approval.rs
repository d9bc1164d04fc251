//! The question whether a tool may be called: two buttons and a reason.

use cot_engine::Approval;
use cot_schema::CotOutput;
use maud::{Markup, html};
use serde_json::Value;

use super::form::entered::Entered;
use crate::frame::form::{Field, textarea};

/// Returns whether a question asks for the approval of a tool's call.
pub(super) fn is_approval(schema: &Value) -> bool {
    schema == Approval::output_schema().json()
}

/// Renders the fields of the form, with the names of those that its schema would have.
pub(super) fn fields(entered: &Entered, issues: Option<Markup>) -> Markup {
    let reason = entered.plain("/reason/");
    html! {
        @if let Some(issues) = issues { div.notice.notice-error role="alert" { (issues) } }
        input type="hidden" name="is:/" value="here";
        (Field::new("field-reason", "Reason")
            .hint(Some("The model receives it if you deny the call."))
            .control(|attributes| textarea(attributes, "v:/reason/", 2, reason)))
        div.row {
            button.button.button-primary type="submit" name="v:/approved/" value="true" { "Approve the call" }
            button.button.button-danger type="submit" name="v:/approved/" value="false" { "Deny the call" }
        }
    }
}
