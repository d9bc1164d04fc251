//! Generates the plain data of a task.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Ident;

use super::{
    about::{about, description, title},
    hash,
    kinds::expansion_of,
    names::GeneratedNames,
    texts,
    values::{DEFAULT_RETRIES, duration, number, option, retry, value_of},
};
use crate::model::{Edge, Model, Task};
use cot_syntax::{ON_FAILURES, OnRoute, ProcessItems, RetryItems};

pub(super) fn expand(
    model: &Model<'_>,
    task: &Task<'_>,
    names: &GeneratedNames,
    process: &ProcessItems,
) -> TokenStream {
    let items = &task.syntax.items;
    let about = about(task.name(), title(task), description(task));
    let kind = expansion_of(task.kind).definition(model, names, task);
    let wait = duration(items.wait.as_ref().map(|item| item.value.0));
    let timeout = duration(items.timeout.as_ref().map(|item| item.value));
    let max_retries = max_retries(task);
    let retry = retry(value_of(&items.retry));
    let history = items.no_history.is_none();
    let takes_inputs = items.inputs.is_some();
    let has_mock =
        items.mock.is_some() || (process.mock.is_some() && task.kind.asks_model_or_person());
    let mock_mode = option(items.mock_mode.as_ref().map(|item| item.value.to_token_stream()));
    let choices = task.choices.iter().map(|edge| edge.target);
    let next = task.next.iter().map(|edge| edge.target);
    let on = on(&task.on);
    let in_sequence = option(task.in_sequence.map(|task| quote!(#task)));
    let texts = texts::task(model, task);
    let prompt_hash = hash::task(task);
    quote! {
        ::cot_core::__private::TaskDefinition {
            about: #about,
            kind: #kind,
            wait: #wait,
            timeout: #timeout,
            max_retries: #max_retries,
            retry: #retry,
            history: #history,
            takes_inputs: #takes_inputs,
            has_mock: #has_mock,
            mock_mode: #mock_mode,
            choices: &[#(#choices),*],
            next: &[#(#next),*],
            on: #on,
            in_sequence: #in_sequence,
            texts: #texts,
            prompt_hash: #prompt_hash,
        }
    }
}

fn max_retries(task: &Task<'_>) -> TokenStream {
    let items = &task.syntax.items;
    // The `max` of a task that asks a model is about calls without a reply.
    match value_of(&items.retry).filter(|_| task.kind.runs_function()) {
        Some(RetryItems { max: None, .. }) => option(Some(quote!(#DEFAULT_RETRIES))),
        Some(retry) => number(value_of(&retry.max)),
        None => number(value_of(&items.max_retries)),
    }
}

/// Generates the routes of `on`.
fn on(routes: &[Edge<'_, OnRoute>]) -> TokenStream {
    if routes.is_empty() {
        return quote!(::cot_core::__private::OnRoutes::NONE);
    }
    let routes = ON_FAILURES.map(|word| {
        let key = Ident::new(word, proc_macro2::Span::mixed_site());
        let target = routes.iter().find(|edge| edge.syntax.when == word).map(|edge| edge.target);
        let target = option(target.map(|target| quote!(#target)));
        quote!(#key: #target)
    });
    quote!(::cot_core::__private::OnRoutes { #(#routes),* })
}
