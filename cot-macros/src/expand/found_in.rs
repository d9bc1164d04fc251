//! Generates the lookup of values in the sources of `found_in`.

use cot_syntax::{FoundRow, PathSegment};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Member, ext::IdentExt as _, spanned::Spanned as _};

use super::{
    locals::Locals,
    site::{Site, fallback_error},
};
use crate::{
    check::{is_tool, written},
    model::{Model, Place, Task},
};

/// Generates the lookup of an output, which fails with the issues. A member that the output does not have, or that is
/// no text, is reported at its path; a source that is no text, at the source.
pub(super) fn found_in(model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let Some(found_in) = &task.syntax.items.found_in else { return TokenStream::new() };
    let Locals { scope, .. } = Locals::new();
    let finder = local("__finder", Span::mixed_site());
    let site = Site::for_task(model, task, Place::Source, fallback_error);
    let values: Vec<_> = task.sources().map(|(_, source)| source).collect();
    let is_sound = |row: &&FoundRow| {
        let is_value = values.iter().any(|source| std::ptr::eq(*source, &row.source));
        is_tool(task, row) || is_value && site.is_sound(&row.source)
    };
    let rows: Vec<_> = found_in.value.rows.iter().filter(is_sound).collect();
    let bindings = site.bindings(&values);
    let sources = rows.iter().enumerate().map(|(index, row)| {
        let (span, name) = (row.source.span(), source_local(index, row));
        let value = match is_tool(task, row) {
            true => {
                let tool = written(&row.source);
                quote!(::cot_core::__private::tool_results(#scope, #tool))
            }
            false => site.value(&row.source),
        };
        quote_spanned!(span=> let #name = &#value;)
    });
    let lookups = rows.iter().enumerate().map(|(index, row)| lookup(index, row, &finder));
    quote! {
        {
            #bindings
            #(#sources)*
            let #finder = &mut ::cot_core::__private::PassageFinder::default();
            #(#lookups)*
            ::cot_core::__private::record_passages(#scope, #finder)?;
        }
    }
}

/// The variable of a source, at which rustc reports an error about it.
fn source_local(index: usize, row: &FoundRow) -> Ident {
    local(&format!("__source{index}"), row.source.span())
}

fn local(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// Generates the lookup of a member.
fn lookup(index: usize, row: &FoundRow, finder: &Ident) -> TokenStream {
    let Locals { output, .. } = Locals::new();
    let (name, source) = (written(&row.source), source_local(index, row));
    let named = quote_spanned!(row.source.span()=> #finder.source(#name, #source););
    let value = quote!(&#output);
    let member = look(&row.member.segments, &row.member, value, finder);
    quote!(#named #member)
}

/// Generates the lookup of the value that a path leads to from another value.
fn look(
    path: &[PathSegment],
    whole: &impl ToTokens,
    value: TokenStream,
    finder: &Ident,
) -> TokenStream {
    let Some((segment, rest)) = path.split_first() else {
        return quote_spanned!(whole.span()=> ::cot_core::__private::look_up(#finder, #value););
    };
    let span = match segment {
        PathSegment::Field { member, .. } => member.span(),
        segment => segment.span(),
    };
    let inner = local("__value", span);
    let next = look(rest, &inner, quote!(#inner), finder);
    match segment {
        PathSegment::Field { member, .. } => {
            let key = match member {
                Member::Named(name) => name.unraw().to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            quote_spanned! {span=>
                let __key = ::cot_core::__private::OutputPart(#value).json_key(#key);
                #finder.member(__key, &(#value).#member, |#finder, #inner| { #next });
            }
        }
        PathSegment::Create(_) => quote_spanned! {span=>
            #finder.optional(#value, |#finder, #inner| { #next });
        },
        PathSegment::Append(_) | PathSegment::Insert(..) => quote_spanned! {span=>
            #finder.items(#value, |#finder, #inner| { #next });
        },
    }
}
