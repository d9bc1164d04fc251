//! Walks through what each task reads: the expressions in its templates and outside them.
//!
//! The proof of reads and the flow of untrusted values look at the same sites.

use syn::{Expr, Path};

use crate::{
    check::shown_parts,
    model::{Model, Place, Role, Task, tool_expressions},
};
use cot_syntax::{Piece, Position, Template, TemplateText};

/// The time of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum ReadTime {
    /// Before the update of the task.
    Before,
    /// After the update of the task.
    After,
}

/// The place of an expression that a task evaluates.
#[derive(Debug, Clone, Copy)]
pub(in crate::check) enum Site<'a> {
    /// An expression outside templates, such as a guard or a value in an update.
    Expr { expr: &'a Expr, place: Place },
    /// An expression in a template. `shared` if several tasks show the template.
    Shown {
        expr: &'a Expr,
        text: &'a TemplateText,
        code: &'a str,
        at: Position,
        shared: bool,
        item: &'static str,
    },
    /// A function in the place of a template.
    Function { path: &'a Path, item: &'static str },
}

/// The sites of a process.
pub(in crate::check) struct Sites<'a> {
    /// The sites of the goal, which is rendered before any task.
    pub(in crate::check) goal: Vec<Site<'a>>,
    /// The sites of each task.
    pub(in crate::check) tasks: Vec<Vec<(ReadTime, Site<'a>)>>,
}

impl<'a> Sites<'a> {
    pub(in crate::check) fn from_model(model: &Model<'a>) -> Self {
        let shared = SharedSites::from_model(model);
        let goal = model.syntax.items.goal.as_ref();
        let goal = goal.map(|goal| shared.shown(model, &goal.value, false, "goal"));
        let tasks = model.tasks.iter().map(|task| task_sites(model, task, &shared));
        Self { goal: goal.unwrap_or_default(), tasks: tasks.collect() }
    }
}

fn task_sites<'a>(
    model: &Model<'a>,
    task: &Task<'a>,
    shared: &SharedSites<'a>,
) -> Vec<(ReadTime, Site<'a>)> {
    let texts = shared.texts_of(model, task).into_iter().map(|site| (ReadTime::Before, site));
    let expressions = task.expressions().into_iter().map(|(place, expr)| {
        let after = matches!(place, Place::ArmGuard | Place::ArmWith);
        let when = if after { ReadTime::After } else { ReadTime::Before };
        (when, Site::Expr { expr, place })
    });
    let tools = tool_expressions(model, task);
    let tools = tools.map(|(place, expr)| (ReadTime::Before, Site::Expr { expr, place }));
    texts.chain(expressions).chain(tools).collect()
}

/// The sites in templates that several tasks show.
struct SharedSites<'a> {
    /// The sites of each part, including those of the parts that it shows.
    parts: Vec<Vec<Site<'a>>>,
    /// The sites of the introduction, the system message and the primers.
    always: Vec<Site<'a>>,
}

impl<'a> SharedSites<'a> {
    fn from_model(model: &Model<'a>) -> Self {
        let own = |part: &usize| in_template(&model.parts[*part].template, true, "prompts");
        let with_parts = |part| with_parts(model, part).iter().flat_map(own).collect();
        let mut shared =
            Self { parts: (0..model.parts.len()).map(with_parts).collect(), always: Vec::new() };
        let texts = model.shared_templates().into_iter();
        let always = texts.filter(|used| used.role == Role::Prompt && used.part.is_none());
        shared.always =
            always.flat_map(|it| shared.shown(model, it.template, true, it.item)).collect();
        shared
    }

    /// Returns the sites in a template and in the parts that it shows.
    fn shown(
        &self,
        model: &Model<'a>,
        template: &'a Template,
        shared: bool,
        item: &'static str,
    ) -> Vec<Site<'a>> {
        let mut sites = in_template(template, shared, item);
        for part in parts_of(model, template) {
            sites.extend(self.parts[part].iter().map(|site| site.shown_in(item)));
        }
        sites
    }

    /// Returns the sites in all templates that a task shows. Shared templates count for every task that
    /// asks a model, even if its prompt leaves one of them out.
    fn texts_of(&self, model: &Model<'a>, task: &Task<'a>) -> Vec<Site<'a>> {
        let own = model.task_templates(task.index).into_iter();
        let mut sites: Vec<_> =
            own.flat_map(|it| self.shown(model, it.template, false, it.item)).collect();
        if task.kind.asks_model() {
            sites.extend(&self.always);
        }
        sites
    }
}

impl<'a> Site<'a> {
    /// Returns the expression, unless the site is a function.
    pub(in crate::check) const fn expr(&self) -> Option<&'a Expr> {
        match self {
            Self::Expr { expr, .. } | Self::Shown { expr, .. } => Some(expr),
            Self::Function { .. } => None,
        }
    }

    /// Returns the site as it is shown by the template of an item.
    fn shown_in(mut self, shown: &'static str) -> Self {
        if let Self::Shown { item, .. } | Self::Function { item, .. } = &mut self {
            *item = shown;
        }
        self
    }
}

/// Returns the sites in a template, without those in the parts that it shows.
fn in_template<'a>(template: &'a Template, shared: bool, item: &'static str) -> Vec<Site<'a>> {
    let text = match template {
        Template::Function(path) => return vec![Site::Function { path, item }],
        Template::Text(text) => text,
    };
    let shown = text.pieces.iter().filter_map(|piece| match piece {
        Piece::Expr { expr, code, at } => {
            Some(Site::Shown { expr, text, code, at: *at, shared, item })
        }
        Piece::Text(_) => None,
    });
    shown.collect()
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
