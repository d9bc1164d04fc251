//! How the runs of a monkey are made.

use cot_engine::{Machine, MachineOptions, Process, ProcessTypes};

use super::{
    invariants::Invariants,
    stand_ins::{Functions, ReplyMakers},
};
use crate::mixture::{Mixture, ReplyKind};

/// What each run of a monkey needs.
pub(super) struct Settings<P: Process> {
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

/// Makes the state that a run starts with, from the number of the run.
pub(super) type States<P> = Box<dyn Fn(u64) -> <P as ProcessTypes>::State>;

/// Prepares a machine.
pub(super) type Prepare<P> = Box<dyn Fn(&mut Machine<P>)>;

/// How models answer unless something else is said: they fail in every way.
const MODELS: Mixture = Mixture::usual()
    .with(ReplyKind::Truncated, 1)
    .with(ReplyKind::Refused, 1)
    .with(ReplyKind::Failed, 1)
    .with(ReplyKind::TimedOut, 1);
/// The same for people.
const PEOPLE: Mixture = Mixture::usual().with(ReplyKind::TimedOut, 1);
const MAX_STEPS: u64 = 1000;
/// How many of a hundred functions fail.
const FAULTS: u8 = 2;

impl<P: Process> Settings<P> {
    pub(super) fn new(state: States<P>) -> Self {
        Self {
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
