//! Checks for types that no schema can express, as far as the declaration shows.

use quote::quote;
use syn::{Data, DeriveInput, Type, ext::IdentExt};

use super::{
    form::{Form, JsonPlace, Member, Output},
    layer::{Layer, types},
    shape::Shape,
};
use cot_syntax::code_text::type_text;
use cot_syntax::diagnostics::Errors;

pub(super) fn check(output: &Output<'_>, errors: &Errors) {
    check_has_variants(output, errors);
    for form in &output.forms {
        for member in form.members.iter().filter(|member| has_typed_json(member)) {
            check_keys(&member.field.ty, errors);
        }
    }
    check_ends(output, errors);
}

/// Returns whether the JSON of a field is determined by its type.
fn has_typed_json(member: &Member<'_>) -> bool {
    member.place != JsonPlace::Nowhere && !member.is_replaced()
}

/// Checks that an enum has a variant that a model can choose.
fn check_has_variants(output: &Output<'_>, errors: &Errors) {
    let DeriveInput { data: Data::Enum(_), ident, .. } = output.input else { return };
    let is_deserialized =
        |form: &Form<'_>| form.variant.as_ref().is_some_and(|case| case.is_deserialized);
    if !output.names().is_replaced() && !output.forms.iter().any(is_deserialized) {
        errors.add_with_help(
            ident.span(),
            format!("no reply can be `{ident}`: it has no variants"),
            "give it the variants that a model can choose from",
        );
    }
}

/// Checks that the keys of maps are strings in JSON.
fn check_keys(ty: &Type, errors: &Errors) {
    if let Layer::Map(key, _) = Layer::from_type(ty)
        && !can_be_key(key)
    {
        errors.add_over_with_help(
            key,
            format!("`{}` can't be the key of a map in JSON", type_text(quote!(#key))),
            "keys must be strings, integers or enums without data; otherwise use a list of pairs",
        );
    }
    match ty {
        Type::Path(path) => {
            let segments = path.path.segments.iter();
            segments
                .flat_map(|segment| types(&segment.arguments))
                .for_each(|ty| check_keys(ty, errors));
        }
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| check_keys(ty, errors)),
        Type::Array(array) => check_keys(&array.elem, errors),
        Type::Group(group) => check_keys(&group.elem, errors),
        Type::Paren(paren) => check_keys(&paren.elem, errors),
        _ => {}
    }
}

fn can_be_key(key: &Type) -> bool {
    match Layer::from_type(key) {
        Layer::Pointer(inner) | Layer::Optional(inner) => can_be_key(inner),
        Layer::List(_) | Layer::Set(_) | Layer::Map(..) => false,
        Layer::Inner(ty) => !matches!(ty, Type::Tuple(_)) && Shape::from_type(ty) != Shape::Float,
    }
}

/// Checks that a value does not always contain another one of the same type.
fn check_ends(output: &Output<'_>, errors: &Errors) {
    if output.names().is_replaced() || output.names().has(output.container, "default") {
        return;
    }
    let endless = |form: &Form<'_>| {
        form.members
            .iter()
            .position(|member| has_typed_json(member) && holds_itself(output, member))
    };
    let read = output
        .forms
        .iter()
        .filter(|form| form.variant.as_ref().is_none_or(|case| case.is_deserialized));
    let found: Option<Vec<&Member<'_>>> =
        read.map(|form| endless(form).and_then(|index| form.members.get(index))).collect();
    let Some(first) = found.as_deref().and_then(<[_]>::first) else { return };
    let name = &output.input.ident;
    errors.add_over_with_help(
        &first.field.ty,
        format!("no reply can be `{name}`: it always contains another `{name}`"),
        "make it an `Option<Box<…>>` or a `Vec<…>`, which can be empty",
    );
}

fn holds_itself(output: &Output<'_>, member: &Member<'_>) -> bool {
    let Layer::Inner(Type::Path(path)) = Layer::unboxed(&member.field.ty) else { return false };
    let is_own = |name: &syn::Ident| name == "Self" || name.unraw() == output.input.ident.unraw();
    let is_given = output.names().has(&member.attributes, "default");
    !is_given && path.qself.is_none() && path.path.get_ident().is_some_and(is_own)
}
