//! The rules of trust.

use cot_syntax::{StateItem, diagnostics::Errors};

use super::{
    effects::findings,
    marks::{is_followed, is_strict},
    private, templates, unused,
};
use crate::{
    check::{fields, proof::sites::Sites},
    model::Model,
};

/// Checks that untrusted values are fenced, that none reaches an effect if trust is strict, that private values are
/// shown to listed engines alone, and that no mark is without use.
pub(in crate::check) fn check_trust(model: &Model<'_>, errors: &Errors) {
    // Invalid items might be any.
    if model.incomplete || model.tasks.is_empty() || fields::may_be_incomplete(model) {
        return;
    }
    let before = errors.len();
    if is_followed(model) {
        check_the_state_is_declared(model, errors);
        templates::check_declared(model, &Sites::from_model(model), errors);
    }
    private::check_engines(model, errors);
    unused::check_marks_are_used(model, errors);
    if is_strict(model) && errors.len() == before {
        let refused = findings(model).into_iter().filter(|finding| finding.condition.is_none());
        refused.for_each(|finding| finding.report(errors));
    }
}

/// Checks that the fields of the state are known where trust is strict.
fn check_the_state_is_declared(model: &Model<'_>, errors: &Errors) {
    let (Some(state), Some(trust)) = (&model.syntax.items.state, &model.syntax.items.trust) else {
        return;
    };
    let StateItem::Type(ty) = &state.value else { return };
    let is_unit = matches!(&**ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty());
    if is_strict(model) && !is_unit {
        errors.add_with_help(
            trust.key.span(),
            "the fields of a state that is a type can't be followed",
            "declare the fields in the process, `state: { untrusted input mail: String }`, or remove `trust: strict`",
        );
    }
}
