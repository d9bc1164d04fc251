//! Expands AI tasks.

use cot_syntax::{Slot, TaskItems, Template, Transition, With};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{
    expansion::{KindExpansion, declared_type},
    reading,
};
use crate::{
    expand::{
        names::GeneratedNames,
        settings::settings,
        tools,
        values::{engines, value_of},
    },
    model::{Edge, Model, ShownMedia, Task, media_of_task},
};

pub(super) struct AiExpansion;

impl KindExpansion for AiExpansion {
    fn definition(&self, model: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        let ai = ai_definition(model, task);
        quote!(::cot_core::__private::TaskKind::Ai(#ai))
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        declared_type(task)
    }

    fn prompt<'a>(&self, items: &'a TaskItems) -> &'a Slot<Template> {
        prompt(items)
    }
}

/// Returns the prompt of a task that asks a model.
pub(super) fn prompt(items: &TaskItems) -> &Slot<Template> {
    if items.prompt.is_some() { &items.prompt } else { &items.reason }
}

/// Generates the `AiDefinition` of a task that asks a model.
pub(super) fn ai_definition(model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let items = &task.syntax.items;
    let engines = engines(value_of(&items.model));
    let settings = settings(&items.settings());
    let format = reading::format(task);
    let media = media(media_of_task(model, task));
    let transitions = transitions(task);
    let only_chooses = task.only_chooses() && items.always_ask.is_none();
    let tools = tools::uses(task);
    quote! {
        ::cot_core::__private::AiDefinition {
            engines: #engines,
            settings: #settings,
            format: #format,
            media: #media,
            transitions: #transitions,
            only_chooses: #only_chooses,
            tools: #tools,
        }
    }
}

fn media(media: ShownMedia) -> TokenStream {
    let ShownMedia { images, documents } = media;
    match media.is_none() {
        true => quote!(::cot_core::__private::ShownMedia::NONE),
        false => {
            quote!(::cot_core::__private::ShownMedia { images: #images, documents: #documents })
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
