//! The scope of a commit.

use crate::{
    process::{
        call_place::CallPlace,
        context::Cx,
        environment::Environment,
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
    environment: &'a Environment<P>,
    call: CallPlace<'a>,
}

impl<'a, P: ProcessTypes> CommitView<'a, P> {
    pub(crate) fn new(
        view: &ScopeData<'a>,
        last_output: Option<&'a P::Output>,
        environment: &'a Environment<P>,
    ) -> Self {
        let ScopeData { goal, task, process, history, inputs, call, .. } = *view;
        let entries = Vec::new();
        Self { goal, task, process, history, inputs, last_output, entries, environment, call }
    }

    /// Returns the view of a function, with the state before the commit.
    pub(crate) const fn cx<'b>(&self, state: &'b P::State) -> Cx<'b, P>
    where
        'a: 'b,
    {
        let Self { goal, task, process, history, inputs, last_output, .. } = *self;
        let (item, parts) = (None, None);
        let scope = Scope { state, goal, task, process, history, inputs, item, last_output, parts };
        Cx::new(scope, self.environment, self.call)
    }
}
