//! The grammar of `cot_process!`: tokens become a tree that keeps them.
//!
//! [`parse()`] reads a [`Process`]. It is permissive: a mistake in one item is reported to
//! [`Errors`](diagnostics::Errors), and the next item is read. Each thing with items (the process, a
//! task, `retry` and the like) has one table of them: `ProcessItems::TABLE`, `TaskItems::TABLE`. A row
//! of it has all that is known of an item without a value: the key, the form, the kinds of tasks.

extern crate proc_macro;

pub mod diagnostics;
mod items;
mod kind;
mod parse;
mod process;
mod task;
mod template;
mod values;

pub use items::{
    budget::BudgetItems,
    history::{HistoryItems, HistoryValue},
    process::ProcessItems,
    retry::{Backoff, RetryItems},
    task::TaskItems,
};
pub use kind::TaskKind;
pub use parse::{
    item::{InvalidItems, Item, Slot},
    row::{ItemView, Number, Range, Row, ValueView},
    table::Table,
};
pub use process::{Process, is_lint_level, parse};
pub use task::Task;
pub use template::{
    piece::{Flaw, Piece, Position, TemplateText},
    reader::NEW_KEYWORDS,
    syntax::Template,
};
pub use values::{
    duration::{Seconds, Wait},
    engines::{Engine, Engines},
    for_each::ForEach,
    functions::{Check, ProcessOutput},
    next::{Arm, Next},
    on::{ON, OnRoute},
    parts::{PRIMERS, Part, Primers, Prompts},
    path::{Segment, StatePath},
    plain::{CratePath, Names},
    sequence::Sequence,
    state::{InlineState, StateField, StateItem},
    sub_process::SubProcess,
    transitions::Transition,
    update::{Update, Write},
    with::With,
};
