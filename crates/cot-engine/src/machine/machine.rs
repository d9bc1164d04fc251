//! The public state machine of a process.

use std::{fmt, sync::Arc};

use cot_schema::Issues;

use crate::{
    machine::{
        any_machine::{AnyMachine, AnyUpdate, RunParts, RunPartsMut},
        hooks::{AfterCommit, BeforeCommit, Hooks},
        host::TypedHost,
        recorded::RecordedEvent,
        tasks::{task_from_index, task_index},
    },
    process::{
        context::IntoContext,
        environment::Environment,
        host::ProcessHost as _,
        options::{MachineOptions, StartError},
        process::Process,
        tables::Definition,
    },
    protocol::{
        directive::{CallId, Directive, MachinePoll},
        event::{Event, EventOutcome},
        run_event::event::ProcessEvent,
    },
    run::run::Run,
    values::{inputs::Inputs, update_error::UpdateError},
};

/// The pure state machine of process `P`, for one run after another.
///
/// [`start`](Self::start) it with a state, then alternate: perform the directives that [`poll`](Self::poll)
/// lists, and pass their results to [`handle`](Self::handle), until the poll is
/// [`Finished`](MachinePoll::Finished). Polling again without an event in between returns the same
/// directives, and an event for another directive changes nothing, so a driver can neither lose nor repeat a
/// step. The machine reads no clock: it adds up the `elapsed` of events.
///
/// This driver performs one directive at a time:
///
/// ```
/// use cot_core::{Action, Event, Machine, MachinePoll, Process, StartError};
/// # use cot_core::model::{ModelReply, ModelRequest};
/// # use std::time::Duration;
/// # fn ask(_: &ModelRequest) -> ModelReply { ModelReply::new("{}") }
///
/// # #[allow(dead_code, reason = "no process is declared here")]
/// async fn run<P: Process<Context = ()>>(state: P::State) -> Result<P::Outcome, StartError> {
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
    pub(super) options: Arc<MachineOptions>,
    pub(super) hooks: Arc<Hooks<P>>,
    pub(super) environment: Environment<P>,
    pub(super) is_recording: bool,
    /// The current or finished run; `None` before the first start.
    pub(super) active: Option<ActiveRun<P>>,
}

/// A run with its typed host.
pub(super) struct ActiveRun<P: Process> {
    pub(super) run: Run,
    pub(super) host: TypedHost<P>,
    buffers: Box<PollBuffers<P>>,
}

/// The directives of the last poll. Boxed, so that a run that is not polled is small.
struct PollBuffers<P: Process> {
    /// The directives without types. Empty between typed polls.
    untyped: Vec<Directive>,
    directives: Vec<Directive<P::Task>>,
}

impl<P: Process> ActiveRun<P> {
    pub(super) fn new(run: Run, host: TypedHost<P>) -> Self {
        // Most runs wait for a single call.
        let (untyped, directives) = (Vec::with_capacity(1), Vec::with_capacity(1));
        Self { run, host, buffers: Box::new(PollBuffers { untyped, directives }) }
    }
}

impl<P: Process<Context = ()>> Machine<P> {
    /// Creates a machine that has not been started, of a process without a context.
    #[must_use]
    pub fn new() -> Self {
        Self::with_context(())
    }
}

impl<P: Process> Machine<P> {
    /// Creates a machine that has not been started, with the context of its runs.
    #[must_use]
    pub fn with_context(context: impl IntoContext<P::Context>) -> Self {
        let (options, environment) = (Arc::default(), Environment::new(context.into_context()));
        Self { options, hooks: Arc::default(), environment, is_recording: false, active: None }
    }

    /// Sets the options of the next run.
    #[must_use]
    pub fn options(self, options: impl Into<Arc<MachineOptions>>) -> Self {
        Self { options: options.into(), ..self }
    }

    /// Returns the id of the run; empty if it has none.
    #[must_use]
    pub fn run_id(&self) -> &str {
        self.environment.run_id()
    }

    /// Sets the id of the run, which functions receive with [`Cx::run_id`](crate::process::context::Cx::run_id)
    /// and as the beginning of their call keys. To be set before the first poll.
    pub fn set_run_id(&mut self, run_id: impl Into<Arc<str>>) {
        self.environment = self.environment.clone().with_run_id(Some(run_id.into()));
        if let Some(active) = &mut self.active {
            active.host.environment = self.environment.clone();
        }
    }

    /// Starts a run. A machine that has finished can be started again.
    ///
    /// # Errors
    ///
    /// If a run is in progress, the process needs a goal and has none, or its declaration is not usable.
    /// Nothing changes then.
    pub fn start(&mut self, state: P::State) -> Result<(), StartError> {
        self.begin(state, |options, host| Run::start(P::DEFINITION, options, host, ""))
    }

    /// Starts a run of one task only, in any state, with its retries, checks and commit. The run ends when it
    /// leaves the task, whatever the next task would be.
    ///
    /// # Errors
    ///
    /// The errors of [`start`](Self::start), and an error if the task takes inputs and none are given.
    pub fn start_task(
        &mut self,
        task: P::Task,
        inputs: Option<Inputs>,
        state: P::State,
    ) -> Result<(), StartError> {
        let task = task_index::<P>(task);
        self.begin(state, |options, host| {
            Run::start_alone(P::DEFINITION, options, host, (task, inputs))
        })
    }

