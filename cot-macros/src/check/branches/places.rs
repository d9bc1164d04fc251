//! Finds the places of the state that tasks read and write.

use cot_syntax::{PathSegment, Piece, StatePath, Template, TemplateText};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Member};

use crate::{
    check::shown_parts,
    model::{Model, Role, StateUses, Task, tool_expressions},
};

/// A use of a place of the state by a task.
#[derive(Clone)]
pub(super) struct PlaceUse {
    /// The names of the fields, from the outermost inward.
    pub(super) place: Vec<String>,
    /// The task; `None` for a text that all prompts share.
    pub(super) task: Option<usize>,
    pub(super) writes: bool,
    /// Whether the write is that of the history, which the state mirrors.
    pub(super) is_mirror: bool,
    /// The tokens of the use.
    pub(super) tokens: TokenStream,
}

impl PlaceUse {
    /// Returns the place for messages.
    pub(super) fn name(&self) -> String {
        match &*self.place {
            [] => "the whole state".to_owned(),
            place => format!("`{}`", place.join(".")),
        }
    }
}

/// The reads in the templates that tasks share.
pub(super) struct SharedTexts {
    /// The reads of each part, without those of the parts that it shows.
    parts: Vec<Vec<PlaceUse>>,
    /// The reads of the introduction, the system message and the primers, with those of their parts.
    always: Vec<PlaceUse>,
}

impl SharedTexts {
    pub(super) fn new(model: &Model<'_>) -> Self {
        let own = |template| in_template(template, None);
        let parts = model.parts.iter().map(|part| own(&part.template)).collect();
        let mut shared = Self { parts, always: Vec::new() };
        for used in model.shared_templates() {
            if used.role == Role::Prompt && used.part.is_none() {
                let mut found = own(used.template);
                shared.add_parts(model, used.template, &mut found);
                shared.always.extend(found);
            }
        }
        shared
    }

    /// Adds the reads of the parts that a template shows.
    fn add_parts(&self, model: &Model<'_>, template: &Template, uses: &mut Vec<PlaceUse>) {
        let parts = all_parts_of(model, template);
        uses.extend(parts.into_iter().flat_map(|part| self.parts[part].iter().cloned()));
    }
}

/// Returns the parts that a template shows, directly or through other parts.
fn all_parts_of(model: &Model<'_>, template: &Template) -> Vec<usize> {
    let mut shown = parts_of(model, template);
    let mut at = 0;
    while let Some(&part) = shown.get(at) {
        for inner in parts_of(model, &model.parts[part].template) {
            if !shown.contains(&inner) {
                shown.push(inner);
            }
        }
        at += 1;
    }
    shown
}

/// Returns the texts that the prompts of a task show, with those that it shares with other tasks.
pub(super) fn texts_of<'a>(model: &Model<'a>, task: &Task<'_>) -> Vec<&'a TemplateText> {
    let shared = model
        .shared_templates()
        .into_iter()
        .filter(|used| used.role == Role::Prompt && used.part.is_none() && task.kind.asks_model());
    let used: Vec<_> = model.task_templates(task.index).into_iter().chain(shared).collect();
    let parts = used.iter().flat_map(|used| all_parts_of(model, used.template));
    let parts: Vec<_> = parts.map(|part| &model.parts[part].template).collect();
    let texts = used.iter().map(|used| used.template).chain(parts);
    texts
        .filter_map(|template| match template {
            Template::Text(text) => Some(text),
            Template::Function(_) => None,
        })
        .collect()
}

/// Returns the places that the tasks of a branch use.
pub(super) fn uses_of(model: &Model<'_>, tasks: &[usize], shared: &SharedTexts) -> Vec<PlaceUse> {
    let mut uses = Vec::new();
    for &task in tasks {
        add_task(model, &model.tasks[task], shared, &mut uses);
    }
    if tasks.iter().any(|task| model.tasks[*task].kind.asks_model()) {
        uses.extend(shared.always.iter().cloned());
    }
    uses
}

fn add_task(model: &Model<'_>, task: &Task<'_>, shared: &SharedTexts, uses: &mut Vec<PlaceUse>) {
    let index = Some(task.index);
    for write in task.syntax.items.update.iter().flat_map(|item| &item.value.writes) {
        let place = written_place(&write.path);
        if !place.is_empty() {
            let tokens = write.path.to_token_stream();
            uses.push(PlaceUse { place, task: index, writes: true, is_mirror: false, tokens });
        }
    }
    if model.mirror_limit().is_some() && task.syntax.items.no_history.is_none() {
        let (place, tokens) = (vec!["history".to_owned()], task.name().to_token_stream());
        uses.push(PlaceUse { place, task: index, writes: true, is_mirror: true, tokens });
    }
    for (_, expr) in task.expressions() {
        uses.extend(in_expr(expr, index));
    }
    for (_, expr) in tool_expressions(model, task) {
        uses.extend(in_expr(expr, index));
    }
    for used in model.task_templates(task.index) {
        uses.extend(in_template(used.template, index));
        shared.add_parts(model, used.template, uses);
    }
}

/// Returns the fields of a path, up to a key or an index.
fn written_place(path: &StatePath) -> Vec<String> {
    let mut place = Vec::new();
    for segment in &path.segments {
        match segment {
            PathSegment::Field { member: Member::Named(name), .. } => place.push(name.to_string()),
            PathSegment::Create(_) => {}
            _ => break,
        }
    }
    place
}

fn in_expr(expr: &Expr, task: Option<usize>) -> impl Iterator<Item = PlaceUse> {
    let StateUses { reads, options, whole, .. } = StateUses::from_expr(expr);
    let read =
        move |place, tokens| PlaceUse { place, task, writes: false, is_mirror: false, tokens };
    let whole = whole.then(|| read(Vec::new(), expr.to_token_stream()));
    let fields = reads.into_iter().chain(options).map(move |used| {
        let place = std::iter::once(used.field.to_string()).chain(used.parts.clone()).collect();
        read(place, used.to_token_stream())
    });
    fields.chain(whole)
}

fn in_template(template: &Template, task: Option<usize>) -> Vec<PlaceUse> {
    let Template::Text(text) = template else { return Vec::new() };
    let mut uses = Vec::new();
    for piece in &text.pieces {
        if let Piece::Expr { expr, .. } = piece {
            let tokens = text.literal.to_token_stream();
            uses.extend(
                in_expr(expr, task).map(|used| PlaceUse { tokens: tokens.clone(), ..used }),
            );
        }
    }
    uses
}

/// Returns the parts that a template shows directly.
fn parts_of(model: &Model<'_>, template: &Template) -> Vec<usize> {
    let names =
        shown_parts::parts_in(template).into_iter().filter(|name| !shown_parts::is_standard(name));
    names.filter_map(|name| shown_parts::nearest_part(model, &name)).collect()
}
