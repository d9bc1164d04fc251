//! Forms made from the JSON schemas of answers.
//!
//! A [`Form`](form::Form) turns a schema into fields. What a browser has entered is a list of named texts,
//! [`Entered`](entered::Entered): `fill` makes one from a value, `read` makes a value of one, and `render` shows
//! one as HTML. A form is therefore always shown from what was entered, however far it is from a valid answer.
//! Parts of a schema that no control can express are edited as JSON.
//!
//! Names of controls consist of a mark and the pointer of a place: `v:/address/street/`. `action` has what the
//! buttons within a form do, which need no script.

pub(crate) mod action;
pub(crate) mod entered;
mod field;
mod fill;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod form;
mod from_schema;
mod hints;
mod label;
mod located;
mod pointer;
mod read;
mod render;
#[cfg(test)]
mod tests;
