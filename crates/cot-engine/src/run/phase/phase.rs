//! The enum of all phases.

use std::sync::Arc;

use crate::{
    process::tables::{EachWork, TaskKind},
    run::{
        attempts::Attempts,
        context::{RunContext, Visit},
        end::TaskEnd,
        phase::{
            calls::CallsPhase,
            each::{FunctionItem, ProcessItem, group::GroupPhase, progress::ItemProgress},
            function::FunctionPhase,
            function_call::FunctionAttempts,
            human::HumanPhase,
            model::ModelPhase,
            pending_check::PendingCheck,
            question::ModelQuestion,
            sub_process::SubProcessPhase,
            task_phase::TaskPhase,
            timer::TimerPhase,
        },
        restore_context::RestoreContext,
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData, SlotKind},
        error::{SnapshotError, inconsistent},
    },
};

/// The phase of a task: how it produces its result. An enum, so that no step of a single call allocates.
#[derive(Debug)]
pub(crate) enum Phase {
    Timer(TimerPhase),
    Model(ModelPhase),
    ModelItems(Box<GroupPhase<ModelQuestion>>),
    FunctionItems(Box<GroupPhase<FunctionItem>>),
    ProcessItems(Box<GroupPhase<ProcessItem>>),
    Function(FunctionPhase),
    Calls(CallsPhase),
    Human(HumanPhase),
    SubProcess(SubProcessPhase),
    /// The phase of a task that runs branches. Boxed, since the phases of the branches are within it.
    Branches(Box<dyn TaskPhase + Send + Sync>),
}

impl Phase {
    /// Starts the phase of a kind of task.
    pub(crate) fn begin(kind: &TaskKind, cx: &mut RunContext<'_>) -> Result<Self, TaskEnd> {
        Ok(match kind {
            TaskKind::Ai(_) => Self::Model(ModelPhase::begin(cx)?),
            TaskKind::Each(each) => match each.work {
                EachWork::Ai(_) => Self::ModelItems(Box::new(GroupPhase::begin(cx)?)),
                EachWork::Code(_) => Self::FunctionItems(Box::new(GroupPhase::begin(cx)?)),
                EachWork::Process(_) => Self::ProcessItems(Box::new(GroupPhase::begin(cx)?)),
            },
            TaskKind::Code(_) => Self::Function(FunctionPhase::begin(cx)),
            TaskKind::Calls(_) => Self::Calls(CallsPhase::begin(cx)),
            TaskKind::Human => Self::Human(HumanPhase::begin(cx)),
            TaskKind::Process(_) => Self::SubProcess(SubProcessPhase::begin(cx)?),
            // These have no phase of one task; the run leaves them immediately.
            TaskKind::Parallel(_) | TaskKind::Gateway | TaskKind::End | TaskKind::Fail => {
                return Err(TaskEnd::Done(cx.facts.route_from(cx.visit, None, cx.host)));
            }
        })
    }

