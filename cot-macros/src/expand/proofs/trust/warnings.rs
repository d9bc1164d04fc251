//! What untrusted values reach: warnings, and checks of the types of arguments, which only rustc knows.

use cot_syntax::{Names, ToolWork, codes::code_of};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Attribute, Path, spanned::Spanned as _};

use crate::{
    check::{Condition, Finding, Inputs, findings, is_strict, passed_private},
    expand::warnings::Warning,
    model::Model,
};

/// Generates the warnings and the checks.
pub(in crate::expand) fn expand(model: &Model<'_>, levels: &[&Attribute]) -> TokenStream {
    let is_strict = is_strict(model);
    let findings = findings(model).into_iter().map(|finding| match &finding.condition {
        // What needs no types has been reported as an error.
        None if is_strict => TokenStream::new(),
        None => warning(&finding).expand(levels),
        Some(condition) if is_strict => refusal(model, &finding, condition),
        Some(condition) => conditional_warning(model, &finding, condition, levels),
    });
    let private = passed_private(model).into_iter().filter_map(|finding| {
        let condition = finding.condition.as_ref()?;
        Some(refusal(model, &finding, condition))
    });
    let known = model.tools.iter().filter_map(|tool| match (&tool.work, &tool.items.content) {
        (ToolWork::Function { path, .. }, Some(content)) => Some((path, &content.value)),
        _ => None,
    });
    findings
        .chain(private)
        .chain(known.map(|(path, content)| check_content(model, path, content)))
        .collect()
}

fn warning(finding: &Finding<'_>) -> Warning {
    let Finding { message, path, help, place, .. } = finding;
    let place = place.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
    let excepts = "; or say at the task why it is right, `trusts: \"…\"`";
    let excepts = finding.task.map_or("", |_| excepts);
    let note = format!("{message} ({path}{place}): {help}{excepts}");
    Warning { name: finding.name, span: finding.span, note }
}

/// Generates the call of a function about the arguments of a tool.
fn ask(model: &Model<'_>, function: &str, path: &Path, names: &[&Ident]) -> TokenStream {
    let process = &model.syntax.name;
    let names = names.iter().map(|name| syn::ext::IdentExt::unraw(*name).to_string());
    let function = Ident::new(function, path.span().resolved_at(proc_macro2::Span::mixed_site()));
    quote_spanned! {path.span()=>
        ::cot_core::__private::#function(
            ::core::marker::PhantomData::<#process>, &#path, &[#(#names),*],
        )
    }
}

/// Generates the condition of a finding.
fn holds(model: &Model<'_>, condition: &Condition<'_>) -> TokenStream {
    match condition {
        Condition::Arguments(it) => ask(model, "has_open_arguments", it.function, &it.closed),
        Condition::Inputs(it) => {
            let Inputs { process, marked, is_private } = it;
            let is_strict = is_strict(model);
            quote_spanned! {process.span()=>
                ::cot_core::__private::passes_unmarked::<#process>(
                    &[#(#marked),*], #is_private, #is_strict,
                )
            }
        }
    }
}

/// Generates an error that is one only if its condition holds.
fn refusal(model: &Model<'_>, finding: &Finding<'_>, condition: &Condition<'_>) -> TokenStream {
    let Finding { message, path, help, span, .. } = finding;
    let first = format!("evaluation panicked: {message}");
    let code = code_of(&first).map(|code| format!(" [{code}]")).unwrap_or_default();
    let text = format!("{message}{code}\n\n  = note: {path}\n  = help: {help}");
    // A literal is a format.
    let text = text.replace('{', "{{").replace('}', "}}");
    let is_open = holds(model, condition);
    quote_spanned!(*span=> const _: () = ::core::assert!(!#is_open, #text);)
}

/// Generates a warning that is one only if its condition holds.
fn conditional_warning(
    model: &Model<'_>,
    finding: &Finding<'_>,
    condition: &Condition<'_>,
    levels: &[&Attribute],
) -> TokenStream {
    let name = Ident::new(finding.name, finding.span);
    let note = warning(finding).note("associated constant `_::__Arguments::<true>");
    let is_open = holds(model, condition);
    quote! {
        #(#levels)*
        const _: () = {
            struct __Arguments<const IS_OPEN: bool>;
            #[allow(dead_code, non_upper_case_globals)]
            impl __Arguments<true> {
                #[deprecated(note = #note)]
                const #name: () = ();
            }
            #[allow(dead_code, non_upper_case_globals)]
            impl __Arguments<false> {
                const #name: () = ();
            }
            let _ = <__Arguments::<{ #is_open }>>::#name;
        };
    }
}

/// Generates an error if `content` of a tool lists a name that is no argument.
fn check_content(model: &Model<'_>, path: &Path, Names(names): &Names) -> TokenStream {
    let checks = names.iter().map(|name| {
        let is_known = ask(model, "has_arguments", path, &[name]);
        let message = format!("`content` lists `{name}`, which is no argument of the tool");
        let code = code_of(&format!("evaluation panicked: {message}"));
        let text = format!("{message}{}", code.map(|it| format!(" [{it}]")).unwrap_or_default());
        quote_spanned!(name.span()=> const _: () = ::core::assert!(#is_known, #text);)
    });
    checks.collect()
}
