//! Expands terminals that end the process with a failure.

use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::{Ending, KindExpansion};
use crate::{
    expand::names::GeneratedNames,
    model::{Model, Task},
};

pub(super) struct FailExpansion;

impl KindExpansion for FailExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, _: &Task<'_>) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::Fail)
    }

    fn outcome(&self) -> Option<Ending> {
        Some(Ending::Fail)
    }
}
