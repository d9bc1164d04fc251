//! The plain data of a process.

use std::{hash::Hasher, time::Duration};

use fnv::FnvHasher;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, Ident, Lit, LitInt, Meta, ext::IdentExt};

use super::option;
use crate::{
    check::Checked,
    model::{Kind, Model, Task, mentions},
    syntax::{HistoryItem, Piece, Seconds, Template},
};

/// The `Definition` of a process.
pub(super) fn definition(checked: &Checked<'_>) -> TokenStream {
    let model = &checked.model;
    let items = &model.syntax.items;
    let about = about(&model.syntax.name, None, doc(&model.syntax.attributes));
    let engine =
        option(items.model.as_ref().and_then(|item| Some(item.value.0.first()?.to_token_stream())));
    let max_retries = number(items.max_retries.as_ref().map(|item| &item.value));
    let (history, state_max_items) = history(items.history.as_ref().map(|item| &item.value));
    let start = model.start;
    let default_return = option(model.default_return.map(|task| quote!(#task)));
    let max_steps = number(items.max_steps.as_ref().map(|item| &item.value));
    let timeout = duration(items.timeout.as_ref().map(|item| item.value));
    let uses_goal = uses_goal(model);
    let prompt_hash = process_hash(model);
    let tasks = model.tasks.iter().map(task);
    let tasks = if checked.hollow { quote!() } else { quote!(#(#tasks),*) };
    quote! {
        ::cot_core::__private::Definition {
            about: #about,
            engine: #engine,
            max_retries: #max_retries,
            history: #history,
            state_max_items: #state_max_items,
            start: #start,
            default_return: #default_return,
            max_steps: #max_steps,
            timeout: #timeout,
            uses_goal: #uses_goal,
            prompt_hash: #prompt_hash,
            tasks: &[#tasks],
        }
    }
}

fn task(task: &Task<'_>) -> TokenStream {
    let about = about(task.name(), title(task), description(task));
    let kind = match task.kind {
        Kind::Ai | Kind::Each | Kind::Code | Kind::Human | Kind::Process => ai(task),
        Kind::Gateway => quote!(::cot_core::__private::TaskKind::Gateway),
        Kind::End | Kind::Unknown => quote!(::cot_core::__private::TaskKind::End),
        Kind::Fail => quote!(::cot_core::__private::TaskKind::Fail),
    };
    let next = task.next.iter().map(|edge| edge.target);
    let in_sequence = option(task.in_sequence.map(|task| quote!(#task)));
    let prompt_hash = task_hash(task);
    quote! {
        ::cot_core::__private::TaskDefinition {
            about: #about,
            kind: #kind,
            next: &[#(#next),*],
            in_sequence: #in_sequence,
            prompt_hash: #prompt_hash,
        }
    }
}

fn title(task: &Task<'_>) -> Option<String> {
    task.syntax.items.title.as_ref().map(|item| item.value.value())
}

fn description(task: &Task<'_>) -> Option<String> {
    let item = task.syntax.items.description.as_ref();
    item.map(|item| item.value.value()).or_else(|| doc(&task.syntax.attributes))
}

fn ai(task: &Task<'_>) -> TokenStream {
    let items = &task.syntax.items;
    let engine =
        option(items.model.as_ref().and_then(|item| Some(item.value.0.first()?.to_token_stream())));
    let max_retries = number(items.max_retries.as_ref().map(|item| &item.value));
    let temperature = option(items.temperature.as_ref().and_then(|item| float(&item.value)));
    let max_tokens = number(items.max_tokens.as_ref().map(|item| &item.value));
    let timeout = duration(items.timeout.as_ref().map(|item| item.value));
    let history = items.no_history.is_none();
    let transitions = task.transitions.iter().map(|edge| edge.target);
    let choices = task.choices.iter().map(|edge| edge.target);
    quote! {
        ::cot_core::__private::TaskKind::Ai(::cot_core::__private::AiDefinition {
            engine: #engine,
            max_retries: #max_retries,
            temperature: #temperature,
            max_tokens: #max_tokens,
            timeout: #timeout,
            history: #history,
            transitions: &[#(#transitions),*],
            choices: &[#(#choices),*],
        })
    }
}

fn about(name: &Ident, title: Option<String>, description: Option<String>) -> TokenStream {
    let name = name.unraw().to_string();
    let title = title.unwrap_or_else(|| name.clone());
    let description = description.unwrap_or_else(|| title.clone());
    quote! {
        ::cot_core::About { name: #name, title: #title, description: #description }
    }
}

/// The text of doc comments, on one line.
fn doc(attributes: &[Attribute]) -> Option<String> {
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

fn number(literal: Option<&LitInt>) -> TokenStream {
    // What does not fit was reported, and its digits would raise a second error.
    let digits = literal.filter(|literal| literal.base10_parse::<u32>().is_ok());
    option(digits.and_then(|literal| literal.base10_digits().parse::<TokenStream>().ok()))
}

fn float(literal: &Lit) -> Option<TokenStream> {
    let number = match literal {
        Lit::Float(number) => number.base10_parse::<f64>().ok(),
        Lit::Int(number) => number.base10_parse::<f64>().ok(),
        _ => None,
    }?;
    Some(quote!(#number))
}

fn duration(value: Option<Seconds>) -> TokenStream {
    option(value.map(|Seconds(duration)| {
        let milliseconds = u64::try_from(Duration::as_millis(&duration)).unwrap_or(u64::MAX);
        quote!(::core::time::Duration::from_millis(#milliseconds))
    }))
}

fn history(item: Option<&HistoryItem>) -> (TokenStream, TokenStream) {
    let limit = quote!(::cot_core::__private::HistoryLimit);
    match item {
        None => (quote!(#limit::Unlimited), option(None)),
        Some(HistoryItem::None) => (quote!(#limit::None), option(None)),
        Some(HistoryItem::Limits { max_items, state_max_items }) => {
            let bound = max_items.as_ref().and_then(|bound| bound.base10_parse::<usize>().ok());
            let history = match bound {
                Some(bound) => quote!(#limit::Last(#bound)),
                None => quote!(#limit::Unlimited),
            };
            (history, number(state_max_items.as_ref()))
        }
    }
}

fn uses_goal(model: &Model<'_>) -> bool {
    let in_templates = model.templates().iter().any(|use_| match use_.template {
        Template::Text(text) => text.pieces.iter().any(|piece| match piece {
            Piece::Shown { expr, .. } => mentions(expr, "goal").is_some(),
            Piece::Text(_) => false,
        }),
        Template::Function(_) => false,
    });
    in_templates || model.expressions().iter().any(|expr| mentions(expr, "goal").is_some())
}

fn process_hash(model: &Model<'_>) -> u64 {
    let items = &model.syntax.items;
    let about =
        [("name", Some(model.syntax.name.to_string())), ("doc", doc(&model.syntax.attributes))];
    let named = [("goal", &items.goal), ("intro", &items.intro), ("system", &items.system)];
    let named = named.into_iter().filter_map(|(name, item)| Some((name, &item.as_ref()?.value)));
    let mut hasher = FnvHasher::default();
    hash_words(&mut hasher, about);
    named.for_each(|(name, template)| hash_template(&mut hasher, name, template));
    for part in model.parts.iter().chain(&model.primers) {
        hash_template(&mut hasher, &part.name.to_string(), &part.template);
    }
    hasher.finish()
}

fn task_hash(task: &Task<'_>) -> u64 {
    let items = &task.syntax.items;
    let named = [
        ("prompt", &items.prompt),
        ("full_prompt", &items.full_prompt),
        ("errors_primer", &items.errors_primer),
        ("fail", &items.fail),
    ];
    let mut hasher = FnvHasher::default();
    hash_words(&mut hasher, [("title", title(task)), ("description", description(task))]);
    for (name, item) in named {
        item.iter().for_each(|item| hash_template(&mut hasher, name, &item.value));
    }
    for edge in &task.transitions {
        let label = edge.syntax.label.iter();
        label.for_each(|label| hash_template(&mut hasher, &edge.syntax.target.to_string(), label));
    }
    hasher.finish()
}

/// Words that prompts may show besides templates.
fn hash_words<const N: usize>(hasher: &mut FnvHasher, words: [(&str, Option<String>); N]) {
    for (name, word) in words {
        hasher.write(name.as_bytes());
        hasher.write_u8(u8::from(word.is_some()));
        hasher.write(word.unwrap_or_default().as_bytes());
        hasher.write_u8(0);
    }
}

fn hash_template(hasher: &mut FnvHasher, name: &str, template: &Template) {
    hasher.write(name.as_bytes());
    hasher.write_u8(0);
    match template {
        Template::Text(text) => hasher.write(text.source.as_bytes()),
        Template::Function(path) => hasher.write(path.to_token_stream().to_string().as_bytes()),
    }
    hasher.write_u8(0);
}
