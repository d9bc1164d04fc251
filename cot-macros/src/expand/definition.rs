//! Generates the plain data of a process.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::LitInt;

use super::{
    about::{about, doc},
    hash, mermaid,
    names::GeneratedNames,
    proofs,
    settings::settings,
    task_definition, texts, tools,
    values::{duration, engines, float, integer, number, option, value_of},
};
use crate::{
    check::Checked,
    model::{Model, all_expressions, find_mention},
};
use cot_syntax::{
    BudgetItems, HistoryItems, HistoryValue, Order, Piece, STANDARD_PARTS, Slot, Template,
};

/// Generates the `Definition` of a process.
pub(super) fn definition(checked: &Checked<'_>, names: &GeneratedNames) -> TokenStream {
    let model = &checked.model;
    let items = &model.syntax.items;
    let about = about(&model.syntax.name, None, doc(&model.syntax.attributes));
    let engines = engines(value_of(&items.model));
    let settings = settings(&items.settings());
    let max_retries = number(value_of(&items.max_retries));
    let max_repeats = number(value_of(&items.max_repeats));
    let (history, state_max_items) = history(value_of(&items.history));
    let start = model.start;
    let default_return = option(model.default_return.map(|task| quote!(#task)));
    let max_steps = number(value_of(&items.max_steps));
    let timeout = duration(items.timeout.as_ref().map(|item| item.value));
    let budget = budget(value_of(&items.budget));
    let bounds = proofs::bounds::definition(checked);
    let mock_mode = option(items.mock_mode.as_ref().map(|item| item.value.to_token_stream()));
    let uses_goal = uses_name(model, "goal");
    let uses_last_output =
        uses_name(model, "last_output") || items.mock.is_some() || has_functions(model);
    let order = option(value_of(&items.order).map(order));
    let texts = texts::process(model);
    let prompt_hash = hash::process(model);
    let mermaid = mermaid::chart(model);
    let tools = tools::definition(model);
    let trust = proofs::trust::definition(model);
    let tasks = model.tasks.iter().map(|task| task_definition::expand(model, task, names, items));
    let tasks = if checked.hollow { quote!() } else { quote!(#(#tasks),*) };
    quote! {
        ::cot_core::__private::Definition {
            about: #about,
            place: Self::PLACE,
            version: ::core::option_env!("CARGO_PKG_VERSION"),
            engines: #engines,
            settings: #settings,
            max_retries: #max_retries,
            max_repeats: #max_repeats,
            history: #history,
            state_max_items: #state_max_items,
            start: #start,
            default_return: #default_return,
            max_steps: #max_steps,
            timeout: #timeout,
            budget: #budget,
            bounds: #bounds,
            mock_mode: #mock_mode,
            uses_goal: #uses_goal,
            uses_last_output: #uses_last_output,
            order: #order,
            texts: #texts,
            prompt_hash: #prompt_hash,
            mermaid: #mermaid,
            tools: #tools,
            trust: #trust,
            tasks: &[#tasks],
        }
    }
}

/// Generates the order of the parts of prompts. Unknown parts have been reported.
fn order(order: &Order) -> TokenStream {
    let known = order.0.iter().filter(|name| STANDARD_PARTS.iter().any(|part| *name == part));
    let parts = known.map(|name| {
        let mut word = name.to_string();
        word[..1].make_ascii_uppercase();
        let part = Ident::new(&word, Span::mixed_site());
        quote!(::cot_core::__private::PartName::#part)
    });
    quote!(&[#(#parts),*])
}

fn history(item: Option<&HistoryValue>) -> (TokenStream, TokenStream) {
    let limit = quote!(::cot_core::__private::HistoryLimit);
    match item {
        None => (quote!(#limit::Unlimited), option(None)),
        Some(HistoryValue::None) => (quote!(#limit::None), option(None)),
        Some(HistoryValue::Limits(HistoryItems { max_items, state_max_items, .. })) => {
            let bound = max_items.as_ref().and_then(|item| item.value.base10_parse::<usize>().ok());
            let history = match bound {
                Some(bound) => quote!(#limit::Last(#bound)),
                None => quote!(#limit::Unlimited),
            };
            (history, number(value_of(state_max_items)))
        }
    }
}

fn budget(item: Option<&BudgetItems>) -> TokenStream {
    let Some(BudgetItems { tokens, calls, cost }) = item else {
        return quote!(::cot_core::Budget::NONE);
    };
    let count = |slot: &Slot<LitInt>| value_of(slot).map_or_else(|| option(None), integer);
    let (tokens, calls) = (count(tokens), count(calls));
    let cost = option(value_of(cost).and_then(float));
    quote!(::cot_core::Budget { tokens: #tokens, calls: #calls, cost: #cost })
}

/// Returns whether a template or an expression uses a name.
fn uses_name(model: &Model<'_>, name: &str) -> bool {
    let in_templates = model.templates().iter().any(|use_| match use_.template {
        Template::Text(text) => text.pieces.iter().any(|piece| match piece {
            Piece::Expr { expr, .. } => find_mention(expr, name).is_some(),
            Piece::Text(_) => false,
        }),
        Template::Function(_) => false,
    });
    in_templates || all_expressions(model).iter().any(|expr| find_mention(expr, name).is_some())
}

/// Returns whether a template is a function, which may use any name.
fn has_functions(model: &Model<'_>) -> bool {
    let templates = model.templates();
    templates.iter().any(|use_| matches!(use_.template, Template::Function(_)))
}
