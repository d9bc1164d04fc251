//! What `#[cot(…)]` may say where it stands: one function for each rule.

use quote::quote;
use syn::{Ident, Type};

use super::{
    aliases,
    cot::{Says, What},
    form::{Form, JsonPlace, Member, Output},
    layer::Layer,
    shape::Shape,
};
use crate::code_text::type_text;
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

/// What replies don't have has no other names.
fn check_skipped_variant(form: &Form<'_>, errors: &Errors) {
    if let Some(case) = form.variant.as_ref().filter(|case| !case.is_read) {
        refuse(&case.says, &[], "a variant that is not in the JSON", "remove it", errors);
    }
}

/// What replies don't have is not checked, and what has no name has no other names.
fn check_place(member: &Member<'_>, errors: &Errors) {
    let says = &member.says;
    match member.place {
        JsonPlace::Nowhere => {
            let help = "`serde` skips the field, or reads another type: remove it";
            refuse(says, &[], "a field that is not in the JSON", help, errors);
        }
        JsonPlace::Flat => {
            let help = "say it of the fields inside";
            refuse(says, NAMED, "a flattened field", help, errors);
        }
        JsonPlace::Itself | JsonPlace::Index(_) => {
            let help = "it is said by the name of the field: name the fields";
            refuse(says, NAMED, "a field without a name in the JSON", help, errors);
        }
        JsonPlace::Key(_) => {}
    }
}

/// The keys that are said by the name of a field.
const NAMED: &[&str] = &["alias", "allow_loss"];

/// Refuses some keys, or all of them.
fn refuse(says: &Says, keys: &[&str], place: &str, help: &str, errors: &Errors) {
    let is_meant = |key: &&Ident| keys.is_empty() || keys.iter().any(|name| **key == name);
    if let Some(key) = says.keys.iter().find(is_meant) {
        errors.add_with_help(key.span(), format!("`{key}` can't stand on {place}"), help);
    }
}

/// `required` and `absent` are for what can be left out: an `Option`, or a collection.
fn check_optional(member: &Member<'_>, errors: &Errors) {
    let ty = &member.field.ty;
    if !matches!(Layer::unboxed(ty), Layer::Inner(_) | Layer::Pointer(_)) {
        return;
    }
    for rule in &member.says.rules {
        let (What::Required(key) | What::Absent(key)) = &rule.what else { continue };
        let help = match Shape::of(ty) {
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

/// A partial view is there of structs, for fields that hold outputs.
fn check_partial(output: &Output<'_>, form: &Form<'_>, member: &Member<'_>, errors: &Errors) {
    let Some(key) = member.says.partial.as_ref().filter(|_| member.place != JsonPlace::Nowhere)
    else {
        return;
    };
    if let Some(help) = without_partial(output, form, member) {
        let message = format!("the field `{}` has no partial view of its own", member.called());
        errors.add_with_help(key.span(), message, help);
    }
}

/// Why a field can't have a partial view of its own, if it can't.
pub(super) fn without_partial(
    output: &Output<'_>,
    form: &Form<'_>,
    member: &Member<'_>,
) -> Option<&'static str> {
    let ty = &member.field.ty;
    if form.variant.is_some() || member.field.ident.is_none() || output.names().is_transparent() {
        Some("only the fields of a struct come in one by one: remove `partial`")
    } else if member.is_replaced() {
        Some("a function reads it: remove `partial`")
    } else if holds_map(ty) {
        Some("`partial` goes through `Option`, `Box` and lists, and not into maps")
    } else if Shape::of(Layer::innermost(ty)) != Shape::Unknown {
        Some("`partial` is for a type that is `CotOutput` itself: remove it")
    } else {
        None
    }
}

fn holds_map(ty: &Type) -> bool {
    match Layer::of(ty) {
        Layer::Map(..) => true,
        Layer::Optional(inner) | Layer::Pointer(inner) | Layer::List(inner) | Layer::Set(inner) => {
            holds_map(inner)
        }
        Layer::Inner(_) => false,
    }
}
