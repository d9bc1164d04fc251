//! Generates the facts of texts.

use cot_syntax::{Slot, Template};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use super::{
    kinds::expansion_of,
    values::{option, value_of},
};
use crate::model::{Model, Stability, Task, TextFacts, expr_stability, variant_name};

/// Generates the `ProcessTexts` of a process.
pub(super) fn process(model: &Model<'_>) -> TokenStream {
    let items = &model.syntax.items;
    let text = |slot: &Slot<Template>| value_of(slot).map(|it| model.text_facts(it, None));
    let texts =
        [("system", text(&items.system)), ("intro", text(&items.intro).map(TextFacts::trimmed))];
    let texts = texts.map(|(name, facts)| (name, facts.map(some)));
    let primers = model.primers.iter().map(|part| {
        let facts = model.text_facts(&part.template, None).trimmed();
        let primer = primer_path(&part.name);
        quote!((#primer, #facts))
    });
    let primers = (!model.primers.is_empty()).then(|| quote!(&[#(#primers),*]));
    let [system, intro] = texts;
    fields(&quote!(::cot_core::__private::ProcessTexts), [system, intro, ("primers", primers)])
}

fn some(facts: impl ToTokens) -> TokenStream {
    option(Some(facts.into_token_stream()))
}

/// Generates the path of a primer.
pub(super) fn primer_path(name: &Ident) -> TokenStream {
    let primer = variant_name(name);
    quote!(::cot_core::__private::Primer::#primer)
}

/// Generates the `TaskTexts` of a task.
pub(super) fn task(model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let items = &task.syntax.items;
    let prompt = value_of(expansion_of(task.kind).prompt(items)).filter(|_| task.kind.asks_model());
    let full_prompt = value_of(&items.full_prompt).filter(|_| task.kind.asks_model());
    let errors_primer = value_of(&items.errors_primer);
    let turns = value_of(&items.turns).map(|expr| expr_stability(model, expr));
    let texts = [
        ("prompt", prompt.map(|it| some(model.text_facts(it, None).trimmed()))),
        ("full_prompt", full_prompt.map(|it| some(model.text_facts(it, Some(task))))),
        ("errors_primer", errors_primer.map(|it| some(model.text_facts(it, None).trimmed()))),
        ("labels", labels(model, task).map(some)),
        ("turns", turns.map(some)),
    ];
    fields(&quote!(::cot_core::__private::TaskTexts), texts)
}

/// Returns the facts of the labels of transitions without a guard. A transition with one is a volatile value.
fn labels(model: &Model<'_>, task: &Task<'_>) -> Option<TextFacts> {
    let mut labels: Option<TextFacts> = None;
    for edge in &task.transitions {
        let facts = || edge.syntax.label.as_ref().map(|label| model.text_facts(label, None));
        match &edge.syntax.guard {
            Some(_) => labels.get_or_insert_default().add_value(Stability::Volatile),
            None => {
                if let Some(facts) = facts() {
                    labels.get_or_insert_default().append(facts);
                }
            }
        }
    }
    labels
}

/// Generates a table of the texts that are present.
fn fields<const N: usize>(
    table: &TokenStream,
    texts: [(&str, Option<TokenStream>); N],
) -> TokenStream {
    let present = texts.into_iter().filter_map(|(name, facts)| {
        let (name, facts) = (Ident::new(name, Span::mixed_site()), facts?);
        Some(quote!(#name: #facts,))
    });
    let present: Vec<_> = present.collect();
    match present.is_empty() {
        true => quote!(#table::NONE),
        false => quote!(#table { #(#present)* ..#table::NONE }),
    }
}
