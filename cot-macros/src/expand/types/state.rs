//! Generates the struct of a state that the process declares.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Attribute, Expr, GenericArgument, LitStr, PathArguments, Type, Visibility, spanned::Spanned,
};

use crate::expand::names::GeneratedNames;
use crate::model::Model;
use cot_syntax::{NEW_KEYWORDS, StateField, StateItem};

/// Generates the struct with its functions, or nothing if the user defines the type of the state.
pub(in crate::expand) fn expand(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let (declaration, constructor) = (declaration(model, names), constructor(model, names));
    quote!(#declaration #constructor)
}

/// Generates the struct.
pub(in crate::expand) fn declaration(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    if !is_declared(model) {
        return TokenStream::new();
    }
    let fields = distinct(model.state_fields());
    let visibility = &model.syntax.visibility;
    let name = format_ident!("{}State", names.process);
    let doc = format!("The state of [`{}`].", names.process);
    let declared = fields.iter().map(|field| declared(field, visibility));
    quote! {
        #[doc = #doc]
        #[derive(
            ::core::fmt::Debug, ::core::clone::Clone, ::cot_core::__private::serde::Serialize,
            ::cot_core::__private::serde::Deserialize,
        )]
        #[serde(crate = "::cot_core::__private::serde")]
        #visibility struct #name { #(#declared,)* }
    }
}

/// Generates the functions that create a state.
pub(in crate::expand) fn constructor(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    match is_declared(model) {
        true => {
            let fields = distinct(model.state_fields());
            new(&fields, model, &format_ident!("{}State", names.process))
        }
        false => TokenStream::new(),
    }
}

/// Returns whether the process declares its state.
fn is_declared(model: &Model<'_>) -> bool {
    let state = model.syntax.items.state.as_ref().map(|item| &item.value);
    matches!(state, Some(StateItem::Inline(_)))
}

/// Returns the fields without duplicates, which have been reported.
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
    let ty = field_type(field);
    let is = |attribute: &&Attribute, path: &str| attribute.path().is_ident(path);
    let documented = attributes.iter().any(|attribute| is(&attribute, "doc"));
    // The span of the name, since the derives point at the beginning of a field.
    let span = name.span();
    let doc = (!documented).then(|| {
        let doc = format!("The field `{name}`.");
        quote_spanned!(span=> #[doc = #doc])
    });
    let of_serde: Vec<_> = attributes.iter().filter(|it| is(it, "serde")).collect();
    let says = |word| of_serde.iter().any(|attribute| has_key(attribute, word));
    let default =
        (field.is_unset() && !says("default")).then(|| quote_spanned!(span=> #[serde(default)]));
    // An unset field is left out.
    let skips = SKIPPING.into_iter().any(says);
    let skip = (field.is_unset() && !skips).then(
        || quote_spanned!(span=> #[serde(skip_serializing_if = "::core::option::Option::is_none")]),
    );
    let stored = of_serde.is_empty().then(|| serde_functions(field));
    let visibility = respan(visibility.to_token_stream(), span);
    quote!(#(#attributes)* #doc #default #skip #stored #visibility #name: #ty)
}

/// The keys of serde with which an unset field is not left out of the JSON.
const SKIPPING: [&str; 6] =
    ["skip", "skip_serializing", "skip_serializing_if", "with", "serialize_with", "flatten"];

/// Returns whether an attribute of serde has a key.
fn has_key(attribute: &Attribute, word: &str) -> bool {
    let mut found = false;
    // Other errors are left for serde to report.
    let _ = attribute.parse_nested_meta(|meta| {
        found |= meta.path.is_ident(word);
        let value = meta.value();
        value.and_then(|value| value.parse::<Expr>()).map(drop).or(Ok(()))
    });
    found
}

/// Generates the functions that serialize and deserialize a field without a `serde` attribute of the user.
/// With them, rustc reports a missing trait at the type of the field. A missing `Option` is read as `None`,
/// as usual.
fn serde_functions(field: &StateField) -> TokenStream {
    let inner = optional(&field.ty);
    let span = inner.unwrap_or(&field.ty).span();
    let (write, read) = match field.is_unset() || inner.is_some() {
        true => ("write_option", "read_option"),
        false => ("write", "read"),
    };
    let path = |name| LitStr::new(&format!("::cot_core::__private::Field::{name}"), span);
    let (write, read) = (path(write), path(read));
    let default = (inner.is_some() && !field.is_unset()).then(|| quote!(default,));
    quote_spanned!(span=> #[serde(#default serialize_with = #write, deserialize_with = #read)])
}

/// Returns the type in `Option<Type>`.
fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// Moves tokens to another span. Otherwise errors of the derives would span from the `pub` of the process
/// to the field.
fn respan(tokens: TokenStream, at: Span) -> TokenStream {
    let place = |token| match token {
        TokenTree::Group(group) => {
            let mut placed = Group::new(group.delimiter(), respan(group.stream(), at));
            placed.set_span(group.span().located_at(at));
            TokenTree::Group(placed)
        }
        mut token => {
            token.set_span(token.span().located_at(at));
            token
        }
    };
    tokens.into_iter().map(place).collect()
}

/// Returns the type of a field in the struct.
fn field_type(field: &StateField) -> TokenStream {
    let ty = &field.ty;
    match field.is_unset() {
        true => quote_spanned!(ty.span()=> ::core::option::Option<#ty>),
        false => quote!(#ty),
    }
}

/// Generates `new`, and `Default` if there are no inputs.
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
            /// Creates the state at the start of a run.
            #[must_use]
            #visibility fn new(#(#given: #types),*) -> Self {
                Self { #(#values,)* }
            }
        }

        #default
    }
}

/// Returns the argument of `new` for a field. The defaults of other fields can't refer to it.
fn argument(name: &Ident) -> Ident {
    // The name may be a keyword in the edition of this crate, but not in the user's.
    let mut argument = match NEW_KEYWORDS.iter().any(|word| name == word) {
        true => Ident::new_raw(&name.to_string(), name.span()),
        false => name.clone(),
    };
    argument.set_span(Span::mixed_site().located_at(name.span()));
    argument
}
