//! A process as a pure state machine: it tells its driver what to do, and is told what happened.
//!
//! [`Machine`] is a thin typed shell. What decides is [`core`], compiled once for all processes; it
//! works on task numbers, static tables and JSON, and reaches the typed side through the object-safe
//! trait [`Typed`](host::Typed). No part of it knows of clocks, I/O, randomness or threads.

mod accept;
mod core;
mod directive;
mod event;
mod fingerprint;
mod host;
mod key;
mod limits;
mod notice;
mod notice_impls;
mod options;
mod phase;
mod reply;
mod resume;
mod routing;
mod shape;
mod snapshot;
mod start;

pub use directive::{CallId, CodeCall, Directive, HumanCall, ModelCall, Question, Timer};
pub use event::{Event, Handled};
pub use key::{BadCallKey, CallKey};
pub use notice::{NestedEvent, Route, RunEvent};
pub use options::{MachineOptions, StartError};
pub use resume::ResumeOptions;
pub use snapshot::{Snapshot, SnapshotError};

pub(crate) use fingerprint::Fingerprint;
pub(crate) use host::{Piece, Typed, View};

use std::fmt;

use self::{
    core::{Core, Next},
    host::{Host, task_at, typed_ending},
};
use crate::{History, Process, Usage};

/// One run after another of process `P`, as a pure state machine.
///
/// [`start`](Self::start) it with a state; then alternate: do what [`poll`](Self::poll) says, and
/// hand what came of it to [`handle`](Self::handle), until the directive is
/// [`Directive::Finished`]. Polling again without an event in between gives the same directive, and
/// an event that answers another directive changes nothing, so a driver can neither lose nor repeat
/// a step. Time is what events say: the machine adds up their `elapsed`.
///
/// ```
/// # #![allow(dead_code, reason = "no process is declared here")]
/// # use cot_core::{Directive, Event, Machine, Process, model::{ModelReply, ModelRequest}};
/// # use std::time::Duration;
/// # fn ask(_: &ModelRequest) -> ModelReply { ModelReply::new("{}") }
/// fn run<P: Process>(state: P::State) -> Result<P::Outcome, cot_core::StartError> {
///     let mut machine = Machine::<P>::new();
///     machine.start(state)?;
///     loop {
///         match machine.poll() {
///             Directive::CallModel(call) => {
///                 let (id, reply) = (call.id, ask(&call.request));
///                 machine.handle(Event::Replied { id, reply, elapsed: Duration::ZERO });
///             }
///             Directive::Finished(outcome) => return Ok(outcome),
///             Directive::Idle => unreachable!("the machine was started"),
///         }
///     }
/// }
/// ```
pub struct Machine<P: Process> {
    options: MachineOptions,
    is_recording: bool,
    /// The run that is under way, or has ended; none before the first start.
    run: Option<Active<P>>,
}

/// A run: what decides, and what is typed.
struct Active<P: Process> {
    core: Core,
    host: Host<P>,
}

impl<P: Process> Machine<P> {
    /// A machine that has not been started.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(MachineOptions::default())
    }

    /// A machine with a goal or limits of its own.
    #[must_use]
    pub const fn with_options(options: MachineOptions) -> Self {
        Self { options, is_recording: false, run: None }
    }

    /// Starts a run. A machine that has finished can be started again.
    ///
    /// # Errors
    ///
    /// When a run is under way, when the process needs a goal and has none, or when its declaration
    /// can't work: nothing changes then.
    pub fn start(&mut self, state: P::State) -> Result<(), StartError> {
        if self.is_running() {
            return Err(StartError::Busy);
        }
        let last_call = self.run.as_ref().map_or(0, |run| run.core.last_call());
        let host = Host::new(state, self.is_recording);
        let core = Core::start(P::DEFINITION, &self.options, last_call, &host)?;
        self.run = Some(Active { core, host });
        Ok(())
    }

    /// What has to be done next. Polling again gives the same directive until an event is handled.
    pub fn poll(&mut self) -> Directive<P> {
        let Some(Active { core, host }) = &mut self.run else {
            return Directive::Idle;
        };
        match core.advance(host) {
            Next::Call(call) => Directive::CallModel(ModelCall {
                id: call.id,
                task: task_at::<P>(call.task),
                attempt: call.attempt,
                engine: call.engine,
                request: call.request,
                timeout: call.timeout,
            }),
            Next::Finished(ending) => Directive::Finished(P::outcome(typed_ending::<P>(ending))),
        }
    }

    /// Takes in what happened.
    pub fn handle(&mut self, event: Event) -> Handled {
        match &mut self.run {
            Some(Active { core, host }) => core.handle(event, host),
            None => Handled::NotRunning,
        }
    }

    /// Whether the machine has never been started.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.run.is_none()
    }

    /// Whether the machine is between two tasks: the next poll starts one, or ends the run.
    #[must_use]
    pub fn at_task_boundary(&self) -> bool {
        self.core().is_some_and(Core::is_at_boundary)
    }

    /// The state, once the machine has been started.
    #[must_use]
    pub fn state(&self) -> Option<&P::State> {
        self.run.as_ref().map(|run| &run.host.state)
    }

    /// The state, once the machine has been started.
    #[must_use]
    pub fn into_state(self) -> Option<P::State> {
        self.run.map(|run| run.host.state)
    }

    /// The goal of the run; empty when it has none.
    #[must_use]
    pub fn goal(&self) -> &str {
        self.core().map_or("", Core::goal)
    }

    /// What has happened so far.
    #[must_use]
    pub fn history(&self) -> &History {
        static EMPTY: History = History::new();
        self.core().map_or(&EMPTY, Core::history)
    }

    /// What the model calls of the run consumed, the failed ones too.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.core().map_or_else(Usage::default, Core::usage)
    }

    /// How many times the run has come to a task that does something.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.core().map_or(0, Core::steps)
    }

    /// The tasks whose transitions led here and that still wait, the outermost first.
    pub fn callers(&self) -> impl DoubleEndedIterator<Item = P::Task> + '_ {
        self.core().map_or(&[][..], Core::callers).iter().map(|task| task_at::<P>(*task))
    }

    /// How the run ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<P::Outcome> {
        let ending = self.core()?.ending()?;
        Some(P::outcome(typed_ending::<P>(ending.clone())))
    }

    /// Switches the recording of events on or off. It is off at first.
    pub fn record(&mut self, on: bool) {
        self.is_recording = on;
        if let Some(run) = &mut self.run {
            run.host.record(on);
        }
    }

    /// What happened since the last call. A driver that records drains after every poll and every
    /// event; of what lies undrained for longer, only the newest is kept.
    pub fn drain_events(&mut self) -> impl Iterator<Item = RunEvent<P>> + '_ {
        self.run.iter_mut().flat_map(|run| run.host.drain_events())
    }

    fn is_running(&self) -> bool {
        self.core().is_some_and(|core| core.ending().is_none())
    }

    fn core(&self) -> Option<&Core> {
        self.run.as_ref().map(|run| &run.core)
    }
}

impl<P: Process> Default for Machine<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Process> fmt::Debug for Machine<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("process", &P::DEFINITION.about.name)
            .field("run", &self.core())
            .finish_non_exhaustive()
    }
}
