//! The start of a run, and what can keep it from starting.

use std::{fmt, time::Duration};

use super::{
    MachineOptions, Piece, StartError, Typed, View, core::Core, phase::Phase, routing::Callers,
};
use crate::{History, OutputSchema, Usage, blueprint::Definition, prompt::PromptWriter};

impl Core {
    /// A run at its first task.
    pub(super) fn start(
        definition: &'static Definition,
        options: &MachineOptions,
        last_call: u64,
        host: &dyn Typed,
    ) -> Result<Self, StartError> {
        check_schemas(definition, host)?;
        Ok(Self {
            definition,
            options: options.clone(),
            phase: Phase::At { task: definition.start },
            goal: goal_of(definition, options, host)?,
            history: History::new(),
            callers: Callers::default(),
            usage: Usage::default(),
            steps: 0,
            elapsed: Duration::ZERO,
            last_call,
            prompt_size: 0,
        })
    }
}

/// The goal that was given, or else what the declaration says.
fn goal_of(
    definition: &'static Definition,
    options: &MachineOptions,
    host: &dyn Typed,
) -> Result<String, StartError> {
    if let Some(goal) = options.goal.as_ref().filter(|goal| !goal.trim().is_empty()) {
        return Ok(goal.clone());
    }
    let (task, history) = (definition.task(definition.start), History::new());
    let view = View { goal: "", task: &task.about, process: &definition.about, history: &history };
    let mut writer = PromptWriter::default();
    match host.write(Piece::Goal, &view, &mut writer) {
        Ok(false) if definition.uses_goal => Err(StartError::MissingGoal),
        Ok(_) => Ok(writer.finish()),
        Err(fmt::Error) => Err(StartError::Template(writer.take_failure())),
    }
}

fn check_schemas(definition: &'static Definition, host: &dyn Typed) -> Result<(), StartError> {
    for (index, task) in definition.tasks.iter().enumerate() {
        if let Some(reason) = host.output_schema(index).and_then(OutputSchema::problem) {
            return Err(StartError::BadSchema {
                task: task.about.name,
                reason: reason.to_string(),
            });
        }
    }
    Ok(())
}
