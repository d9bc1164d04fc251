//! Generates `Partial`, the view of an output that is still being received. For a struct with named fields
//! it is a struct with a partial view of each field.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Data, Fields, Ident, Type, ext::IdentExt};

use super::{
    aliases,
    form::{Form, JsonPlace, Member, Output},
    layer::Layer,
    names::{JsonNames, READ},
    rules::why_not_partial,
};

/// Returns the type of the partial view, and its declaration if it needs one.
pub(super) fn partial(output: &Output<'_>) -> (TokenStream, TokenStream) {
    let name = &output.input.ident;
    let names = JsonNames::new(&READ, output.container);
    let is_struct = matches!(&output.input.data, Data::Struct(data)
        if matches!(data.fields, Fields::Named(_)));
    let whole = names.is_replaced() || names.is_transparent();
    match output.forms.first() {
        Some(form) if is_struct && !whole => {
            let partial = format_ident!("{}Partial", name.unraw());
            let fields: Vec<_> =
                form.members.iter().filter_map(|it| field(output, form, it, &names)).collect();
            let declaration = declaration(output, &partial, &fields);
            (quote!(#partial), declaration)
        }
        _ => (quote!(::cot_core::Incoming<#name>), TokenStream::new()),
    }
}

fn declaration(output: &Output<'_>, partial: &Ident, fields: &[TokenStream]) -> TokenStream {
    let visibility = &output.input.vis;
    let doc = format!("A `{}` that is still being received.", output.input.ident.unraw());
    quote! {
        #[doc = #doc]
        #[derive(
            ::core::fmt::Debug,
            ::core::clone::Clone,
            ::core::default::Default,
            ::cot_core::__private::serde::Deserialize,
        )]
        #[serde(crate = "::cot_core::__private::serde", default)]
        #[allow(dead_code, reason = "not every partial view is used")]
        #visibility struct #partial { #(#fields)* }
    }
}

fn field(
    output: &Output<'_>,
    form: &Form<'_>,
    member: &Member<'_>,
    names: &JsonNames<'_>,
) -> Option<TokenStream> {
    let ident = member.field.ident.as_ref()?;
    let visibility = &member.field.vis;
    let doc = format!("The received part of `{}`.", ident.unraw());
    let is_partial =
        member.cot.partial.is_some() && why_not_partial(output, form, member).is_none();
    let output = &output.input.ident;
    if names.is_skipped(&member.attributes) || member.place == JsonPlace::Nowhere {
        return None;
    }
    if member.place == JsonPlace::Flat {
        // Without a partial view, a flattened field is available only when it is complete.
        let view = view(&member.field.ty, is_partial, output);
        return is_partial
            .then(|| quote!(#[doc = #doc] #[serde(flatten)] #visibility #ident: #view,));
    }
    let view = match member.is_replaced() {
        true => quote!(::cot_core::__private::Value),
        false => view(&member.field.ty, is_partial, output),
    };
    let (name, _) = names.field_name(ident, &member.attributes, None);
    let mut others: Vec<String> = aliases::serde_aliases(&member.attributes).collect();
    others.dedup();
    Some(quote! {
        #[doc = #doc]
        #[serde(rename = #name #(, alias = #others)*)]
        #visibility #ident: ::cot_core::Incoming<#view>,
    })
}

/// Returns the type of the partial view of a value.
fn view(ty: &Type, is_partial: bool, output: &Ident) -> TokenStream {
    let view = |inner| view(inner, is_partial, output);
    match Layer::from_type(ty) {
        Layer::Optional(inner) => {
            let inner = view(inner);
            quote!(::core::option::Option<#inner>)
        }
        Layer::Pointer(inner) => {
            let inner = view(inner);
            quote!(::std::boxed::Box<#inner>)
        }
        Layer::List(inner) | Layer::Set(inner) => {
            let inner = view(inner);
            quote!(::std::vec::Vec<::cot_core::Incoming<#inner>>)
        }
        Layer::Inner(inner) if is_partial => {
            let inner = named(quote!(#inner), output);
            quote!(<#inner as ::cot_core::CotOutput>::Partial)
        }
        Layer::Map(..) | Layer::Inner(_) => named(quote!(#ty), output),
    }
}

/// Replaces `Self` in a type with the name of the output.
fn named(ty: TokenStream, output: &Ident) -> TokenStream {
    let token = |token: TokenTree| match token {
        TokenTree::Ident(own) if own == "Self" => {
            let mut name = output.clone();
            name.set_span(own.span());
            name.into()
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), named(group.stream(), output));
            inner.set_span(group.span());
            inner.into()
        }
        other => other,
    };
    ty.into_iter().map(token).collect()
}
