//! Generates values of the tables.

use std::time::Duration;

use cot_syntax::{Backoff, DurationValue, Engines, RetryItems, Slot};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Lit, LitInt, spanned::Spanned};

/// Generates `Some(…)` or `None`.
pub(in crate::expand) fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => {
            let span = value.span();
            quote_spanned!(span=> ::core::option::Option::Some(#value))
        }
        None => quote!(::core::option::Option::None),
    }
}

/// Returns the value of an item, if it is present.
pub(in crate::expand) fn value_of<T>(slot: &Slot<T>) -> Option<&T> {
    slot.as_ref().map(|item| &item.value)
}

pub(in crate::expand) fn number(literal: Option<&LitInt>) -> TokenStream {
    // A number that is out of range has been reported, and its digits would cause a second error.
    let digits = literal.filter(|literal| literal.base10_parse::<u32>().is_ok());
    option(digits.and_then(|literal| literal.base10_digits().parse::<TokenStream>().ok()))
}

/// Generates `Some(…)` of a 64-bit integer, or `None` if it is out of range, which has been reported.
pub(in crate::expand) fn integer(literal: &LitInt) -> TokenStream {
    option(literal.base10_parse::<u64>().ok().map(|number| quote!(#number)))
}

pub(in crate::expand) fn float(literal: &Lit) -> Option<TokenStream> {
    let number = match literal {
        Lit::Float(number) => number.base10_parse::<f64>().ok(),
        Lit::Int(number) => number.base10_parse::<f64>().ok(),
        _ => None,
    }?;
    Some(quote!(#number))
}

pub(in crate::expand) fn duration(value: Option<DurationValue>) -> TokenStream {
    option(value.map(milliseconds))
}

pub(in crate::expand) fn milliseconds(DurationValue(duration): DurationValue) -> TokenStream {
    let milliseconds = u64::try_from(Duration::as_millis(&duration)).unwrap_or(u64::MAX);
    quote!(::core::time::Duration::from_millis(#milliseconds))
}

/// Generates the list of the ids of engines.
pub(in crate::expand) fn engines(engines: Option<&Engines>) -> TokenStream {
    let ids = engines.map_or(&[][..], |engines| &engines.0);
    quote!(&[#(#ids),*])
}

/// The maximum number of retries if `retry` does not set one.
pub(in crate::expand) const DEFAULT_RETRIES: u32 = 2;

/// Generates the retry policy of a task or a tool.
pub(in crate::expand) fn retry(item: Option<&RetryItems>) -> TokenStream {
    let default = quote!(::cot_core::__private::RetryDefinition::DEFAULT);
    let Some(RetryItems { max, backoff, timeouts }) = item else { return default };
    let calls = match max {
        Some(max) => number(Some(&max.value)),
        None => option(Some(quote!(#DEFAULT_RETRIES))),
    };
    let timeouts = timeouts.is_some();
    let backoff = match value_of(backoff) {
        Some(Backoff { first, longest }) => {
            let (first, longest) = (milliseconds(*first), milliseconds(*longest));
            quote!((#first, #longest))
        }
        None => quote!(#default.backoff),
    };
    quote! {
        ::cot_core::__private::RetryDefinition {
            calls: #calls,
            backoff: #backoff,
            timeouts: #timeouts,
        }
    }
}
