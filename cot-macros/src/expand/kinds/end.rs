//! Expands terminals that end the process successfully.

use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::{Ending, KindExpansion};
use crate::{expand::names::GeneratedNames, model::Task};

pub(super) struct EndExpansion;

impl KindExpansion for EndExpansion {
    fn definition(&self, _: &Task<'_>, _: &GeneratedNames) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::End)
    }

    fn outcome(&self) -> Option<Ending> {
        Some(Ending::End)
    }
}