    fn begin(
        &mut self,
        state: P::State,
        start: impl FnOnce(&Arc<MachineOptions>, &TypedHost<P>) -> Result<Run, StartError>,
    ) -> Result<(), StartError> {
        if self.is_running() {
            return Err(StartError::Busy);
        }
        let host = TypedHost::new(state, self.environment.clone(), self.is_recording)
            .with_hooks(&self.hooks);
        let mut run = start(&self.options, &host)?;
        run.facts.last_call = self.run().map_or(0, |run| run.facts.last_call);
        self.active = Some(ActiveRun::new(run, host));
        Ok(())
    }

    /// Advances the run until it needs its driver, and returns the directives that should be in flight.
    /// Polling again returns the same directives until an event is handled.
    pub fn poll(&mut self) -> MachinePoll<'_, P::Task, P::Outcome> {
        self.poll_after(None)
    }

    /// Like [`poll`](Self::poll), but lists only directives with ids above `newest`, so that a driver with
    /// many directives in flight need not scan all of them after each answer.
    ///
    /// Ids grow, so `newest` is the id of the last directive that the driver has started. The list is empty
    /// while the machine waits only for directives in flight. A directive in flight that is no longer
    /// [pending](Self::is_pending) can be dropped.
    pub fn poll_after(&mut self, newest: Option<CallId>) -> MachinePoll<'_, P::Task, P::Outcome> {
        match self.erased_mut().poll_after(newest) {
            MachinePoll::Idle => MachinePoll::Idle,
            MachinePoll::Finished(()) => {
                self.outcome().map_or(MachinePoll::Idle, MachinePoll::Finished)
            }
            MachinePoll::Waiting(_) => {
                let buffers = self.active.as_mut().map(|active| &mut *active.buffers);
                let Some(PollBuffers { untyped, directives }) = buffers else {
                    return MachinePoll::Idle;
                };
                directives.clear();
                for directive in untyped.drain(..) {
                    directives.push(directive.with_task(task_from_index::<P>));
                }
                MachinePoll::Waiting(directives)
            }
        }
    }

    /// Handles an event. An event that does not answer a pending directive changes nothing.
    pub fn handle(&mut self, event: Event) -> EventOutcome {
        if let Some(active) = &mut self.active {
            active.buffers.directives.clear();
        }
        self.erased_mut().handle(event)
    }

    /// Adds a hook that runs before each commit.
    pub fn before_commit(
        &mut self,
        hook: impl Fn(&mut BeforeCommit<'_, P>) -> Result<(), Issues> + Send + Sync + 'static,
    ) {
        Arc::make_mut(&mut self.hooks).add_before(hook);
        self.share_hooks();
    }

    /// Adds a hook that runs after each commit, before the run continues.
    pub fn after_commit(&mut self, hook: impl Fn(&AfterCommit<'_, P>) + Send + Sync + 'static) {
        Arc::make_mut(&mut self.hooks).add_after(hook);
        self.share_hooks();
    }

    fn share_hooks(&mut self) {
        if let Some(active) = &mut self.active {
            active.host.set_hooks(&self.hooks);
        }
    }

    /// Switches the recording of events on or off. The default is off.
    pub fn record(&mut self, on: bool) {
        self.is_recording = on;
        if let Some(ActiveRun { run, host, .. }) = &mut self.active {
            host.record(on);
            run.record_children(on);
        }
    }

    /// Removes and returns the recorded events. A driver that records should drain after every poll and every
    /// event; only the newest undrained events are kept.
    pub fn drain_events(&mut self) -> impl Iterator<Item = ProcessEvent<P>> + '_ {
        self.erased_mut().drain_recorded().filter_map(RecordedEvent::into_typed::<P>)
    }

    pub(super) fn erased(&self) -> &dyn AnyMachine {
        self
    }

    pub(super) fn erased_mut(&mut self) -> &mut dyn AnyMachine {
        self
    }

    pub(super) fn run(&self) -> Option<&Run> {
        self.active.as_ref().map(|active| &active.run)
    }
}

impl<P: Process<Context = ()>> Default for Machine<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Process> fmt::Debug for Machine<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("process", &P::DEFINITION.about.name)
            .field("run", &self.run())
            .finish_non_exhaustive()
    }
}

/// Replaces the hooks of a machine.
pub fn set_hooks<P: Process>(machine: &mut Machine<P>, hooks: &Arc<Hooks<P>>) {
    machine.hooks = Arc::clone(hooks);
    machine.share_hooks();
}

impl<P: Process> AnyMachine for Machine<P> {
    fn definition(&self) -> &'static Definition {
        P::DEFINITION
    }

    fn parts(&self) -> Option<RunParts<'_>> {
        let ActiveRun { run, host, .. } = self.active.as_ref()?;
        Some(RunParts { run, host })
    }

    fn parts_mut(&mut self) -> Option<RunPartsMut<'_>> {
        let ActiveRun { run, host, buffers } = self.active.as_mut()?;
        Some(RunPartsMut { run, host, directives: &mut buffers.untyped })
    }

    fn record(&mut self, on: bool) {
        Self::record(self, on);
    }

    fn update_any_state(&mut self, change: AnyUpdate) -> Result<(), UpdateError> {
        self.update_state(|state| change(state))
    }
}
