//! Expands gateways.

use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::KindExpansion;
use crate::{expand::names::GeneratedNames, model::Task};

pub(super) struct GatewayExpansion;

impl KindExpansion for GatewayExpansion {
    fn definition(&self, _: &Task<'_>, _: &GeneratedNames) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::Gateway)
    }
}
