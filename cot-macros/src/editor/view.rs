//! The view of a process: code that contains each token of the user in its role.

use cot_syntax::{ItemKeys, TaskItems};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::{
    alias::Alias,
    places::{Names, Word, item, output_type},
    raw::{RawDeclaration, RawItem, RawProcess, entries, inside, items, process_table},
    spans::detached,
    values::{item_struct, task, tasks, ty},
};
use cot_syntax::tokens::{is_mark, is_word};

/// Generates the view. `declarations` are the constants of its tasks, tools and parts.
pub(super) fn view(process: &RawProcess, declarations: &TokenStream) -> TokenStream {
    let table = process_table();
    let raw = items(&process.items, table);
    let unset = unset_fields(value_of(&raw, "state").unwrap_or_default());
    let state = state_type(process, &raw);
    let context = value_of(&raw, "context").map(|ty| detached(ty.iter().cloned()));
    let names = || Names {
        unset: &unset,
        state: state.clone(),
        context: context.clone(),
        ..Names::default()
    };
    let keys = item_struct(&raw, table, &names());
    let declared = raw.iter().filter_map(|item| match item {
        RawItem::Declaration(declaration) => Some(self::declaration(declaration, names())),
        RawItem::Item { .. } => None,
    });
    let globals = globals(process, &raw, &state);
    let reads = (!unset.is_empty()).then(|| {
        quote!(
            use __e::Unset as _;
        )
    });
    // What follows the declarations is derived from several places.
    quote! {
        #[allow(warnings)]
        const _: () = {
            use ::cot_core::__private::editor as __e;
            use __e::OrDefault as _;
            #reads
            let _ = #keys;
            #(#declared)*
            #globals
            #declarations
        };
    }
}

/// Returns the value of an item.
fn value_of<'a>(raw: &[RawItem<'a>], wanted: &str) -> Option<&'a [TokenTree]> {
    raw.iter().find_map(|item| match item {
        RawItem::Item { key, value, .. } if *key == wanted => Some(*value),
        _ => None,
    })
}

/// Returns the fields of a declared state that are unset until a task writes them.
fn unset_fields(state: &[TokenTree]) -> Vec<String> {
    let Some((_, tokens)) = inside(state, Delimiter::Brace) else { return Vec::new() };
    let unset = |field: &[TokenTree]| match field {
        [TokenTree::Ident(name), colon, rest @ ..]
            if is_mark(colon, ':') && !rest.iter().any(|token| is_mark(token, '=')) =>
        {
            Some(name.to_string())
        }
        _ => None,
    };
    entries(&tokens, true).into_iter().filter_map(unset).collect()
}

