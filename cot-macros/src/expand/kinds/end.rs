//! Expands terminals that end the process successfully.

use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::{Ending, KindExpansion};
use crate::{
    expand::names::GeneratedNames,
    model::{Model, Task},
};

pub(super) struct EndExpansion;

impl KindExpansion for EndExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, _: &Task<'_>) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::End)
    }

    fn outcome(&self) -> Option<Ending> {
        Some(Ending::End)
    }
}