    /// Restores the phase of the current task from a snapshot, with its visit.
    pub(crate) fn restore(
        data: PositionData,
        cx: &RestoreContext<'_>,
    ) -> Result<(Visit, Self), SnapshotError> {
        Ok(match data {
            PositionData::At { .. } | PositionData::Branches { .. } | PositionData::Finished(_) => {
                return Err(inconsistent("its position is not in a task"));
            }
            PositionData::Waiting { arrival, call } => {
                let key = arrival.key.as_deref().map(Arc::from);
                let (task, inputs) = cx.read_delivery(arrival)?;
                let number = cx.facts.visits[task].saturating_add(1);
                let phase = TimerPhase { id: cx.check_call_id(call)? };
                (Visit { task, inputs, number, key }, Self::Timer(phase))
            }
            PositionData::Calling { visit, mut pending, tools } => {
                let visit = cx.read_visit(visit, |kind| matches!(kind, TaskKind::Ai(_)))?;
                let checking = pending.checking.take().map(PendingCheck::from_unchecked);
                let mut question = ModelQuestion::restore(&visit, pending, cx)?;
                if let Some(tools) = tools {
                    question.restore_tools(*tools, &visit, cx)?;
                }
                (visit, Self::Model(ModelPhase::restore(question, checking)))
            }
            PositionData::CallingTools { visit, pending, tools } => {
                let visit = cx.read_visit(visit, |kind| matches!(kind, TaskKind::Calls(_)))?;
                let phase = CallsPhase::restore(pending, tools, &visit, cx)?;
                (visit, Self::Calls(phase))
            }
            PositionData::Each { visit, slots, total, next, done, usage, pending, began } => {
                let items = ItemProgress { total, next, done, usage, pending, began };
                Self::restore_items(visit, slots, items, cx)?
            }
            PositionData::Running { visit, pending, is_pausing, is_started } => {
                let visit = cx.read_visit(visit, |kind| matches!(kind, TaskKind::Code(_)))?;
                cx.check_call_id(pending.call)?;
                let pending = PendingCall { is_pausing, is_started, ..pending };
                let call = FunctionAttempts::restore(pending);
                (visit, Self::Function(FunctionPhase::restore(call)))
            }
            PositionData::Asking { visit, mut pending } => {
                let visit = cx.read_visit(visit, |kind| matches!(kind, TaskKind::Human))?;
                let checking = pending.checking.take().map(PendingCheck::from_unchecked);
                let id = cx.check_call_id(pending.call)?;
                let attempts = Attempts::restore(&mut pending);
                (visit, Self::Human(HumanPhase::restore(id, attempts, checking)))
            }
            PositionData::Within { visit, mut pending, process } => {
                let visit = cx.read_visit(visit, |kind| matches!(kind, TaskKind::Process(_)))?;
                let attempts = Attempts::restore(&mut pending);
                let scope = cx.facts.scope_of_attempt(&visit, None, attempts.number());
                let child = cx.host.restore_child(visit.task, *process, cx.options, &scope)?;
                let child = child
                    .ok_or_else(|| inconsistent("it has a sub-process of a task that runs none"))?;
                (visit, Self::SubProcess(SubProcessPhase::restore(attempts, child)))
            }
        })
    }

    fn restore_items(
        visit: Delivery,
        slots: SlotKind,
        items: ItemProgress,
        cx: &RestoreContext<'_>,
    ) -> Result<(Visit, Self), SnapshotError> {
        let fits: fn(&TaskKind) -> bool = match slots {
            SlotKind::Model => |kind| kind.is_each() && kind.ai().is_some(),
            SlotKind::Process => |kind| kind.is_each() && kind.process().is_some(),
            SlotKind::Function => {
                |kind| kind.is_each() && kind.ai().is_none() && kind.process().is_none()
            }
        };
        let visit = cx.read_visit(visit, fits)?;
        let phase = match slots {
            SlotKind::Model => Self::ModelItems(Box::new(items.restore(&visit, cx)?)),
            SlotKind::Function => Self::FunctionItems(Box::new(items.restore(&visit, cx)?)),
            SlotKind::Process => Self::ProcessItems(Box::new(items.restore(&visit, cx)?)),
        };
        Ok((visit, phase))
    }

    pub(crate) fn as_dyn_mut(&mut self) -> &mut dyn TaskPhase {
        match self {
            Self::Timer(phase) => phase,
            Self::Model(phase) => phase,
            Self::ModelItems(phase) => &mut **phase,
            Self::FunctionItems(phase) => &mut **phase,
            Self::ProcessItems(phase) => &mut **phase,
            Self::Function(phase) => phase,
            Self::Calls(phase) => phase,
            Self::Human(phase) => phase,
            Self::SubProcess(phase) => phase,
            Self::Branches(phase) => &mut **phase,
        }
    }

    pub(crate) fn as_dyn(&self) -> &dyn TaskPhase {
        match self {
            Self::Timer(phase) => phase,
            Self::Model(phase) => phase,
            Self::ModelItems(phase) => &**phase,
            Self::FunctionItems(phase) => &**phase,
            Self::ProcessItems(phase) => &**phase,
            Self::Function(phase) => phase,
            Self::Calls(phase) => phase,
            Self::Human(phase) => phase,
            Self::SubProcess(phase) => phase,
            Self::Branches(phase) => &**phase,
        }
    }
}
