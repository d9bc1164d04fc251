//! Generates the check that the state fields that a task reads are written.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, ext::IdentExt};

use super::unset::{UnsetFields, reads};
use crate::expand::locals::Locals;
use crate::model::{Model, Place, Role, Task, Uses, tool_expressions};
use cot_syntax::{PathSegment, Piece, Template};

/// Generates the function that returns the first unwritten field that the task reads.
pub(in crate::expand) fn unwritten(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let read = names_read(model, task);
    let unset = UnsetFields::from_model(model);
    let read: Vec<_> = unset.fields().filter(|field| read.contains(&field.to_string())).collect();
    if read.is_empty() {
        return None;
    }
    let Locals { state, .. } = Locals::new();
    let names = read.iter().map(|field| field.unraw().to_string());
    Some(quote! {
        |#state| ::cot_core::__private::first_unwritten(&[
            #((#names, ::core::option::Option::is_some(&#state.#read))),*
        ])
    })
}

/// Returns the fields that a task reads before its commit.
fn names_read(model: &Model<'_>, task: &Task<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for template in templates(model, task) {
        names.extend(shown(template).flat_map(|expr| reads(expr).plain));
    }
    // Arms of `next` are evaluated after the commit and may read its writes.
    let before = |place| !matches!(place, Place::ArmGuard | Place::ArmWith);
    let expressions = task.expressions().into_iter().filter(|(place, _)| before(*place));
    names.extend(expressions.flat_map(|(_, expr)| reads(expr).plain));
    names.extend(tool_expressions(model, task).flat_map(|(_, expr)| reads(expr).plain));
    names.extend(gone_into(task));
    names
}

/// Returns the fields to whose parts the task writes without writing the whole first.
fn gone_into(task: &Task<'_>) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    let mut names = Vec::new();
    for write in task.syntax.items.update.iter().flat_map(|item| &item.value.writes) {
        let Some(PathSegment::Field { member: syn::Member::Named(field), .. }) =
            write.path.segments.first()
        else {
            continue;
        };
        let field = field.to_string();
        match write.path.segments.get(1) {
            None | Some(PathSegment::Create(_)) if write.guard.is_none() => whole.push(field),
            None | Some(PathSegment::Create(_)) => {}
            Some(_) if !whole.contains(&field) => names.push(field),
            Some(_) => {}
        }
    }
    names
}

/// Returns the templates that are rendered for a task, and the parts that they show.
fn templates<'m>(model: &Model<'m>, task: &Task<'_>) -> Vec<&'m Template> {
    let used = model.task_templates(task.index).into_iter().map(|use_| use_.template);
    let mut templates: Vec<&Template> = used.collect();
    if task.kind.asks_model() {
        let shared = model.shared_templates().into_iter();
        let shared = shared.filter(|use_| use_.role == Role::Prompt && use_.part.is_none());
        templates.extend(shared.map(|use_| use_.template));
    }
    let mut at = 0;
    while let Some(template) = templates.get(at) {
        let parts: Vec<Expr> =
            shown(template).flat_map(|expr| Uses::from_expr(expr).parts).collect();
        for part in parts.iter().filter_map(|name| part_named(model, name)) {
            if !templates.iter().any(|template| std::ptr::eq(*template, part)) {
                templates.push(part);
            }
        }
        at += 1;
    }
    templates
}

fn part_named<'m>(model: &Model<'m>, argument: &Expr) -> Option<&'m Template> {
    let Expr::Path(path) = argument else { return None };
    let name: &Ident = path.path.get_ident()?;
    model.parts.iter().find(|part| part.name == *name).map(|part| &part.template)
}

fn shown(template: &Template) -> impl Iterator<Item = &Expr> {
    let pieces = match template {
        Template::Text(text) => &text.pieces[..],
        Template::Function(_) => &[],
    };
    pieces.iter().filter_map(|piece| match piece {
        Piece::Expr { expr, .. } => Some(&**expr),
        Piece::Text(_) => None,
    })
}
