//! Generates the parts that templates show.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Ident};

use crate::model::Model;

/// Generates the tables of the parts: their names, and their functions.
pub(super) fn tables(model: &Model<'_>) -> (TokenStream, TokenStream) {
    let names = model.parts.iter().map(|part| part.name.to_string());
    let functions = model.parts.iter().map(|part| part_function(&part.name));
    (quote!(&[#(#names),*]), quote!(&[#(#functions),*]))
}

pub(super) fn part_function(name: &Ident) -> Ident {
    format_ident!("__part_{}", name, span = Span::mixed_site())
}

/// The part that `part(name)` shows.
pub(super) enum ShownPart {
    /// A part of the process, with its name and its function.
    Own(String, Ident),
    /// A standard part, with its name.
    Standard(String),
}

pub(super) fn part(model: &Model<'_>, argument: &Expr) -> Option<ShownPart> {
    let Expr::Path(path) = argument else { return None };
    let name = path.path.get_ident()?;
    Some(match model.parts.iter().any(|part| part.name == *name) {
        true => ShownPart::Own(name.to_string(), part_function(name)),
        false => ShownPart::Standard(name.to_string()),
    })
}
