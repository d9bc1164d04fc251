//! Expands `#[derive(CotOutput)]`.

use cot_syntax::diagnostics::Errors;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, GenericParam, Generics};

use super::{
    attributes::Attributes,
    checks, closed, constraint, expressible,
    form::{Form, Output},
    gather, json_keys, locals, partial, reserved, rules,
    shape::Shape,
};
use cot_syntax::core_crate;

/// Implements `CotOutput` for a type, and reports what is wrong with its attributes.
pub fn expand(input: TokenStream, errors: &Errors) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => {
            errors.push(error);
            return TokenStream::new();
        }
    };
    check_supported(&input, errors);
    let is_supported = errors.is_empty();
    let container = Attributes::new(&input.attrs);
    let output = Output::new(&input, &container, errors);
    check_constraints(&output, errors);
    reserved::check(&input, errors);
    rules::check(&output, errors);
    expressible::check(&output, errors);
    let implementation = if is_supported { implement(&output) } else { TokenStream::new() };
    core_crate::relocate(implementation, output.cot.crate_path.as_ref())
}

fn implement(output: &Output<'_>) -> TokenStream {
    let name = &output.input.ident;
    let (rules, checker) = (locals::rules(), locals::checker());
    let gather = gather::body(output);
    let checks = checks::body(output);
    let checker = if checks.is_empty() { quote!(_) } else { checker.to_token_stream() };
    let json_key = json_keys::json_key(output);
    let (partial, declaration) = partial::partial(output);
    let (members, closed) = (closed::members(output), closed::implementation(output));
    let implementation = quote! {
        #[automatically_derived]
        impl ::cot_core::CotOutput for #name {
            type Partial = #partial;
            #members

            fn output_schema() -> &'static ::cot_core::OutputSchema {
                static SCHEMA: ::std::sync::OnceLock<::cot_core::OutputSchema> =
                    ::std::sync::OnceLock::new();
                SCHEMA.get_or_init(::cot_core::OutputSchema::for_output::<#name> as fn() -> _)
            }

            fn gather_rules(#rules: &mut ::cot_core::__private::RulesCollector) { #gather }

            fn run_checks(&self, #checker: &mut ::cot_core::__private::Checker<'_>) { #checks }

            #json_key
        }
        #closed
    };
    match declaration.is_empty() {
        true => implementation,
        false => quote!(const _: () = { #declaration #implementation };),
    }
}

/// Checks that the output is a struct or an enum without generic parameters.
fn check_supported(input: &DeriveInput, errors: &Errors) {
    if let Data::Union(data) = &input.data {
        errors.add_with_help(
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
        Some(_) => "use concrete types; a field can have a generic type, as in `items: Page<Item>`",
    };
    errors.add_over_with_help(
        &generics.params,
        "`CotOutput` can't be derived for a generic type",
        help,
    );
}

/// Checks that constraints apply to the types of their fields and can be satisfied.
fn check_constraints(output: &Output<'_>, errors: &Errors) {
    let members = output.forms.iter().flat_map(|Form { members, .. }| members);
    for member in members {
        let ty = &member.field.ty;
        let shape = if member.is_replaced() { Shape::Unknown } else { Shape::from_type(ty) };
        constraint::check(&member.attributes.items, &shape, errors);
    }
}
