//! Expands gateways.

use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::KindExpansion;
use crate::{
    expand::names::GeneratedNames,
    model::{Model, Task},
};

pub(super) struct GatewayExpansion;

impl KindExpansion for GatewayExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, _: &Task<'_>) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::Gateway)
    }
}
