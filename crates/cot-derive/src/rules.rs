//! Checks that the keys of `#[cot(…)]` apply to their field or variant. Each rule is one function.

use quote::quote;
use syn::{Ident, Type};

use super::{
    aliases,
    cot::{CotAttributes, Requirement},
    form::{Form, JsonPlace, Member, Output},
    layer::Layer,
    shape::Shape,
};
use cot_syntax::code_text::type_text;
use cot_syntax::diagnostics::Errors;

pub(super) fn check(output: &Output<'_>, errors: &Errors) {
    for form in &output.forms {
        check_skipped_variant(form, errors);
        for member in &form.members {
            check_place(member, errors);
            check_optional(member, errors);
            check_partial(output, form, member, errors);
        }
        aliases::check_fields(form, errors);
    }
    aliases::check_variants(output, errors);
}

/// Checks that a variant that is not in the JSON has no keys.
fn check_skipped_variant(form: &Form<'_>, errors: &Errors) {
    if let Some(case) = form.variant.as_ref().filter(|case| !case.is_deserialized) {
        reject_keys(&case.cot, &[], "a variant that is not in the JSON", "remove it", errors);
    }
}

/// Checks that a field that is not in the JSON has no keys, and that one without a name has no keys that
/// need it.
fn check_place(member: &Member<'_>, errors: &Errors) {
    let cot = &member.cot;
    match member.place {
        JsonPlace::Nowhere => {
            let help = "`serde` skips the field, or reads another type: remove it";
            reject_keys(cot, &[], "a field that is not in the JSON", help, errors);
        }
        JsonPlace::Flat => {
            let help = "put it on the fields of that type";
            reject_keys(cot, NAMED, "a flattened field", help, errors);
        }
        JsonPlace::Itself | JsonPlace::Index(_) => {
            let help = "it applies to fields with a name: use named fields";
            reject_keys(cot, NAMED, "a field without a name in the JSON", help, errors);
        }
        JsonPlace::Key(_) => {}
    }
}

/// The keys that need a field with a name.
const NAMED: &[&str] = &["alias", "allow_loss"];

/// Reports the first of some keys, or of all keys if none are given.
fn reject_keys(cot: &CotAttributes, keys: &[&str], place: &str, help: &str, errors: &Errors) {
    let is_meant = |key: &&Ident| keys.is_empty() || keys.iter().any(|name| **key == name);
    if let Some(key) = cot.keys.iter().find(is_meant) {
        errors.add_with_help(key.span(), format!("`{key}` is not allowed on {place}"), help);
    }
}

/// Checks that `required` and `absent` are on an `Option` or a collection.
fn check_optional(member: &Member<'_>, errors: &Errors) {
    let ty = &member.field.ty;
    if !matches!(Layer::unboxed(ty), Layer::Inner(_) | Layer::Pointer(_)) {
        return;
    }
    for rule in &member.cot.rules {
        let (Requirement::Required(key) | Requirement::Absent(key)) = &rule.requirement else {
            continue;
        };
        let help = match Shape::from_type(ty) {
            Shape::Unknown => "make it an `Option`, or spell the type out".to_owned(),
            _ => format!("make it `Option<{}>`", type_text(quote!(#ty))),
        };
        errors.add_with_help(
            key.span(),
            format!("`{key}` on a field that is neither an `Option` nor a collection"),
            help,
        );
    }
}

/// Checks that `partial` is on a field that can have a partial view.
fn check_partial(output: &Output<'_>, form: &Form<'_>, member: &Member<'_>, errors: &Errors) {
    let Some(key) = member.cot.partial.as_ref().filter(|_| member.place != JsonPlace::Nowhere)
    else {
        return;
    };
    if let Some(help) = why_not_partial(output, form, member) {
        let message =
            format!("the field `{}` has no partial view of its own", member.display_name());
        errors.add_with_help(key.span(), message, help);
    }
}

/// Returns why a field can't have a partial view of its own, or `None` if it can.
pub(super) fn why_not_partial(
    output: &Output<'_>,
    form: &Form<'_>,
    member: &Member<'_>,
) -> Option<&'static str> {
    let ty = &member.field.ty;
    if form.variant.is_some() || member.field.ident.is_none() || output.names().is_transparent() {
        Some("only the fields of a struct are received one by one: remove `partial`")
    } else if member.is_replaced() {
        Some("a function deserializes it: remove `partial`")
    } else if holds_map(ty) {
        Some("`partial` applies to `Option`, `Box` and lists, and not to maps")
    } else if Shape::from_type(Layer::innermost(ty)) != Shape::Unknown {
        Some("`partial` is for a type that implements `CotOutput`: remove it")
    } else {
        None
    }
}

fn holds_map(ty: &Type) -> bool {
    match Layer::from_type(ty) {
        Layer::Map(..) => true,
        Layer::Optional(inner) | Layer::Pointer(inner) | Layer::List(inner) | Layer::Set(inner) => {
            holds_map(inner)
        }
        Layer::Inner(_) => false,
    }
}
