//! Titles and descriptions of processes and tasks.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, Ident, Lit, Meta, ext::IdentExt};

use crate::model::Task;

pub(super) fn about(
    name: &Ident,
    title: Option<String>,
    description: Option<String>,
) -> TokenStream {
    let name = name.unraw().to_string();
    let title = title.unwrap_or_else(|| name.clone());
    let description = description.unwrap_or_else(|| title.clone());
    quote! {
        ::cot_core::About { name: #name, title: #title, description: #description }
    }
}

/// Returns the text of doc comments on one line.
pub(super) fn doc(attributes: &[Attribute]) -> Option<String> {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

pub(crate) fn title(task: &Task<'_>) -> Option<String> {
    task.syntax.items.title.as_ref().map(|item| item.value.value())
}

pub(crate) fn description(task: &Task<'_>) -> Option<String> {
    let item = task.syntax.items.description.as_ref();
    item.map(|item| item.value.value()).or_else(|| doc(&task.syntax.attributes))
}
