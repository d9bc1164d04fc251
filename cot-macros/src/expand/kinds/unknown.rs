//! Expands tasks of unknown kind, which have been reported.

use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::KindExpansion;
use crate::{expand::names::GeneratedNames, model::Task};

pub(super) struct UnknownExpansion;

impl KindExpansion for UnknownExpansion {
    fn definition(&self, _: &Task<'_>, _: &GeneratedNames) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::End)
    }
}
