//! Determines the images and documents that templates show.

use cot_syntax::{Piece, Template};
use proc_macro2::Ident;
use syn::{Expr, ExprCall};

use super::{process::Model, task::Task, uses::Uses};

/// The media that a text shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ShownMedia {
    pub(crate) images: bool,
    pub(crate) documents: bool,
}

/// The helper functions that show a medium.
pub(crate) const MEDIA_HELPERS: [&str; 2] = ["image", "document"];

impl ShownMedia {
    pub(crate) const fn is_none(self) -> bool {
        !self.images && !self.documents
    }

    /// Returns a noun with its article.
    pub(crate) const fn describe(self) -> &'static str {
        if self.images { "an image" } else { "a document" }
    }

    fn add(&mut self, helper: &Ident) {
        self.images |= helper == "image";
        self.documents |= helper == "document";
    }

    fn extend(&mut self, other: Self) {
        self.images |= other.images;
        self.documents |= other.documents;
    }
}

/// Returns the name of the helper if an expression is a call of one that shows a medium.
pub(crate) fn media_helper(expr: &Expr) -> Option<&Ident> {
    called_name(expr).filter(|name| is_media_helper(name))
}

/// Returns the plain name that an expression calls, if it is a call.
pub(crate) fn called_name(expr: &Expr) -> Option<&Ident> {
    let Expr::Call(ExprCall { func, .. }) = expr else { return None };
    let Expr::Path(path) = &**func else { return None };
    path.path.get_ident()
}

pub(crate) fn is_media_helper(name: &Ident) -> bool {
    MEDIA_HELPERS.iter().any(|helper| name == helper)
}

/// Returns the media that the prompt of a task can show.
pub(crate) fn media_of_task(model: &Model<'_>, task: &Task<'_>) -> ShownMedia {
    let mut media = MediaSearch { model, task: Some(task), seen: Vec::new() };
    if let Some(full) = &task.syntax.items.full_prompt {
        return media.in_template(&full.value);
    }
    let mut shown = media.in_part("intro");
    shown.extend(media.in_part("prompt"));
    shown
}

/// Returns the media that an expression shows, including those of parts of `prompts`.
pub(crate) fn media_in_expr(model: &Model<'_>, expr: &Expr) -> ShownMedia {
    MediaSearch { model, task: None, seen: Vec::new() }.in_expr(expr)
}

/// Returns the media that a part of `prompts` shows.
pub(crate) fn media_in_part(model: &Model<'_>, name: &Ident) -> ShownMedia {
    MediaSearch { model, task: None, seen: Vec::new() }.in_part(&name.to_string())
}

/// A search for media in texts and in the parts that they show.
struct MediaSearch<'m> {
    model: &'m Model<'m>,
    /// The task whose standard parts are shown.
    task: Option<&'m Task<'m>>,
    /// The parts that were searched.
    seen: Vec<String>,
}

impl MediaSearch<'_> {
    fn in_template(&mut self, template: &Template) -> ShownMedia {
        let mut shown = ShownMedia::default();
        let Template::Text(text) = template else { return shown };
        for piece in &text.pieces {
            if let Piece::Expr { expr, .. } = piece {
                shown.extend(self.in_expr(expr));
            }
        }
        shown
    }

    fn in_expr(&mut self, expr: &Expr) -> ShownMedia {
        let mut shown = ShownMedia::default();
        let uses = Uses::from_expr(expr);
        uses.calls.iter().for_each(|(name, _)| shown.add(name));
        for part in &uses.parts {
            if let Expr::Path(path) = part
                && let Some(name) = path.path.get_ident()
            {
                shown.extend(self.in_part(&name.to_string()));
            }
        }
        shown
    }

    fn in_part(&mut self, name: &str) -> ShownMedia {
        if self.seen.iter().any(|seen| seen == name) {
            return ShownMedia::default();
        }
        self.seen.push(name.to_owned());
        let own = self.model.parts.iter().find(|part| part.name == name);
        let items = self.task.map(|task| &task.syntax.items);
        let template = match (own, name, items) {
            (Some(part), _, _) => Some(&part.template),
            (None, "intro", _) => self.model.syntax.items.intro.as_ref().map(|item| &item.value),
            (None, "prompt", Some(items)) => {
                items.prompt.as_ref().or(items.reason.as_ref()).map(|item| &item.value)
            }
            _ => None,
        };
        template.map(|template| self.in_template(template)).unwrap_or_default()
    }
}
