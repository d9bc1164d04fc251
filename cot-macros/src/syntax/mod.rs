//! Stage one: tokens become a tree that keeps them. Parsing is permissive: a mistake in one item is
//! reported and the next item is read.

mod brackets;
mod for_each;
mod items;
mod limits;
mod misnamed;
mod next;
mod on;
mod path;
mod process;
mod retry;
mod state;
mod sub_process;
mod task;
mod template;
mod transitions;
mod update;
mod values;
mod with;

pub(crate) use items::Item;
pub(crate) use limits::{BudgetItem, HistoryItem};
pub(crate) use next::Arm;
pub(crate) use on::{ON, OnRoute};
pub(crate) use path::{Segment, StatePath};
pub(crate) use process::{PRIMERS, Part, Process, ProcessItems, Sequence, is_lint_level};
pub(crate) use retry::{Backoff, RetryItem};
pub(crate) use state::{StateField, StateItem};
pub(crate) use task::{ProcessOutput, Task, TaskItems};
pub(crate) use template::{NEW_KEYWORDS, Piece, Position, Template, TemplateText};
pub(crate) use transitions::Transition;
pub(crate) use update::{Update, Write};
pub(crate) use values::{Engines, Seconds};
pub(crate) use with::With;

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
