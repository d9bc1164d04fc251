//! A process as a pure state machine: it tells its driver what to do, and is told what happened.
//!
//! [`Machine`] is a thin typed shell. What decides is [`core`], compiled once for all processes; it
//! works on task numbers, static tables and JSON, and reaches the typed side through the object-safe
//! trait [`Typed`](typed::Typed). No part of it knows of clocks, I/O, randomness or threads.

pub(crate) mod accept;
pub(crate) mod ask;
pub(crate) mod calls;
pub(crate) mod checking;
pub(crate) mod core;
pub(crate) mod directive;
pub(crate) mod due;
pub(crate) mod each;
pub(crate) mod enter;
pub(crate) mod event;
pub(crate) mod expected;
pub(crate) mod failing;
pub(crate) mod hooks;
pub(crate) mod host;
pub(crate) mod inspect;
pub(crate) mod kept_of_run;
pub(crate) mod key;
pub(crate) mod limits;
pub(crate) mod lookup;
pub(crate) mod naming;
pub(crate) mod nested;
pub(crate) mod notice;
pub(crate) mod notice_impls;
pub(crate) mod panics;
pub(crate) mod phase;
pub(crate) mod reply;
pub(crate) mod restore;
pub(crate) mod resume;
pub(crate) mod routing;
pub(crate) mod snapshot;
pub(crate) mod snapshot_parts;
pub(crate) mod start;
pub(crate) mod typed;
pub(crate) mod update;
pub(crate) mod work;

pub use crate::engine::process::mock_mode::MockMode;
pub use crate::engine::process::{
    options::{Fallback, MachineOptions, StartError},
    reserved::ReservedField,
};
pub use crate::engine::snapshot::error::SnapshotError;
pub use directive::{Action, CallId, Directive, FunctionCall, MachinePoll, ModelCall, Question};
pub use event::{Event, Handled};
pub use hooks::{AfterCommit, BeforeCommit};
pub use inspect::PromptError;
pub use key::{BadCallKey, CallKey};
pub use notice::{NestedEvent, Route, RunEvent};
pub use resume::ResumeOptions;
pub use snapshot::Snapshot;

pub(crate) use crate::engine::snapshot::fingerprint::Fingerprint;
pub(crate) use hooks::Hooks;
pub(crate) use nested::Child;
pub(crate) use reply::is_transition;
pub(crate) use typed::Typed;

use std::{fmt, sync::Arc};

use cot_model::Usage;
use cot_schema::Issues;
use serde::Serialize;

use self::{
    calls::Named,
    core::Core,
    host::Host,
    naming::{index_of, task_at, typed_ending},
};
use super::{Halt, History, HistoryEntry, Inputs, Process, outcome::Ending};

/// One run after another of process `P`, as a pure state machine.
///
/// [`start`](Self::start) it with a state; then alternate: perform the directives that
/// [`poll`](Self::poll) lists, and pass what they come to to [`handle`](Self::handle), until the poll is
/// [`Finished`](MachinePoll::Finished). Polling again without an event in between returns the same, and
/// an event that answers another directive changes nothing, so a driver can neither lose nor repeat
/// a step. Time is what events say: the machine adds up their `elapsed`.
///
/// This driver performs one directive at a time:
///
/// ```
/// # #![allow(dead_code, reason = "no process is declared here")]
/// use cot_core::{Action, Event, Machine, MachinePoll, Process, StartError};
/// # use cot_core::model::{ModelReply, ModelRequest};
/// # use std::time::Duration;
/// # fn ask(_: &ModelRequest) -> ModelReply { ModelReply::new("{}") }
///
/// async fn run<P: Process>(state: P::State) -> Result<P::Outcome, StartError> {
///     let elapsed = Duration::ZERO; // A real driver measures it.
///     let mut machine = Machine::<P>::new();
///     machine.start(state)?;
///     loop {
///         let directive = match machine.poll() {
///             MachinePoll::Finished(outcome) => return Ok(outcome),
///             poll => &poll.directives()[0],
///         };
///         let id = directive.id;
///         let event = match &directive.action {
///             Action::CallModel(call) => Event::Replied { id, reply: ask(&call.request), elapsed },
///             Action::RunFunction(call) => Event::Ran { id, result: call.run().await, elapsed },
///             Action::Sleep { .. } => Event::Woken { id },
///             action => unreachable!("this process asks no people: {action:?}"),
///         };
///         machine.handle(event);
///     }
/// }
/// ```
pub struct Machine<P: Process> {
    options: MachineOptions,
    hooks: Arc<Hooks<P>>,
    is_recording: bool,
    records_segments: bool,
    /// The run that is under way, or has ended; none before the first start.
    run: Option<Active<P>>,
}

