//! The struct of a state that the process declares.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Type, Visibility, spanned::Spanned};

use super::Names;
use crate::{
    model::Model,
    syntax::{StateField, StateItem},
};

/// The struct, or nothing when the state's type is the user's own.
pub(super) fn expand(model: &Model<'_>, names: &Names) -> TokenStream {
    let state = model.syntax.items.state.as_ref().map(|item| &item.value);
    let Some(StateItem::Inline(_)) = state else {
        return TokenStream::new();
    };
    let fields = distinct(model.state_fields());
    let visibility = &model.syntax.visibility;
    let name = format_ident!("{}State", names.process);
    let doc = format!("The state of [`{}`].", names.process);
    let declared = fields.iter().map(|field| declared(field, visibility));
    let new = new(&fields, model, &name);
    quote! {
        #[doc = #doc]
        #[derive(
            ::core::fmt::Debug, ::core::clone::Clone, ::cot_core::__private::serde::Serialize,
            ::cot_core::__private::serde::Deserialize,
        )]
        #[serde(crate = "::cot_core::__private::serde")]
        #visibility struct #name { #(#declared,)* }

        #new
    }
}

/// The fields, each name once; the others are reported.
fn distinct(fields: &[StateField]) -> Vec<&StateField> {
    let mut kept: Vec<&StateField> = Vec::new();
    for field in fields {
        if !kept.iter().any(|other| other.name == field.name) {
            kept.push(field);
        }
    }
    kept
}

fn declared(field: &StateField, visibility: &Visibility) -> TokenStream {
    let StateField { attributes, name, .. } = field;
    let ty = held(field);
    let is = |attribute: &&Attribute, path: &str| attribute.path().is_ident(path);
    let documented = attributes.iter().any(|attribute| is(&attribute, "doc"));
    let doc = (!documented).then(|| format!("The field `{name}`."));
    let doc = doc.iter();
    let defaults = |attribute: &Attribute| {
        let mut found = false;
        // Whatever else stands there is serde's matter.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("default");
            Ok(())
        });
        found
    };
    let has_default = attributes.iter().filter(|it| is(it, "serde")).any(defaults);
    let default = (field.is_unset() && !has_default).then(|| quote!(#[serde(default)]));
    quote!(#(#attributes)* #(#[doc = #doc])* #default #visibility #name: #ty)
}

/// The type of a field in the struct.
fn held(field: &StateField) -> TokenStream {
    let ty = &field.ty;
    match field.is_unset() {
        true => quote_spanned!(ty.span()=> ::core::option::Option<#ty>),
        false => quote!(#ty),
    }
}

/// `new`, and `Default` where nothing has to be given.
fn new(fields: &[&StateField], model: &Model<'_>, name: &Ident) -> TokenStream {
    let visibility = &model.syntax.visibility;
    let inputs: Vec<_> = fields.iter().filter(|field| field.input.is_some()).collect();
    let given: Vec<Ident> = inputs.iter().map(|field| argument(&field.name)).collect();
    let types: Vec<&Type> = inputs.iter().map(|field| &field.ty).collect();
    let values =
        fields.iter().map(|StateField { name, input, default, .. }| match (input, default) {
            (Some(_), _) => {
                let given = argument(name);
                quote!(#name: #given)
            }
            (None, Some(default)) => quote!(#name: #default),
            (None, None) => quote!(#name: ::core::option::Option::None),
        });
    let default = inputs.is_empty().then(|| {
        quote! {
            #[automatically_derived]
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    Self::new()
                }
            }
        }
    });
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
        impl #name {
            /// The state at the start.
            #[must_use]
            #visibility fn new(#(#given: #types),*) -> Self {
                Self { #(#values,)* }
            }
        }

        #default
    }
}

/// The argument for a field. No default of another field can mean it.
fn argument(name: &Ident) -> Ident {
    let mut argument = name.clone();
    argument.set_span(Span::mixed_site().located_at(name.span()));
    argument
}
