//! Expands tasks of unknown kind, which have been reported.

use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::KindExpansion;
use crate::{
    expand::names::GeneratedNames,
    model::{Model, Task},
};

pub(super) struct UnknownExpansion;

impl KindExpansion for UnknownExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, _: &Task<'_>) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::End)
    }
}
