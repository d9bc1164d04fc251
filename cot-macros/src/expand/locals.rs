//! The local variables of the generated functions.

use proc_macro2::Span;
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
            reply: local("reply"),
            chunks: local("chunks"),
        }
    }
}
