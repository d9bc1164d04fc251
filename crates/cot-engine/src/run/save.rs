//! Saves a run as a snapshot.

use std::{borrow::Cow, convert::Infallible, mem, sync::Arc};

use cot_model::internal::collect_blobs;

use crate::{
    process::{
        host::ProcessHost,
        tables::{Definition, TaskIndex},
    },
    run::{callers::Callers, context::Arrival, position::Position, run::Run},
    snapshot::{
        data::{Delivery, FORMAT, LastOutput, PositionData, Snapshot},
        error::{SnapshotError, inconsistent},
    },
    values::{
        inputs::Inputs,
        outcome::{Ending, Halt, map_ending},
    },
};

impl Run {
    /// Saves the run. The snapshot refers to images and documents by their digests, and contains them once.
    pub(crate) fn save(&self, host: &dyn ProcessHost) -> Result<Snapshot, SnapshotError> {
        let (snapshot, blobs) = collect_blobs(|| self.save_fields(host));
        let mut snapshot = snapshot?;
        snapshot.blobs.merge(blobs);
        for (_, process) in snapshot.position.processes_mut() {
            snapshot.blobs.merge(mem::take(&mut process.blobs));
        }
        Ok(snapshot)
    }

    fn save_fields(&self, host: &dyn ProcessHost) -> Result<Snapshot, SnapshotError> {
        let facts = &self.facts;
        let name = |task: TaskIndex| facts.name(task).to_owned();
        let counted = facts.visits.iter().enumerate().filter(|(_, count)| **count > 0);
        let (state, blobs) = host.state_json().map_err(SnapshotError::UnwritableState)?;
        let mut position = save_position(&self.position, facts.definition)?;
        position.share_history(&facts.history);
        Ok(Snapshot {
            format: FORMAT,
            process: facts.definition.about.name.to_owned(),
            position,
            callers: save_callers(&facts.callers, facts.definition)?,
            goal: facts.goal.clone(),
            state,
            history: Arc::clone(&facts.history),
            last_output: host.last_output_json().and_then(|(task, output)| {
                Some(LastOutput { task: name(task), output: output.ok()? })
            }),
            visits: counted
                .map(|(task, count)| (name(task), *count))
                .chain(facts.other_visits.clone())
                .collect(),
            is_alone: facts.is_alone,
            last_failure: facts.last_failure.clone().map(|Halt { task, reason, attempts }| Halt {
                task: name(task),
                reason,
                attempts,
            }),
            out_of_budget: facts.out_of_budget.iter().map(|task| name(*task)).collect(),
            halted_inputs: match &self.position {
                Position::Finished(Ending::Halted(halt)) => {
                    delivery(facts.definition, halt.task, facts.current_inputs.as_ref())?.inputs
                }
                _ => None,
            },
            usage: facts.usage,
            steps: facts.steps,
            elapsed: facts.elapsed,
            last_call: facts.last_call,
            once: facts.once.clone(),
            options: (*facts.options).clone(),
            inherited: facts.inherited,
            unattended: facts.unattended.as_deref().copied(),
            fingerprint: Cow::Borrowed(host.fingerprint()),
            blobs,
            is_answered: false,
            acted_since: 0,
            is_moved: false,
        })
    }
}

/// Returns a position as snapshot data.
pub(crate) fn save_position(
    position: &Position,
    definition: &'static Definition,
) -> Result<PositionData, SnapshotError> {
    let delivery = |task, inputs: &Option<Inputs>| delivery(definition, task, inputs.as_ref());
    Ok(match position {
        Position::BetweenTasks(Arrival { task, inputs, has_waited, is_interrupted, key }) => {
            let key = key.as_deref().map(str::to_owned);
            let arrival = Delivery { key, ..delivery(*task, inputs)? };
            let (has_waited, is_interrupted) = (*has_waited, *is_interrupted);
            PositionData::At { arrival, has_waited, is_interrupted }
        }
        Position::InTask { visit, phase } => {
            let key = visit.key.as_deref().map(str::to_owned);
            phase.as_dyn().save(Delivery { key, ..delivery(visit.task, &visit.inputs)? })?
        }
        Position::Taken(_) => {
            return Err(inconsistent("a poll or an event is still in progress"));
        }
        Position::Finished(ending) => {
            let Ok(ending) = map_ending(ending.clone(), |task| {
                Ok::<_, Infallible>(definition.task(task).about.name.to_owned())
            });
            PositionData::Finished(ending)
        }
    })
}

/// Returns a chain of callers as snapshot data.
pub(crate) fn save_callers(
    callers: &Callers,
    definition: &'static Definition,
) -> Result<Vec<Delivery>, SnapshotError> {
    let callers = callers.as_slice().iter();
    callers.map(|caller| delivery(definition, caller.task, caller.inputs.as_ref())).collect()
}

/// Returns a task by its name, with its inputs as JSON.
fn delivery(
    definition: &'static Definition,
    task: TaskIndex,
    inputs: Option<&Inputs>,
) -> Result<Delivery, SnapshotError> {
    let task = definition.task(task).about.name.to_owned();
    match inputs.map(Inputs::to_json).transpose() {
        Ok(inputs) => Ok(Delivery::new(task, inputs)),
        Err(source) => Err(SnapshotError::UnwritableInputs { task, source }),
    }
}
