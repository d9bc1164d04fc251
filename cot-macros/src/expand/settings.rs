//! Generates the settings of model calls.

use cot_syntax::SettingsItems;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::values::{float, integer, number, option, value_of};

/// Generates the `SettingsDefinition` of a process or a task.
pub(super) fn settings(items: &SettingsItems<'_>) -> TokenStream {
    let SettingsItems { temperature, top_p, max_tokens, stop, seed, effort, extra } = items;
    let decimal = |literal| option(value_of(literal).and_then(float));
    let effort = value_of(effort).map(|effort| {
        let mut word = effort.0.to_string();
        word[..1].make_ascii_uppercase();
        let level = Ident::new(&word, Span::mixed_site());
        option(Some(quote!(::cot_core::__private::Effort::#level)))
    });
    let values = [
        ("temperature", value_of(temperature).map(|_| decimal(temperature))),
        ("top_p", value_of(top_p).map(|_| decimal(top_p))),
        ("max_tokens", value_of(max_tokens).map(|limit| number(Some(limit)))),
        (
            "stop",
            value_of(stop).map(|stop| {
                let texts = &stop.0;
                quote!(&[#(#texts),*])
            }),
        ),
        ("seed", value_of(seed).map(integer)),
        ("effort", effort),
        (
            "extra",
            value_of(extra).map(|extra| {
                let json = &extra.text;
                option(Some(quote!(#json)))
            }),
        ),
    ];
    let fields = values.into_iter().filter_map(|(name, value)| {
        let (name, value) = (Ident::new(name, Span::mixed_site()), value?);
        Some(quote!(#name: #value,))
    });
    let fields: Vec<_> = fields.collect();
    if fields.is_empty() {
        return quote!(::cot_core::__private::SettingsDefinition::DEFAULT);
    }
    quote! {
        ::cot_core::__private::SettingsDefinition {
            #(#fields)*
            ..::cot_core::__private::SettingsDefinition::DEFAULT
        }
    }
}
