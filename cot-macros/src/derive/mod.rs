//! `#[derive(CotOutput)]`: checks what `serde` and `schemars` are told, and implements the trait.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, GenericParam, Generics};

use crate::diagnostics::Errors;
use attributes::{Attributes, Source};
use shape::Shape;

mod attributes;
mod bounds;
mod constraint;
mod names;
mod pattern;
mod shape;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let errors = Errors::new();
    check_supported(&input, &errors);
    let implementation = if errors.is_empty() { implement(&input) } else { TokenStream::new() };
    check_constraints(&input.data, &errors);
    names::check_reserved(&input, &errors);
    let errors = errors.into_tokens();
    quote! { #implementation #errors }
}

fn implement(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    quote! {
        #[automatically_derived]
        impl ::cot_core::CotOutput for #name {
            type Partial = ::cot_core::Incoming<#name>;

            fn gather_rules(_: &mut ::cot_core::__private::Rules) {}

            fn run_checks(&self, _: &mut ::cot_core::__private::Checker) {}

            fn output_schema() -> &'static ::cot_core::OutputSchema {
                static SCHEMA: ::std::sync::OnceLock<::cot_core::OutputSchema> =
                    ::std::sync::OnceLock::new();
                SCHEMA.get_or_init(::cot_core::OutputSchema::of_output::<#name>)
            }
        }
    }
}

/// An output is a struct or an enum without parameters: it has one schema.
fn check_supported(input: &DeriveInput, errors: &Errors) {
    if let Data::Union(data) = &input.data {
        errors.error_with_help(
            data.union_token.span,
            "`CotOutput` can't be derived for a union",
            "use an enum",
        );
    }
    check_generics(&input.generics, errors);
}

fn check_generics(generics: &Generics, errors: &Errors) {
    let help = match generics.params.first() {
        None => return,
        Some(GenericParam::Lifetime(_)) => "an output owns its data: use `String` for `&str`",
        Some(_) => "name the types; a field may be of a generic type, as in `items: Page<Item>`",
    };
    errors.error_over_with_help(
        &generics.params,
        "`CotOutput` can't be derived for a generic type",
        help,
    );
}

/// A constraint suits the type of its field, and can be met.
fn check_constraints(data: &Data, errors: &Errors) {
    let all: Vec<&Fields> = match data {
        Data::Struct(data) => vec![&data.fields],
        Data::Enum(data) => data.variants.iter().map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    for field in all.into_iter().flatten() {
        let attributes = Attributes::of(&field.attrs);
        let replaced = attributes.has(Source::Schemars, "with")
            || attributes.has(Source::Schemars, "schema_with")
            || attributes.has(Source::Serde, "with");
        let shape = if replaced { Shape::Unknown } else { Shape::of(&field.ty) };
        constraint::check(&attributes.items, &shape, errors);
    }
}
