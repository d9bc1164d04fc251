//! Output types, their JSON schemas and the attributes `#[cot(…)]`.

pub(crate) mod checker;
mod gather;
pub(crate) mod given;
pub(crate) mod inside;
mod notes;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod output;
mod reference;
pub(crate) mod reserved;
pub(crate) mod result_type;
pub(crate) mod rules;
pub(crate) mod schema;
pub(crate) mod wrapped;
