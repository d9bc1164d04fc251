//! Finds the state fields that each task reads.

use syn::Expr;

use super::writes::{is_whole, writes_to};
use crate::{
    check::{fields, shown_parts},
    model::{FieldUse, Model, Place, Role, StateUses, Task, tool_guards},
};
use cot_syntax::{Piece, Position, StatePath, Template, TemplateText};

/// A read of a field by a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read<'a> {
    pub(super) field: usize,
    /// The task that reads; `None` for the goal, which is rendered before any task.
    pub(super) task: Option<usize>,
    pub(super) when: ReadTime,
    pub(super) site: ReadSite<'a>,
}

/// The time of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadTime {
    /// Before the update of the task.
    Before,
    /// After the update of the task.
    After,
}

/// The place of a read in the source.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReadSite<'a> {
    /// An expression outside templates, such as a guard or a value in an update.
    Expr { expr: &'a Expr, place: Place },
    /// An expression in a template. `shared` if several tasks show the template.
    Shown { expr: &'a Expr, text: &'a TemplateText, code: &'a str, at: Position, shared: bool },
    /// A state path that writes to a part of the field.
    Path(&'a StatePath),
}

impl ReadSite<'_> {
    /// Returns whether both are the same place in the source.
    pub(super) fn is_same_place(self, other: Self) -> bool {
        match (self, other) {
            (
                Self::Expr { expr, .. } | Self::Shown { expr, .. },
                Self::Expr { expr: other, .. } | Self::Shown { expr: other, .. },
            ) => std::ptr::eq(expr, other),
            (Self::Path(path), Self::Path(other)) => std::ptr::eq(path, other),
            _ => false,
        }
    }
}

/// The reads of a process, in the order of declaration.
pub(super) struct Reads<'a>(Vec<Read<'a>>);

impl<'a> Reads<'a> {
    pub(super) fn from_model(model: &Model<'a>) -> Self {
        let shared = SharedReads::from_model(model);
        let mut reads = Self(Vec::new());
        if let Some(goal) = &model.syntax.items.goal {
            reads.add(None, ReadTime::Before, shared.shown(model, &goal.value, false));
        }
        for task in &model.tasks {
            reads.add(Some(task.index), ReadTime::Before, shared.texts_of(model, task));
            reads.add_expressions(model, task);
            reads.add_tool_guards(model, task);
            reads.add_partial_writes(model, task);
        }
        reads
    }

    pub(super) fn for_field(&self, field: usize) -> impl Iterator<Item = &Read<'a>> {
        self.0.iter().filter(move |read| read.field == field)
    }

    fn add(&mut self, task: Option<usize>, when: ReadTime, uses: Vec<(usize, ReadSite<'a>)>) {
        let reads = uses.into_iter().map(|(field, site)| Read { field, task, when, site });
        self.0.extend(reads);
    }

    fn add_expressions(&mut self, model: &Model<'a>, task: &Task<'a>) {
        for (place, expr) in task.expressions() {
            let after = matches!(place, Place::ArmGuard | Place::ArmWith);
            let when = if after { ReadTime::After } else { ReadTime::Before };
            let site = ReadSite::Expr { expr, place };
            let uses = fields_in(model, expr).into_iter().map(|field| (field, site)).collect();
            self.add(Some(task.index), when, uses);
        }
    }

    /// Adds the reads in the guards of the tools of a task.
    fn add_tool_guards(&mut self, model: &Model<'a>, task: &Task<'a>) {
        for expr in tool_guards(model, task) {
            let site = ReadSite::Expr { expr, place: Place::Guard };
            let uses = fields_in(model, expr).into_iter().map(|field| (field, site)).collect();
            self.add(Some(task.index), ReadTime::Before, uses);
        }
    }

    /// Adds the writes to parts of fields, which read the field unless the same update writes it first.
    fn add_partial_writes(&mut self, model: &Model<'a>, task: &Task<'a>) {
        let mut whole = Vec::new();
        let mut uses = Vec::new();
        for write in task.syntax.items.update.iter().flat_map(|item| &item.value.writes) {
            if is_whole(write) {
                // A write with a guard may not happen.
                let proves = write.guard.is_none();
                whole.extend(writes_to(model, write).filter(|_| proves));
                continue;
            }
            // A misspelled name is reported by another check.
            let named = fields::root_field(&write.path);
            let field = named.and_then(|name| model.field(name));
            let needed = field.filter(|field| !whole.contains(field));
            uses.extend(needed.map(|field| (field, ReadSite::Path(&write.path))));
        }
        self.add(Some(task.index), ReadTime::Before, uses);
    }
}

