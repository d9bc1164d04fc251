//! Generates which members of a struct have a closed set of values, and that an enum of unit variants has one.

use proc_macro2::TokenStream;
use quote::quote;

use super::form::{JsonPlace, Member, Output};

/// Generates `MEMBERS` of a struct with named fields.
pub(super) fn members(output: &Output<'_>) -> TokenStream {
    let [form] = &output.forms[..] else { return TokenStream::new() };
    let is_named =
        |member: &Member<'_>| matches!(member.place, JsonPlace::Key(_) | JsonPlace::Flat);
    let given = form.members.iter().filter(|member| member.place != JsonPlace::Nowhere);
    let given: Vec<_> = given.collect();
    if form.variant.is_some() || given.is_empty() || !given.iter().all(|it| is_named(it)) {
        return TokenStream::new();
    }
    let members = given.into_iter().map(|member| {
        let (name, ty) = (member.display_name(), &member.field.ty);
        let is_plain = member.place != JsonPlace::Flat && !member.is_replaced();
        let closed = match is_plain {
            true => quote!(<::cot_core::__private::Closedness<#ty>>::IS_CLOSED),
            false => quote!(false),
        };
        quote!((#name, #closed))
    });
    quote! {
        const MEMBERS: ::core::option::Option<
            &'static [::cot_core::__private::MemberClosedness],
        > = {
            #[allow(unused_imports)]
            use ::cot_core::__private::MaybeOpen as __MaybeOpen;
            ::core::option::Option::Some(&[#(#members),*])
        };
    }
}

/// Generates the implementation of `Closed` for an enum of unit variants.
pub(super) fn implementation(output: &Output<'_>) -> TokenStream {
    let name = &output.input.ident;
    let is_unit = output.forms.iter().all(|form| form.variant.is_some() && form.fields.is_empty());
    match is_unit && !output.forms.is_empty() && !output.names().is_replaced() {
        true => quote! {
            #[automatically_derived]
            impl ::cot_core::__private::Closed for #name {}
        },
        false => TokenStream::new(),
    }
}
