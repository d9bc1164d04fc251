//! Begins a run that was submitted.

use cot_engine::{Machine, Process};
use cot_schema::internal::{LocatedError, read_located};
use cot_store::{RunId, RunSubmitted};

use crate::runner::{config::Config, error::RunError, typed_config::TypedConfig};

/// Starts the machine of a submitted run. What the submission does not set is that of the runner.
pub(crate) fn begin<P: Process>(
    config: &Config,
    typed: &TypedConfig<P>,
    run: &RunId,
    submitted: RunSubmitted,
) -> Result<Machine<P>, RunError> {
    let state = read_located(submitted.state.get());
    let mut state: P::State = state.map_err(|LocatedError { path, source }| {
        RunError::SubmittedState { run: run.clone(), path, source }
    })?;
    config.resume.complete_state(&mut state);
    let mut options = (*config.options).clone();
    options.goal = submitted.goal.or(options.goal);
    options.max_steps = submitted.max_steps.or(options.max_steps);
    options.timeout = submitted.timeout.or(options.timeout);
    options.budget = submitted.budget.or(options.budget);
    let mut machine = typed.new_machine(config).options(options);
    machine.set_run_id(run.as_str());
    machine.start(state)?;
    typed.prepare_machine(config, &mut machine);
    Ok(machine)
}
