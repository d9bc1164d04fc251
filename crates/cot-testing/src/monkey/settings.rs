//! Settings of a monkey test.

use std::sync::Arc;

use cot_engine::{Machine, MachineOptions, Process, ProcessTypes, Quantity};

use super::{
    invariants::Invariants,
    replacements::{Functions, ReplyMakers},
};
use crate::mixture::{Mixture, ReplyKind};

/// The settings that each run uses.
pub(super) struct Settings<P: Process> {
    pub(super) context: Arc<P::Context>,
    pub(super) state: States<P>,
    pub(super) seed: u64,
    pub(super) max_steps: u64,
    pub(super) mixture: Mixture,
    pub(super) people: Mixture,
    pub(super) faults: u8,
    pub(super) functions: Functions<P>,
    pub(super) replies: ReplyMakers<P>,
    pub(super) options: MachineOptions,
    pub(super) prepare: Option<Prepare<P>>,
    pub(super) takes_snapshots: bool,
    pub(super) invariants: Invariants<P>,
}

/// Creates the initial state of a run from its number.
pub(super) type States<P> = Box<dyn Fn(u64) -> <P as ProcessTypes>::State>;

/// Prepares a machine before a run.
pub(super) type Prepare<P> = Box<dyn Fn(&mut Machine<P>)>;

/// The default mixture of model replies, which includes all kinds of failures.
const MODELS: Mixture = Mixture::usual()
    .with(ReplyKind::Truncated, 1)
    .with(ReplyKind::Refused, 1)
    .with(ReplyKind::Failed, 1)
    .with(ReplyKind::TimedOut, 1);
/// The default mixture of human answers.
const PEOPLE: Mixture = Mixture::usual().with(ReplyKind::TimedOut, 1);
const MAX_STEPS: u64 = 1000;
/// The default percentage of failing functions.
const FAULTS: u8 = 2;

impl<P: Process> Settings<P> {
    /// Returns the quantities whose bounds hold for the runs. Other limits, and hooks that change the state, take the
    /// place of what the compiler has seen.
    pub(super) fn bounded_quantities(&self) -> &'static [Quantity] {
        let has_mocks = P::DEFINITION.tasks.iter().any(|task| task.has_mock);
        match self.options.max_steps.is_some()
            || self.options.budget.is_some()
            || self.prepare.is_some()
        {
            true => &[],
            // Mocks are answered as functions are.
            false if has_mocks => &[],
            false => &[Quantity::ModelCalls, Quantity::FunctionCalls, Quantity::Questions],
        }
    }

    pub(super) fn new(context: Arc<P::Context>, state: States<P>) -> Self {
        Self {
            context,
            state,
            seed: 0,
            max_steps: MAX_STEPS,
            mixture: MODELS,
            people: PEOPLE,
            faults: FAULTS,
            functions: Functions::default(),
            replies: ReplyMakers::default(),
            options: MachineOptions::default(),
            prepare: None,
            takes_snapshots: true,
            invariants: Invariants::default(),
        }
    }
}
