//! What the grammar says of the tokens of a body.

use std::{collections::HashSet, ops::Range};

use proc_macro2::Span;

/// The Rust code, the keys and the names in a body.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The Rust code, in the order in which it is written.
    pub(crate) fragments: Vec<Fragment>,
    /// The offsets of the keys of items, at which an item begins also without a comma before it.
    pub(crate) keys: HashSet<usize>,
    /// The offsets of the names of tasks and sequences. A declaration begins one token before its name.
    pub(crate) names: HashSet<usize>,
}

/// Rust code within a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) range: Range<usize>,
    pub(crate) kind: FragmentKind,
}

/// The kind of Rust code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FragmentKind {
    Expr,
    Type,
    /// A state path, which is no Rust code, but written without spaces like a path.
    StatePath,
}

impl Outline {
    pub(crate) fn add(&mut self, kind: FragmentKind, span: Span) {
        self.fragments.push(Fragment { range: span.byte_range(), kind });
    }
}
