//! Stage one: tokens become a tree that keeps them. Parsing is permissive: a mistake in one item is
//! reported and the next item is read.

mod items;
mod next;
mod path;
mod process;
mod task;
mod template;
mod transitions;
mod update;
mod values;

pub(crate) use next::Arm;
pub(crate) use path::{Segment, StatePath};
pub(crate) use process::{HistoryItem, PRIMERS, Part, Process, Sequence};
pub(crate) use task::{ProcessOutput, Task, TaskItems};
pub(crate) use template::{Piece, Template, TemplateText};
pub(crate) use transitions::Transition;
pub(crate) use update::{Update, Write};
pub(crate) use values::Seconds;

use proc_macro2::TokenStream;
use syn::parse::Parser;

use crate::diagnostics::Errors;

/// Reads a process. `None` when not even its name could be read.
pub(crate) fn parse(input: TokenStream, errors: &Errors) -> Option<Process> {
    let parser = |input: syn::parse::ParseStream| Process::parse(input, errors);
    match parser.parse2(input) {
        Ok(process) => Some(process),
        Err(error) => {
            errors.push(error);
            None
        }
    }
}