/// Returns the fields that an expression reads, without duplicates.
fn fields_in(model: &Model<'_>, expr: &Expr) -> Vec<usize> {
    let mut fields = Vec::new();
    for used in StateUses::from_expr(expr).reads {
        fields.extend(model.field(&used.field).filter(|it| !fields.contains(it)));
    }
    fields
}

/// Finds the first use of a field in an expression.
pub(super) fn first_use(model: &Model<'_>, expr: &Expr, field: usize) -> Option<FieldUse> {
    let mut uses = StateUses::from_expr(expr).reads.into_iter();
    uses.find(|used| model.field(&used.field) == Some(field))
}

/// The reads in templates that several tasks show.
struct SharedReads<'a> {
    /// The reads of each part, including those of the parts that it shows.
    parts: Vec<Vec<(usize, ReadSite<'a>)>>,
    /// The reads of the introduction, the system message and the primers.
    always: Vec<(usize, ReadSite<'a>)>,
}

impl<'a> SharedReads<'a> {
    fn from_model(model: &Model<'a>) -> Self {
        let own = |part: &usize| in_template(model, &model.parts[*part].template, true);
        let with_parts = |part| with_parts(model, part).iter().flat_map(own).collect();
        let mut shared =
            Self { parts: (0..model.parts.len()).map(with_parts).collect(), always: Vec::new() };
        let texts = model.templates().into_iter();
        let always = texts.filter(|used| used.role == Role::Prompt && used.part.is_none());
        shared.always = always.flat_map(|it| shared.shown(model, it.template, true)).collect();
        shared
    }

    /// Returns the reads in a template and in the parts that it shows.
    fn shown(
        &self,
        model: &Model<'a>,
        template: &'a Template,
        shared: bool,
    ) -> Vec<(usize, ReadSite<'a>)> {
        let mut uses = in_template(model, template, shared);
        for part in parts_of(model, template) {
            uses.extend(&self.parts[part]);
        }
        uses
    }

    /// Returns the reads in all templates that a task shows. SharedReads templates count for every task that
    /// asks a model, even if its prompt leaves one of them out.
    fn texts_of(&self, model: &Model<'a>, task: &Task<'a>) -> Vec<(usize, ReadSite<'a>)> {
        let own = model.task_templates(task.index).into_iter();
        let mut uses: Vec<_> = own.flat_map(|it| self.shown(model, it.template, false)).collect();
        if task.kind.asks_model() {
            uses.extend(&self.always);
        }
        uses
    }
}

/// Returns the reads in a template, without those in the parts that it shows.
fn in_template<'a>(
    model: &Model<'a>,
    template: &'a Template,
    shared: bool,
) -> Vec<(usize, ReadSite<'a>)> {
    let Template::Text(text) = template else { return Vec::new() };
    let mut uses = Vec::new();
    for piece in &text.pieces {
        if let Piece::Expr { expr, code, at } = piece {
            let site = ReadSite::Shown { expr, text, code, at: *at, shared };
            uses.extend(fields_in(model, expr).into_iter().map(|field| (field, site)));
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

/// Returns a part and all parts that it shows, directly or indirectly.
fn with_parts(model: &Model<'_>, part: usize) -> Vec<usize> {
    let mut parts = vec![part];
    let mut at = 0;
    while let Some(&part) = parts.get(at) {
        for shown in parts_of(model, &model.parts[part].template) {
            if !parts.contains(&shown) {
                parts.push(shown);
            }
        }
        at += 1;
    }
    parts
}