/// Returns the type of the state, detached from the declaration.
fn state_type(process: &RawProcess, raw: &[RawItem<'_>]) -> TokenStream {
    match value_of(raw, "state").unwrap_or_default() {
        [] => quote!(()),
        state if inside(state, Delimiter::Brace).is_some() => {
            let name = format_ident!("{}State", process.name, span = Span::call_site());
            quote!(#name)
        }
        state => detached(state.iter().cloned()),
    }
}

/// Returns the `:` after a key.
fn mark_of(raw: &[RawItem<'_>], wanted: &str) -> Option<Span> {
    raw.iter().find_map(|item| match item {
        RawItem::Item { key, mark, .. } if *key == wanted => *mark,
        _ => None,
    })
}

/// Generates the names that all places have.
fn globals(process: &RawProcess, raw: &[RawItem<'_>], state_type: &TokenStream) -> TokenStream {
    let state = Alias::new("state", mark_of(raw, "state"), false);
    let goal = Alias::new("goal", mark_of(raw, "goal"), false);
    let last = Alias::new("last_output", Some(process.keyword), false);
    let imports = [state.import(), goal.import(), last.import()];
    let output = format_ident!("{}Output", process.name, span = Span::call_site());
    let last = last.declare_const(
        &quote!(::core::option::Option<&'static #output>),
        "The last committed output, of any task.",
    );
    let state = state.declare_static(state_type, "The state that the tasks share.");
    let goal = goal.declare_static(&quote!(::core::primitive::str), "The goal of the run.");
    quote!(#(#imports)* #state #goal #last)
}

fn declaration(declaration: &RawDeclaration<'_>, names: Names<'_>) -> TokenStream {
    let RawDeclaration { keyword, head, .. } = declaration;
    let keyword_use =
        keyword.map(|keyword| quote!(let _ = |items: __e::ProcessItems| items.#keyword;));
    let body = match keyword.map(ToString::to_string).as_deref().unwrap_or_default() {
        "sequence" => tasks(head),
        "parallel" => {
            let (branches, join) = head.split_at(head.len().min(1));
            let (branches, join) = (tasks(branches), task(join.get(2..).unwrap_or_default()));
            let items = task_items(declaration, names);
            quote!(#branches #join #items)
        }
        _ => task_items(declaration, names),
    };
    quote! {
        const _: () = {
            #keyword_use
            #body
        };
    }
}

/// Generates the output type and the items of a task.
fn task_items(declaration: &RawDeclaration<'_>, names: Names<'_>) -> TokenStream {
    let table: &dyn ItemKeys = TaskItems::TABLE;
    let tokens = declaration.items.as_deref().unwrap_or_default();
    let raw = items(tokens, table);
    let output = match declaration.head {
        [dash, arrow, ty @ ..] if is_mark(dash, '-') && is_mark(arrow, '>') => ty,
        _ => &[],
    };
    let types = task_types(output, &raw);
    let arrow = declaration.head.first().map(TokenTree::span);
    let output_at = arrow.or_else(|| mark_of(&raw, "process")).or_else(|| mark_of(&raw, "reason"));
    let names = Names {
        output: types.output.is_some().then(|| Word::new("output", output_at)),
        inputs: types.inputs.is_some().then(|| Word::new("inputs", mark_of(&raw, "inputs"))),
        ..names
    };
    let declared = [
        (&names.output, &types.output, "The output of the task."),
        (&names.inputs, &types.inputs, "The inputs of the task."),
    ];
    let declared = declared
        .into_iter()
        .filter_map(|(word, ty, doc)| Some(word.as_ref()?.declare(ty.as_ref()?, doc)));
    let (output, inputs) = (ty(output), ty(value_of(&raw, "inputs").unwrap_or_default()));
    let item = value_of(&raw, "for_each").map(|each| item(each, &names));
    let keys = item_struct(&raw, table, &names);
    quote! {
        #output
        #inputs
        #(#declared)*
        #item
        let _ = #keys;
    }
}

/// The types of the values that the expressions of a task can use, detached from the declaration.
struct TaskTypes {
    output: Option<TokenStream>,
    inputs: Option<TokenStream>,
}

fn task_types(output: &[TokenTree], raw: &[RawItem<'_>]) -> TaskTypes {
    let has = |key: &str| value_of(raw, key).is_some();
    let (is_list, collects) = (
        has("for_each"),
        value_of(raw, "collect").is_some_and(|value| value.iter().any(|word| is_word(word, "ok"))),
    );
    let process = value_of(raw, "process").map(|value| {
        let path = value.iter().take_while(|token| !is_word(token, "with"));
        let path = detached(path.cloned());
        quote!(<#path as ::cot_core::ProcessTypes>::State)
    });
    let output: Option<Vec<TokenTree>> = match output {
        [] if has("reason") => Some(quote!(::cot_core::reasoning::Reasoning).into_iter().collect()),
        [] => process.map(|state| state.into_iter().collect()),
        ty => Some(ty.to_vec()),
    };
    let inputs = value_of(raw, "inputs").map(|ty| detached(ty.iter().cloned()));
    let output = output.map(|ty| output_type(&ty, is_list, collects));
    TaskTypes { output, inputs }
}
