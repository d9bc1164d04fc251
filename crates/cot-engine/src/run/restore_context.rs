//! The context in which a phase is restored from a snapshot.

use std::{sync::Arc, time::Duration};

use crate::{
    process::{
        host::ProcessHost,
        tables::{Definition, TaskIndex, TaskKind},
    },
    protocol::directive::CallId,
    run::context::{RunFacts, Visit},
    snapshot::{
        data::Delivery,
        error::{SnapshotError, inconsistent},
        options::ResumeOptions,
    },
    values::inputs::Inputs,
};

/// The run whose position is restored.
#[derive(Clone, Copy)]
pub(crate) struct RestoreContext<'a> {
    pub(crate) facts: &'a RunFacts,
    /// The elapsed time of the run, as a branch sees it if the position is that of a branch.
    pub(crate) elapsed: Duration,
    pub(crate) host: &'a dyn ProcessHost,
    pub(crate) options: &'a ResumeOptions,
}

impl RestoreContext<'_> {
    /// Returns a task by name, with its inputs.
    pub(crate) fn read_delivery(
        &self,
        delivery: Delivery,
    ) -> Result<(TaskIndex, Option<Inputs>), SnapshotError> {
        read_delivery(self.facts.definition, delivery, self.host)
    }

    /// Returns the current visit of a task, whose kind has to fit the pending call.
    pub(crate) fn read_visit(
        &self,
        delivery: Delivery,
        fits: fn(&TaskKind) -> bool,
    ) -> Result<Visit, SnapshotError> {
        let key = delivery.key.as_deref().map(Arc::from);
        let (task, inputs) = self.read_delivery(delivery)?;
        if !fits(&self.facts.definition.task(task).kind) {
            return Err(inconsistent("the pending call does not fit the kind of its task"));
        }
        Ok(Visit { task, inputs, number: self.facts.visits[task].max(1), key })
    }

    /// Checks that the run has assigned a call id.
    pub(crate) fn check_call_id(&self, id: CallId) -> Result<CallId, SnapshotError> {
        if id.0 > self.facts.last_call {
            return Err(inconsistent("it has a call id that was never assigned"));
        }
        Ok(id)
    }
}

/// Returns a task by name, with its inputs.
pub(crate) fn read_delivery(
    definition: &Definition,
    delivery: Delivery,
    host: &dyn ProcessHost,
) -> Result<(TaskIndex, Option<Inputs>), SnapshotError> {
    let task = find_task(definition, &delivery.task)?;
    let Some(inputs) = delivery.inputs else {
        return match definition.task(task).takes_inputs {
            true => Err(inconsistent(&format!("`{}` lacks its inputs", delivery.task))),
            false => Ok((task, None)),
        };
    };
    let value = serde_json::from_str(inputs.get()).map_err(SnapshotError::NotASnapshot)?;
    let read = host.read_inputs(task, value);
    let unreadable = |issues| SnapshotError::UnreadableInputs { task: delivery.task, issues };
    Ok((task, read.map_err(unreadable)?))
}

/// Returns the index of a task by name.
pub(crate) fn find_task(definition: &Definition, name: &str) -> Result<TaskIndex, SnapshotError> {
    let found = definition.tasks.iter().position(|task| task.about.name == name);
    found.ok_or_else(|| inconsistent(&format!("there is no task `{name}`")))
}
