//! The local variables of the generated functions, and the paths of the library functions that they call.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::Ident;

/// The local variables of the generated functions. The user's code can't refer to them.
pub(in crate::expand) struct Locals {
    pub(in crate::expand) scope: Ident,
    /// The copies of an async function.
    pub(in crate::expand) owned: Ident,
    pub(in crate::expand) out: Ident,
    pub(in crate::expand) output: Ident,
    pub(in crate::expand) state: Ident,
    /// The state before the commit.
    pub(in crate::expand) before: Ident,
    pub(in crate::expand) value: Ident,
    pub(in crate::expand) ending: Ident,
    pub(in crate::expand) chosen: Ident,
    pub(in crate::expand) inputs: Ident,
    pub(in crate::expand) item: Ident,
    /// The connection of a transaction.
    pub(in crate::expand) connection: Ident,
    /// The reply of a model.
    pub(in crate::expand) reply: Ident,
    /// The chunks of a streamed reply.
    pub(in crate::expand) chunks: Ident,
}

impl Locals {
    pub(in crate::expand) fn new() -> Self {
        Self::at(Span::mixed_site())
    }

    /// Creates the variables with a span at which rustc reports errors about them.
    pub(in crate::expand) fn at(span: Span) -> Self {
        let local = |name: &str| {
            // The prefix avoids a collision with constants of the user, such as `value`.
            Ident::new(&format!("__{name}"), Span::mixed_site().located_at(span))
        };
        Self {
            scope: local("scope"),
            owned: local("owned"),
            out: local("out"),
            output: local("output"),
            state: local("state"),
            before: local("before"),
            value: local("value"),
            ending: local("ending"),
            chosen: local("chosen"),
            inputs: local("inputs"),
            item: local("item"),
            connection: local("connection"),
            reply: local("reply"),
            chunks: local("chunks"),
        }
    }
}

/// Generates the path of a library function that is called for what the user wrote.
///
/// It begins and ends where the user's tokens do: rustc underlines the path of a function whose requirements are
/// not met, and would underline `app` alone of `app::pay` otherwise.
pub(in crate::expand) fn callee(written: &impl ToTokens, function: &str) -> TokenStream {
    let (start, end) = ends(written);
    let name = format_ident!("{function}", span = end);
    let path = quote_spanned!(end=> ::cot_core::__private::#name);
    path.into_iter()
        .enumerate()
        .map(|(index, mut token)| {
            if index < ROOT {
                token.set_span(start);
            }
            token
        })
        .collect()
}

/// The number of tokens of the `::` with which a path begins.
const ROOT: usize = 2;

/// Returns the spans of the first and the last token.
fn ends(written: &impl ToTokens) -> (Span, Span) {
    let mut spans = written.to_token_stream().into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::mixed_site);
    (start, spans.last().unwrap_or(start))
}

/// Returns the span of the last token.
pub(in crate::expand) fn end(written: &impl ToTokens) -> Span {
    ends(written).1
}
