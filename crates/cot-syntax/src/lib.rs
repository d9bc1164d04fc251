//! The grammar of `cot_process!`: tokens become a tree that keeps them.
//!
//! Parsing is permissive: a mistake in one item is reported and the next item is read.

extern crate proc_macro;

pub mod diagnostics;
mod items;
mod parse;
mod process;
mod task;
mod template;
mod values;

pub use items::limits::{BudgetItem, HistoryItem};
pub use items::retry::{Backoff, RetryItem};
pub use parse::table::Item;
pub use process::{PRIMERS, Part, Process, ProcessItems, Sequence, is_lint_level, parse};
pub use task::{Check, ProcessOutput, Task, TaskItems};
pub use template::reader::{Flaw, NEW_KEYWORDS, Piece, Position, Template, TemplateText};
pub use values::duration::{Engine, Engines, Names, Seconds};
pub use values::for_each::ForEach;
pub use values::next::{Arm, Next};
pub use values::on::{ON, OnRoute};
pub use values::path::{Segment, StatePath};
pub use values::state::{InlineState, StateField, StateItem};
pub use values::sub_process::SubProcess;
pub use values::transitions::Transition;
pub use values::update::{Update, Write};
pub use values::with::With;