/// A run: what decides, and what is typed.
struct Active<P: Process> {
    core: Core,
    host: Host<P>,
    polled: Box<Polled<P>>,
}

/// The directives of the last poll. In a box of their own, so that a run that is not polled is small.
struct Polled<P: Process> {
    /// Before they get their types. Empty between polls.
    untyped: Vec<Directive>,
    directives: Vec<Directive<P::Task>>,
}

impl<P: Process> Active<P> {
    fn new(core: Core, host: Host<P>) -> Self {
        // Most runs wait for one thing at a time.
        let (untyped, directives) = (Vec::with_capacity(1), Vec::with_capacity(1));
        Self { core, host, polled: Box::new(Polled { untyped, directives }) }
    }
}

impl<P: Process> Machine<P> {
    /// A machine that has not been started.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(MachineOptions::default())
    }

    /// A machine with a goal or limits of its own.
    #[must_use]
    pub fn with_options(options: MachineOptions) -> Self {
        let (is_recording, records_segments) = (false, false);
        Self { options, hooks: Arc::default(), is_recording, records_segments, run: None }
    }

    /// Starts a run. A machine that has finished can be started again.
    ///
    /// # Errors
    ///
    /// When a run is under way, when the process needs a goal and has none, or when its declaration
    /// can't work: nothing changes then.
    pub fn start(&mut self, state: P::State) -> Result<(), StartError> {
        self.begin(state, |options, host| Core::start(P::DEFINITION, options, host, ""))
    }

    /// Starts a run of one task alone, in any state: with its retries, its checks and its commit. The
    /// run is over when it leaves the task, wherever that leads.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start); and when the task takes inputs and none are given.
    pub fn start_task(
        &mut self,
        task: P::Task,
        inputs: Option<Inputs>,
        state: P::State,
    ) -> Result<(), StartError> {
        let task = index_of::<P>(task);
        self.begin(state, |options, host| {
            Core::start_alone(P::DEFINITION, options, host, (task, inputs))
        })
    }

    fn begin(
        &mut self,
        state: P::State,
        start: impl FnOnce(&MachineOptions, &Host<P>) -> Result<Core, StartError>,
    ) -> Result<(), StartError> {
        if self.is_running() {
            return Err(StartError::Busy);
        }
        let host = Host::new(state, self.is_recording).with_hooks(&self.hooks);
        let mut core = start(&self.options, &host)?;
        core.last_call = self.core().map_or(0, |core| core.last_call);
        core.records_segments = self.records_segments;
        self.run = Some(Active::new(core, host));
        Ok(())
    }

    /// Advances the run until it needs its driver, and returns what it waits for. Polling again returns the
    /// same until an event is handled.
    pub fn poll(&mut self) -> MachinePoll<'_, P::Task, P::Outcome> {
        self.poll_named(Named::All)
    }

    /// Takes in what happened.
    pub fn handle(&mut self, event: Event) -> Handled {
        match &mut self.run {
            Some(Active { core, host, polled }) => {
                host.forget_events();
                // What they share with the run, as its prompt, is not to outlive its use.
                polled.directives.clear();
                core.contained_handle(event, host)
            }
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

    /// The task at which the run stands, or has ended.
    #[must_use]
    pub fn task(&self) -> Option<P::Task> {
        self.core().map(|core| task_at::<P>(core.phase.task()))
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
        self.core().map_or("", |core| core.goal.as_str())
    }

    /// What has happened so far.
    #[must_use]
    pub fn history(&self) -> &History {
        static EMPTY: History = History::new();
        self.core().map_or(&EMPTY, |core| &*core.history)
    }

    /// Adds an entry to the history, which prompts show and which the bounds of the history hold for.
    /// A process without history keeps nothing.
    ///
    /// # Errors
    ///
    /// When the entry can't be JSON.
    pub fn add_history<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        let entry = HistoryEntry::of(entry)?;
        if let Some(Active { core, host, .. }) = &mut self.run
            && let Some(max) = core.max_items()
        {
            core.remember(entry, max, host);
        }
        Ok(())
    }

    /// What the model calls of the run consumed, the failed ones and those of sub-processes too.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.core().map_or_else(Usage::default, Core::total_usage)
    }

    /// How many times the run has come to a task that does something, in sub-processes too.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.core().map_or(0, Core::total_steps)
    }

    /// The tasks whose transitions led here and that still wait, the outermost first.
    pub fn callers(&self) -> impl DoubleEndedIterator<Item = P::Task> + '_ {
        let callers = self.core().map_or(&[][..], |core| core.callers.as_slice());
        callers.iter().map(|caller| task_at::<P>(caller.task))
    }

    /// How the run ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<P::Outcome> {
        let ending = self.core()?.ending()?;
        Some(P::outcome(typed_ending::<P>(ending.clone())))
    }

    /// The last failure of a task for which the process had a route, with its attempts.
    #[must_use]
    pub fn last_failure(&self) -> Option<Halt<P::Task>> {
        let Halt { task, reason, attempts } = self.core()?.last_failure.clone()?;
        Some(Halt { task: task_at::<P>(task), reason, attempts })
    }

    /// Calls a function with every output that is about to be committed.
    pub fn before_commit(
        &mut self,
        hook: impl Fn(&mut BeforeCommit<'_, P>) -> Result<(), Issues> + Send + Sync + 'static,
    ) {
        Arc::make_mut(&mut self.hooks).add_before(hook);
        self.share_hooks();
    }

    /// Calls a function with every output that was committed, before the run goes on.
    pub fn after_commit(&mut self, hook: impl Fn(&AfterCommit<'_, P>) + Send + Sync + 'static) {
        Arc::make_mut(&mut self.hooks).add_after(hook);
        self.share_hooks();
    }

    pub(crate) fn set_hooks(&mut self, hooks: &Arc<Hooks<P>>) {
        self.hooks = Arc::clone(hooks);
        self.share_hooks();
    }

    fn share_hooks(&mut self) {
        if let Some(run) = &mut self.run {
            run.host.set_hooks(&self.hooks);
        }
    }

    /// Switches the recording of events on or off. It is off at first.
    pub fn record(&mut self, on: bool) {
        self.is_recording = on;
        if let Some(Active { core, host, .. }) = &mut self.run {
            host.record(on);
            core.record_child(on);
        }
    }

    /// Whether requests tell the fixed and the variable segments of their prompts. They don't at
    /// first, since it takes time.
    pub fn record_segments(&mut self, on: bool) {
        self.records_segments = on;
        if let Some(run) = &mut self.run {
            run.core.record_segments(on);
        }
    }

    /// What happened since the last call. A driver that records drains after every poll and every
    /// event; of what lies undrained for longer, only the newest is kept.
    pub fn drain_events(&mut self) -> impl Iterator<Item = RunEvent<P>> + '_ {
        self.run.iter_mut().flat_map(|run| run.host.drain_events())
    }

    /// How the run ended, once it has, whatever the process.
    #[must_use]
    pub fn ending(&self) -> Option<Ending<P::Task>> {
        self.core()?.ending().cloned().map(typed_ending::<P>)
    }

    /// Whether a run is under way.
    pub(crate) fn is_running(&self) -> bool {
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

/// The typed side alone, for the tests of what reads the tables of a process.
#[cfg(test)]
pub(crate) fn typed<P: Process>(state: P::State) -> impl Typed {
    Host::<P>::new(state, false)
}
