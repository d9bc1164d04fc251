//! `cot fmt`: formats the bodies of `cot_process!`.

mod bodies;
mod command;
mod edition;
mod files;
mod rustfmt;

pub(crate) use command::Fmt;
