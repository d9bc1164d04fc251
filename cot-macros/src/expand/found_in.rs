//! Generates the lookup of values in the sources of `found_in`.

use cot_syntax::{FoundRow, PathSegment, Tool};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Member, ext::IdentExt as _, spanned::Spanned as _};

use super::{
    locals::Locals,
    site::{Site, fallback_error},
};
use crate::{
    check::{is_tool, written},
    model::{Model, Place, Task, is_tool_source},
};

/// Generates the lookup of an output, which fails with the issues. A member that the output does not have, or that is
/// no text, is reported at its path; a source that is no text, at the source.
pub(super) fn found_in(model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let Some(found_in) = &task.syntax.items.found_in else { return TokenStream::new() };
    let Locals { scope, .. } = Locals::new();
    let site = Site::for_task(model, task, Place::Source, fallback_error);
    let values: Vec<_> = task.sources().map(|(_, source)| source).collect();
    let rows = found_in.value.rows.iter().filter_map(|row| {
        let is_value = values.iter().any(|source| std::ptr::eq(*source, &row.source));
        let tool = written(&row.source);
        match is_tool(task, row) {
            true => Some((row, quote!(::cot_core::__private::tool_results(#scope, #tool)))),
            false => {
                (is_value && site.is_sound(&row.source)).then(|| (row, site.value(&row.source)))
            }
        }
    });
    let finder = local("__finder", Span::mixed_site());
    let end = quote!(::cot_core::__private::record_passages(#scope, #finder)?;);
    lookups(&rows.collect::<Vec<_>>(), &finder, site.bindings(&values), [quote!(default), end])
}

/// Generates the lookup of the arguments of a tool, which are in the variable of an output.
pub(super) fn arguments_found_in(model: &Model<'_>, tool: &Tool) -> TokenStream {
    let site = Site::for_tools(model, fallback_error);
    let rows = tool.found_rows().iter().filter(|row| is_tool_source(&row.source));
    let rows = rows.filter(|row| site.is_sound(&row.source));
    let rows: Vec<_> = rows.map(|row| (row, site.value(&row.source))).collect();
    let values: Vec<_> = rows.iter().map(|(row, _)| &row.source).collect();
    let finder = local("__finder", Span::mixed_site());
    let end = quote!(::cot_core::__private::check_passages(#finder)?;);
    lookups(&rows, &finder, site.bindings(&values), [quote!(exact), end])
}

/// Generates the lookups of rows, each with the value of its source.
fn lookups(
    rows: &[(&FoundRow, TokenStream)],
    finder: &Ident,
    bindings: TokenStream,
    [new, end]: [TokenStream; 2],
) -> TokenStream {
    let sources = rows.iter().enumerate().map(|(index, (row, value))| {
        let (span, name) = (row.source.span(), source_local(index, row));
        quote_spanned!(span=> let #name = &#value;)
    });
    let lookups = rows.iter().enumerate().map(|(index, (row, _))| lookup(index, row, finder));
    quote! {
        {
            #bindings
            #(#sources)*
            let #finder = &mut ::cot_core::__private::PassageFinder::#new();
            #(#lookups)*
            #end
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
