//! The plain data of a task.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use super::{
    Names,
    definition::{about, doc, duration, engines, float, milliseconds, number, value_of},
    hash, option,
    work::is_self,
};
use crate::model::{Edge, Task};
use cot_syntax::{
    Backoff, ON, OnRoute, ProcessItems, RetryItems, TaskItems, TaskKind, Transition, With,
};

pub(super) fn expand(task: &Task<'_>, names: &Names, process: &ProcessItems) -> TokenStream {
    let items = &task.syntax.items;
    let about = about(task.name(), title(task), description(task));
    let kind = kind(task, names);
    let wait = duration(items.wait.as_ref().map(|item| item.value.0));
    let timeout = duration(items.timeout.as_ref().map(|item| item.value));
    let max_retries = max_retries(items);
    let retry = retry(value_of(&items.retry));
    let history = items.no_history.is_none();
    let takes_inputs = items.inputs.is_some();
    let has_mock = items.mock.is_some() || (process.mock.is_some() && task.kind.asks());
    let mock_mode = option(items.mock_mode.as_ref().map(|item| item.value.to_token_stream()));
    let choices = task.choices.iter().map(|edge| edge.target);
    let next = task.next.iter().map(|edge| edge.target);
    let on = on(&task.on);
    let in_sequence = option(task.in_sequence.map(|task| quote!(#task)));
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
            prompt_hash: #prompt_hash,
        }
    }
}

pub(super) fn title(task: &Task<'_>) -> Option<String> {
    task.syntax.items.title.as_ref().map(|item| item.value.value())
}

pub(super) fn description(task: &Task<'_>) -> Option<String> {
    let item = task.syntax.items.description.as_ref();
    item.map(|item| item.value.value()).or_else(|| doc(&task.syntax.attributes))
}

fn kind(task: &Task<'_>, names: &Names) -> TokenStream {
    let kind = quote!(::cot_core::__private::TaskKind);
    match task.kind {
        TaskKind::Ai => {
            let ai = ai(task);
            quote!(#kind::Ai(#ai))
        }
        TaskKind::Each => {
            let (ai, each) = (ai(task), each(task));
            quote!(#kind::Each(#ai, #each))
        }
        TaskKind::Code => quote!(#kind::Code),
        TaskKind::Human => quote!(#kind::Human),
        TaskKind::Process => sub_process(task, names),
        TaskKind::Gateway => quote!(#kind::Gateway),
        TaskKind::End | TaskKind::Unknown => quote!(#kind::End),
        TaskKind::Fail => quote!(#kind::Fail),
    }
}

fn ai(task: &Task<'_>) -> TokenStream {
    let items = &task.syntax.items;
    let engines = engines(value_of(&items.model));
    let temperature = option(items.temperature.as_ref().and_then(|item| float(&item.value)));
    let max_tokens = number(value_of(&items.max_tokens));
    let reasons = task.syntax.reason().is_some();
    let transitions = transitions(task);
    quote! {
        ::cot_core::__private::AiDefinition {
            engines: #engines,
            temperature: #temperature,
            max_tokens: #max_tokens,
            reasons: #reasons,
            transitions: #transitions,
        }
    }
}

fn transitions(task: &Task<'_>) -> TokenStream {
    let supplies = |edge: &&Edge<'_, Transition>| matches!(edge.syntax.with, Some(With::Model(_)));
    let targets = task.transitions.iter().map(|edge| Literal::usize_unsuffixed(edge.target));
    if !task.transitions.is_empty() && !task.transitions.iter().any(|edge| supplies(&edge)) {
        return quote!(const { &::cot_core::__private::transitions([#(#targets),*]) });
    }
    let transitions = task.transitions.iter().zip(targets).map(|(edge, target)| {
        let with_model = supplies(&edge);
        quote! {
            ::cot_core::__private::TransitionDefinition {
                target: #target,
                with_model: #with_model,
            }
        }
    });
    quote!(&[#(#transitions),*])
}

fn each(task: &Task<'_>) -> TokenStream {
    let bound = number(value_of(&task.syntax.items.max_concurrency));
    quote!(::cot_core::__private::EachDefinition { max_concurrency: #bound })
}

fn sub_process(task: &Task<'_>, names: &Names) -> TokenStream {
    let path = task.syntax.items.process.as_ref().map(|item| &item.value.path);
    match path.filter(|path| !is_self(path, names)) {
        Some(path) => quote_spanned! {path.span()=>
            ::cot_core::__private::TaskKind::Process(|| <#path as ::cot_core::Process>::DEFINITION)
        },
        None => quote!(::cot_core::__private::TaskKind::End),
    }
}

/// Retries when `retry` does not say how many.
const DEFAULT_RETRIES: u32 = 2;

fn max_retries(items: &TaskItems) -> TokenStream {
    match value_of(&items.retry) {
        Some(RetryItems { max: None, .. }) => option(Some(quote!(#DEFAULT_RETRIES))),
        Some(retry) => number(value_of(&retry.max)),
        None => number(value_of(&items.max_retries)),
    }
}

fn retry(item: Option<&RetryItems>) -> TokenStream {
    let default = quote!(::cot_core::__private::RetryDefinition::DEFAULT);
    let Some(RetryItems { backoff, timeouts, .. }) = item else { return default };
    let timeouts = timeouts.is_some();
    let backoff = match value_of(backoff) {
        Some(Backoff { first, longest }) => {
            let (first, longest) = (milliseconds(*first), milliseconds(*longest));
            quote!((#first, #longest))
        }
        None => quote!(#default.backoff),
    };
    quote! {
        ::cot_core::__private::RetryDefinition { backoff: #backoff, timeouts: #timeouts }
    }
}

/// The routes for what goes wrong.
fn on(routes: &[Edge<'_, OnRoute>]) -> TokenStream {
    if routes.is_empty() {
        return quote!(::cot_core::__private::OnRoutes::NONE);
    }
    let routes = ON.map(|word| {
        let key = Ident::new(word, proc_macro2::Span::mixed_site());
        let target = routes.iter().find(|edge| edge.syntax.when == word).map(|edge| edge.target);
        let target = option(target.map(|target| quote!(#target)));
        quote!(#key: #target)
    });
    quote!(::cot_core::__private::OnRoutes { #(#routes),* })
}
