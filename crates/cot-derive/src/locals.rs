//! Names of local variables in generated functions, which can't collide with the user's names.

use proc_macro2::Span;
use quote::format_ident;
use syn::Ident;

use super::form::Member;

/// The variable of the checker.
pub(super) fn checker() -> Ident {
    Ident::new("checker", Span::mixed_site())
}

/// The variable of a nested value.
pub(super) fn value() -> Ident {
    Ident::new("value", Span::mixed_site())
}

/// The variable in which rules are collected.
pub(super) fn rules() -> Ident {
    Ident::new("rules", Span::mixed_site())
}

/// The variable of the result of a condition or a check.
pub(super) fn result() -> Ident {
    Ident::new("result", Span::mixed_site())
}

/// The variable of a field of a variant, which can be unused.
pub(super) fn member(member: &Member<'_>) -> Ident {
    format_ident!("_field_{}", member.display_name(), span = Span::mixed_site())
}
