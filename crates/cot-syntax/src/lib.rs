//! The grammar of `cot_process!`: parses tokens into a syntax tree that preserves their spans.
//!
//! [`parse()`] parses a [`Process`]. It recovers from errors: an invalid item is reported to
//! [`Errors`](diagnostics::Errors), and parsing continues with the next item. Each construct that contains
//! items (the process, a task, `retry`, `budget`, `history`) has one table of them, such as
//! `ProcessItems::TABLE` and `TaskItems::TABLE`. A row describes one item apart from its value: its key, its
//! syntax, and the kinds of tasks that accept it.

extern crate proc_macro;

// # Where things are
//
// The grammar, stage one: tokens become a tree that keeps them. `items/` has one table for each thing with items
// (process, task, `retry`, `budget`, `history`); a row has all that is known of an item without a value: key, form,
// type of the value, kinds of tasks, range, whether it decides the kind. It gives the field, the parser, the checks
// of duplicates, misspelled keys, ranges and kinds. `diagnostics` collects errors, and `codes` numbers them.
// `conditions` removes what `#[cfg]` rules out, before anything is parsed, with the questions of `tokens`. `code_text`
// writes tokens as a reader would, and `core_crate` finds the name that `cot-core` has in a package.

pub mod code_text;
pub mod codes;
pub mod conditions;
pub mod core_crate;
pub mod diagnostics;
mod items;
mod kind;
mod manifest;
mod parse;
mod process;
mod task;
mod template;
pub mod tokens;
mod values;

pub use items::{
    at_most::AtMostItems,
    budget::BudgetItems,
    history::{HistoryItems, HistoryValue},
    process::ProcessItems,
    read::ReadItems,
    retry::{Backoff, RetryItems},
    settings::SettingsItems,
    task::TaskItems,
    tool::ToolItems,
};
pub use kind::TaskKind;
pub use parse::{
    item::{InvalidItems, Item, Slot},
    row::{ItemView, Number, Range, Row, ValueView},
    table::Table,
    value_syntax::{ItemKey, ItemKeys, ValueSyntax, WordSet},
};
pub use process::{Process, is_lint_level, parse};
pub use task::Task;
pub use template::{
    piece::{Flaw, Piece, Position, TemplateText},
    reader::{NEW_KEYWORDS, shown_expressions},
    syntax::Template,
};
pub use values::{
    duration::{DurationValue, Wait},
    effect::EffectValue,
    effort::{EFFORTS, EffortValue},
    engines::{Engine, Engines},
    for_each::ForEach,
    found_in::{FoundIn, FoundRow},
    functions::{Check, ProcessOutput},
    json::JsonObject,
    next::{Arm, Next},
    on::{ON_FAILURES, OnRoute},
    order::{ORDER_HELP, Order, STANDARD_PARTS},
    parallel::{Branches, JoinValue},
    parts::{PRIMERS, Part, Primers, Prompts},
    path::{PathSegment, StatePath},
    plain::{CratePath, TaskList},
    sequence::Sequence,
    state::{InlineState, StateField, StateItem},
    stop::Stop,
    sub_process::SubProcess,
    tools::{
        names::{Names, ToolName, ToolSelection},
        tool::{Tool, ToolWork, Tools},
        uses::ToolUse,
    },
    transitions::Transition,
    update::{Update, Write},
    with::With,
    word::{
        Approver, ClearsValue, CollectValue, ToolHistoryValue, TrustValue, UntrustedHistoryValue,
    },
};
