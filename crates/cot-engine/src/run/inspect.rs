//! Inspects the prompt of the current task without a model call.

use cot_model::ModelRequest;

use crate::{
    process::host::ProcessHost,
    prompt::assemble::{assemble, assemble_partial},
    run::{
        context::{RunView, Visit},
        phase::question::ModelQuestion,
        position::Position,
        run::Run,
    },
};
use cot_template::PartialPrompt;

/// Returns the model request of the current task.
///
/// # Errors
///
/// If the run is not at a task with a prompt, or a template fails.
pub(crate) fn prompt(run: &Run, host: &dyn ProcessHost) -> Result<ModelRequest, String> {
    if let Some(child) = run.child() {
        return child.prompt();
    }
    let (visit, question) = current_question(run, host)?;
    assemble(&question.prompt_input(&run.facts, &visit), host)
}

/// Returns the prompt of the current task without the omitted fragments.
///
/// # Errors
///
/// If the run is not at a task with a prompt, or a template fails.
pub(crate) fn partial_prompt(
    run: &Run,
    partial: &PartialPrompt,
    host: &dyn ProcessHost,
) -> Result<String, String> {
    if let Some(child) = run.child() {
        return child.partial_prompt(partial);
    }
    let (visit, question) = current_question(run, host)?;
    assemble_partial(&question.prompt_input(&run.facts, &visit), host, partial)
}

/// The visit of a task, and its question.
type Asked = (Visit, ModelQuestion);

/// Returns the question of the current task.
///
/// # Errors
///
/// If the run is not at a task with a prompt.
pub(crate) fn current_question(run: &Run, host: &dyn ProcessHost) -> Result<Asked, String> {
    Ok(match &run.position {
        Position::BetweenTasks(arrival) => {
            let (task, inputs) = (arrival.task, arrival.inputs.clone());
            let visit = Visit { task, inputs, number: 1, key: None };
            let view = RunView { facts: &run.facts, visit: &visit, host };
            let question = ModelQuestion::preview(view)?;
            (visit, question)
        }
        Position::InTask { visit, phase } => {
            match phase.as_dyn().branch_question(&run.facts, host) {
                Some(found) => found,
                None => {
                    let view = RunView { facts: &run.facts, visit, host };
                    (visit.clone(), phase.as_dyn().current_question(view)?)
                }
            }
        }
        Position::Finished(_) | Position::Taken(_) => return Err("the run is over".to_owned()),
    })
}
