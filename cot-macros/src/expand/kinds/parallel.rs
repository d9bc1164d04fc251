//! Expands parallel tasks.

use cot_syntax::JoinValue;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::expansion::KindExpansion;
use crate::{
    expand::{names::GeneratedNames, values::value_of},
    model::{Model, Task},
};

pub(super) struct ParallelExpansion;

impl KindExpansion for ParallelExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        let join = match value_of(&task.syntax.items.join).unwrap_or(&JoinValue::All) {
            JoinValue::All => "All",
            JoinValue::Any => "Any",
            JoinValue::Settled => "Settled",
        };
        let join = Ident::new(join, Span::mixed_site());
        let branches = task.branches.iter().map(|edge| edge.target);
        quote! {
            ::cot_core::__private::TaskKind::Parallel(::cot_core::__private::ParallelDefinition {
                join: ::cot_core::__private::Join::#join,
                branches: &[#(#branches),*],
            })
        }
    }
}
