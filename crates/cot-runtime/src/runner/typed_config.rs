//! The part of a runner's configuration that has the types of its process.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use cot_engine::{
    Machine, Process, Snapshot, SnapshotError, SourceTool,
    internal::{Hooks, ToolSelection, set_hooks},
    private::ToolWork,
};
use cot_store::RunId;

use crate::runner::{config::Config, observer::Observer};

/// The part of a runner's configuration that has the types of its process.
pub(crate) struct TypedConfig<P: Process> {
    /// What the program gives to the functions of the process.
    pub(crate) context: Arc<P::Context>,
    pub(crate) observers: Vec<Observer<P>>,
    pub(crate) hooks: Arc<Hooks<P>>,
}

impl<P: Process> TypedConfig<P> {
    pub(crate) fn new(context: Arc<P::Context>) -> Self {
        Self { context, observers: Vec::new(), hooks: Arc::default() }
    }

    /// Returns a changed copy. `Arc::make_mut` would be compiled for each process.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut Self)) -> Arc<Self> {
        let mut copy = self.clone();
        change(&mut copy);
        Arc::new(copy)
    }

    /// Returns whether calls of a tool of the process need approval, or of a tool that can be called of a source.
    pub(crate) fn asks(&self, tool: usize) -> bool {
        let Some(definition) = P::DEFINITION.tools.tools.get(tool) else { return false };
        let Some(ToolWork::Source(source)) = P::CODE.tools.get(tool).map(|code| &code.work) else {
            return definition.needs_approval;
        };
        let is_selected = |tool: &SourceTool| match definition.selection {
            ToolSelection::All => true,
            listed => listed.names().contains(&tool.name()),
        };
        let asks = || {
            let mut tools = source(&self.context).tools().iter();
            tools.any(|tool| tool.needs_approval && is_selected(tool))
        };
        // The start of the run reports a panic.
        definition.needs_approval || catch_unwind(AssertUnwindSafe(asks)).unwrap_or_default()
    }

    /// Creates the machine of a new run.
    pub(crate) fn new_machine(&self, config: &Config) -> Machine<P> {
        Machine::with_context(Arc::clone(&self.context)).options(config.options.clone())
    }

    /// Creates the machine of a resumed run.
    pub(crate) fn resume_machine(
        &self,
        config: &Config,
        snapshot: Snapshot,
        run: &RunId,
    ) -> Result<Machine<P>, SnapshotError> {
        let context = Arc::clone(&self.context);
        let mut machine =
            Machine::resume_with_context(snapshot, &*config.resume, context, run.as_str())?;
        self.prepare_machine(config, &mut machine);
        Ok(machine)
    }

    /// Enables the events of a machine if they are needed, and sets its hooks.
    pub(crate) fn prepare_machine(&self, config: &Config, machine: &mut Machine<P>) {
        machine.record(!self.observers.is_empty() || config.store.is_some() || config.is_traced());
        set_hooks(machine, &self.hooks);
    }
}

impl<P: Process> Clone for TypedConfig<P> {
    fn clone(&self) -> Self {
        Self {
            context: Arc::clone(&self.context),
            observers: self.observers.clone(),
            hooks: Arc::clone(&self.hooks),
        }
    }
}
