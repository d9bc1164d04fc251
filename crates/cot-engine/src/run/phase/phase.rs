//! The enum of all phases.

use crate::{
    process::tables::TaskKind,
    run::{
        context::RunContext,
        end::TaskEnd,
        phase::{
            function::FunctionPhase, group::GroupPhase, human::HumanPhase, model::ModelPhase,
            question::ModelQuestion, sub_process::SubProcessPhase, task_phase::TaskPhase,
            timer::TimerPhase,
        },
    },
};

/// The phase of a task: how it produces its result. An enum, so that no step allocates.
#[derive(Debug)]
pub(crate) enum Phase {
    Timer(TimerPhase),
    Model(ModelPhase),
    Group(GroupPhase<ModelQuestion>),
    Function(FunctionPhase),
    Human(HumanPhase),
    SubProcess(SubProcessPhase),
}

impl Phase {
    /// Starts the phase of a kind of task.
    pub(crate) fn begin(kind: &TaskKind, cx: &mut RunContext<'_>) -> Result<Self, TaskEnd> {
        Ok(match kind {
            TaskKind::Ai(_) => Self::Model(ModelPhase::begin(cx)),
            TaskKind::Each(..) => Self::Group(GroupPhase::begin(cx)?),
            TaskKind::Code => Self::Function(FunctionPhase::begin(cx)),
            TaskKind::Human => Self::Human(HumanPhase::begin(cx)),
            TaskKind::Process(_) => Self::SubProcess(SubProcessPhase::begin(cx)?),
            // These have no phase; the run leaves them immediately.
            TaskKind::Gateway | TaskKind::End | TaskKind::Fail => {
                return Err(TaskEnd::Done(cx.facts.route_from(cx.visit, None, cx.host)));
            }
        })
    }

    pub(crate) fn as_dyn_mut(&mut self) -> &mut dyn TaskPhase {
        match self {
            Self::Timer(phase) => phase,
            Self::Model(phase) => phase,
            Self::Group(phase) => phase,
            Self::Function(phase) => phase,
            Self::Human(phase) => phase,
            Self::SubProcess(phase) => phase,
        }
    }

    pub(crate) fn as_dyn(&self) -> &dyn TaskPhase {
        match self {
            Self::Timer(phase) => phase,
            Self::Model(phase) => phase,
            Self::Group(phase) => phase,
            Self::Function(phase) => phase,
            Self::Human(phase) => phase,
            Self::SubProcess(phase) => phase,
        }
    }
}
