//! The constants that stand for tasks, tools and parts, with their documentation.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use super::spans::detached_ident;
use crate::{
    expand::{description, title},
    model::{Model, Task},
};
use cot_syntax::{ToolWork, diagnostics::join_names};

/// Generates the constants. Uses of tasks are paths to them.
pub(super) fn declarations(model: &Model<'_>) -> TokenStream {
    let tasks = model.tasks.iter().map(|task| {
        let (name, doc) = (task.name(), task_doc(model, task));
        quote!(#[doc = #doc] pub const #name: ::cot_core::__private::editor::Task = ::cot_core::__private::editor::Task;)
    });
    let tools = model.tools.iter().map(|tool| {
        let (name, doc) = (&tool.name, tool_doc(&tool.work));
        quote!(#[doc = #doc] pub const #name: ::cot_core::__private::editor::Tool = ::cot_core::__private::editor::Tool;)
    });
    // A template shows a part by its name in a literal, which an editor can't rename. It does not rename an item
    // that is imported by another name either.
    let parts = model.parts.iter().enumerate().map(|(index, part)| {
        let name = detached_ident(&part.name);
        let constant = format_ident!("__part_{index}", span = part.name.span());
        quote! {
            /// A part of prompts.
            pub const #constant: ::cot_core::__private::editor::Template = ::cot_core::__private::editor::Template;
            pub use self::#constant as #name;
        }
    });
    quote! {
        struct __Tasks;
        impl __Tasks { #(#tasks)* }
        struct __Tools;
        impl __Tools { #(#tools)* }
        mod __Parts { #(#parts)* }
    }
}

/// Returns the documentation of a task: its title, its kind, and where it leads.
fn task_doc(model: &Model<'_>, task: &Task<'_>) -> String {
    let title = title(task).unwrap_or_else(|| task.name().unraw().to_string());
    let output = match &task.output {
        Some(ty) => format!(" with the output `{}`", ty.to_token_stream()),
        None => String::new(),
    };
    let mut doc = format!("**{title}**: {}{output}.", task.kind.describe());
    if let Some(description) = description(task) {
        doc.push_str(&format!("\n\n{description}"));
    }
    let name = |index: usize| model.tasks.get(index).map(|task| task.name().unraw().to_string());
    let mut targets = routes(model, task).into_iter().filter_map(name).collect::<Vec<_>>();
    targets.dedup();
    if !targets.is_empty() {
        doc.push_str(&format!("\n\nLeads to {}.", join_names(targets)));
    }
    for edge in &task.on {
        if let Some(target) = name(edge.target) {
            doc.push_str(&format!("\n\nOn `{}`: `{target}`.", edge.syntax.when));
        }
    }
    doc
}

/// Returns the tasks that can follow a task after success.
fn routes(model: &Model<'_>, task: &Task<'_>) -> Vec<usize> {
    let transitions = task.transitions.iter().map(|edge| edge.target);
    let next = task.next.iter().map(|edge| edge.target);
    let choices = task.choices.iter().map(|edge| edge.target);
    let branches = task.branches.iter().map(|edge| edge.target);
    let mut targets: Vec<usize> = transitions.chain(branches).chain(next).chain(choices).collect();
    targets.extend(task.in_sequence);
    if !task.routes() && task.can_succeed() {
        targets.extend(model.default_return);
    }
    targets
}

fn tool_doc(work: &ToolWork) -> String {
    match work {
        ToolWork::Function { description: Some(text), .. } => text.value(),
        ToolWork::Function { .. } => "A tool that models can call.".to_owned(),
        ToolWork::Source(_) => "A source of tools that models can call.".to_owned(),
    }
}
