//! JsonNames in generated functions, which the user's own can't collide with.

use proc_macro2::Span;
use quote::format_ident;
use syn::Ident;

use super::form::Member;

/// Where checks stand.
pub(super) fn checker() -> Ident {
    Ident::new("checker", Span::mixed_site())
}

/// A value on the way inside.
pub(super) fn value() -> Ident {
    Ident::new("value", Span::mixed_site())
}

/// What rules are gathered in.
pub(super) fn rules() -> Ident {
    Ident::new("rules", Span::mixed_site())
}

/// Whether the condition of a rule holds, or what a check came to.
pub(super) fn result() -> Ident {
    Ident::new("result", Span::mixed_site())
}

/// The field of a variant. It need not be used.
pub(super) fn member(member: &Member<'_>) -> Ident {
    format_ident!("_field_{}", member.called(), span = Span::mixed_site())
}
