//! Generates the table of the typed functions of a process, which parallels the table of its plain data.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{
    conversation::conversation, edge, fields::unwritten, inputs, kinds::expansion_of,
    locals::Locals, mock, names::GeneratedNames, output, parts, template, texts::primer_path,
    tools, values::option,
};
use crate::{
    check::Checked,
    model::{Model, Role, Task},
};
use cot_syntax::Template;

/// Generates the `Code` of a process.
pub(super) fn code(checked: &Checked<'_>, names: &GeneratedNames) -> TokenStream {
    let model = &checked.model;
    let items = &model.syntax.items;
    let text = |slot: Option<&Template>, role| match checked.hollow {
        true => option(None),
        false => template::optional(model, slot, role),
    };
    let goal = text(items.goal.as_ref().map(|item| &item.value), Role::Goal);
    let intro = text(items.intro.as_ref().map(|item| &item.value), Role::Prompt);
    let system = text(items.system.as_ref().map(|item| &item.value), Role::Prompt);
    let primers = model.primers.iter().filter(|_| !checked.hollow).map(|part| {
        let primer = primer_path(&part.name);
        let template = template::function(model, &part.template, Role::Prompt);
        quote!((#primer, #template))
    });
    let no_parts = || (quote!(&[]), quote!(&[]));
    let (part_names, parts) = if checked.hollow { no_parts() } else { parts::tables(model) };
    let mirror = mirror(model);
    let mock = option(mock::process_mock(model, names));
    let tools = if checked.hollow { quote!(&[]) } else { tools::code(model, names) };
    let tasks = model.tasks.iter().map(|item| task(model, names, item));
    let tasks = if checked.hollow { quote!() } else { quote!(#(#tasks),*) };
    quote! {
        ::cot_core::__private::ProcessCode {
            goal: #goal,
            intro: #intro,
            system: #system,
            primers: &[#(#primers),*],
            part_names: #part_names,
            parts: #parts,
            mirror: #mirror,
            mock: #mock,
            tools: #tools,
            tasks: &[#tasks],
        }
    }
}

/// Generates the accessor of the state field `history`, if the history is mirrored there.
fn mirror(model: &Model<'_>) -> TokenStream {
    let Some(bound) = model.mirror_limit() else { return option(None) };
    let fields = model.state_fields();
    let is_there = fields.iter().any(|field| field.name == "history" && !field.is_unset());
    // A declared state without the field has been reported.
    if !fields.is_empty() && !is_there {
        return option(None);
    }
    let Locals { state, .. } = Locals::at(bound.span());
    option(Some(quote_spanned!(bound.span()=> |#state| &mut #state.history)))
}

fn task(model: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> TokenStream {
    let process = &names.process;
    let texts = texts(model, task);
    if task.types_are_uncertain() {
        let none = option(None);
        return quote! {
            ::cot_core::__private::TaskCode {
                #texts
                unwritten: #none,
                inputs: #none,
                transitions: &[],
                next: &[],
                output: #none,
                mock: #none,
                conversation: ::cot_core::__private::ConversationCode::NONE,
                work: ::cot_core::__private::TaskFunction::None,
            }
        };
    }
    let unwritten = option(unwritten::unwritten(model, task));
    let inputs = option(inputs::inputs(model, task));
    let transitions = edge::transitions(model, task, names);
    let next = edge::arms(model, task, names);
    let output = option(output::output(model, names, task));
    let mock = option(mock::mock(model, task));
    let conversation = conversation(model, names, task);
    let work = expansion_of(task.kind).work(model, names, task);
    let work = work.unwrap_or_else(|| quote!(::cot_core::__private::TaskFunction::None));
    // With one constant per task, rustc checks many small bodies instead of a huge one.
    quote! {
        {
            const TASK: ::cot_core::__private::TaskCode<#process> = ::cot_core::__private::TaskCode {
                #texts
                unwritten: #unwritten,
                inputs: #inputs,
                transitions: #transitions,
                next: #next,
                output: #output,
                mock: #mock,
                conversation: #conversation,
                work: #work,
            };
            TASK
        }
    }
}

/// Generates the templates of a task.
fn texts(model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let items = &task.syntax.items;
    let text = |slot: Option<&Template>, role| template::optional(model, slot, role);
    let own = Role::Task(task.index);
    let prompt = expansion_of(task.kind).prompt(items);
    let prompt = text(prompt.as_ref().map(|item| &item.value), own);
    let full_prompt = items.full_prompt.as_ref().filter(|_| task.kind.asks_model());
    let full_prompt = text(full_prompt.map(|item| &item.value), Role::Full(task.index));
    let errors_primer = text(items.errors_primer.as_ref().map(|item| &item.value), own);
    let fail = text(items.fail.as_ref().map(|item| &item.value), own);
    quote! {
        prompt: #prompt,
        full_prompt: #full_prompt,
        errors_primer: #errors_primer,
        fail: #fail,
    }
}
