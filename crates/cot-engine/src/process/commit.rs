//! The scope of a commit.

use crate::{
    process::{
        scope::{About, Scope, ScopeData},
        types::ProcessTypes,
    },
    values::{
        history::{History, HistoryEntry},
        inputs::Inputs,
    },
};

/// The scope of `update` and `process_output` without the state, and the history entries that they add.
pub struct CommitView<'a, P: ProcessTypes> {
    pub goal: &'a str,
    pub task: &'static About,
    pub process: &'static About,
    pub history: &'a History,
    pub inputs: Option<&'a Inputs>,
    pub last_output: Option<&'a P::Output>,
    pub entries: Vec<HistoryEntry>,
}

impl<'a, P: ProcessTypes> CommitView<'a, P> {
    pub(crate) const fn new(view: &ScopeData<'a>, last_output: Option<&'a P::Output>) -> Self {
        let ScopeData { goal, task, process, history, inputs, .. } = *view;
        Self { goal, task, process, history, inputs, last_output, entries: Vec::new() }
    }

    /// Returns the scope with the state before the commit.
    pub(crate) const fn scope<'b>(&self, state: &'b P::State) -> Scope<'b, P>
    where
        'a: 'b,
    {
        let Self { goal, task, process, history, inputs, last_output, .. } = *self;
        Scope { state, goal, task, process, history, inputs, item: None, last_output, parts: None }
    }
}
