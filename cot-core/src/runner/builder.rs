//! The builder of runs.

use std::{
    collections::VecDeque,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use super::{ActiveRun, Finish, RunError, clock, drive::Drive, models::Models};
use crate::{
    Event, LanguageModel, Machine, MachineOptions, Process, RunEvent,
    machine::ModelCall,
    model::{BoxFuture, ModelError, ModelErrorKind},
};

/// Runs a process: with which models, towards which goal, within which limits.
///
/// One runner serves any number of runs, one after another or at once; cloning it is cheap. A model
/// call with a time limit (of the task, the process, or [`timeout`](Self::timeout)) needs a tokio
/// runtime with time enabled; without limits any executor will do.
pub struct Runner<P: Process> {
    config: Arc<Config<P>>,
}

impl<P: Process> Runner<P> {
    /// A runner without models.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers the tasks for which neither they nor the process name an engine.
    #[must_use]
    pub fn model(self, model: impl LanguageModel + 'static) -> Self {
        self.with(|config| config.models.default = Some(Arc::new(model)))
    }

    /// Answers the tasks that name this engine id, themselves or through the process.
    #[must_use]
    pub fn engine(self, id: impl Into<String>, model: impl LanguageModel + 'static) -> Self {
        self.with(|config| {
            config.models.engines.insert(id.into(), Arc::new(model));
        })
    }

    /// The goal, in place of the process's own.
    #[must_use]
    pub fn goal(self, goal: impl Into<String>) -> Self {
        self.with(|config| config.options.goal = Some(goal.into()))
    }

    /// The most steps that a run may take, in place of the process's own limit.
    #[must_use]
    pub fn max_steps(self, steps: u64) -> Self {
        self.with(|config| config.options.max_steps = Some(steps))
    }

    /// How long the model calls of a run may take together, in place of the process's own limit.
    #[must_use]
    pub fn timeout(self, limit: Duration) -> Self {
        self.with(|config| config.options.timeout = Some(limit))
    }

    /// Shows every event of every run to a function, before a stream gives it. There may be several.
    /// A panic in one disturbs neither the run nor the others.
    #[must_use]
    pub fn observe(self, observer: impl Fn(&RunEvent<P>) + Send + Sync + 'static) -> Self {
        self.with(|config| config.observers.push(Arc::new(observer)))
    }

    /// Runs the process from a state to its end.
    pub fn run(&self, state: P::State) -> Finish<P> {
        Finish::of(self.begin(state))
    }

    /// Starts a run to watch and to steer. It goes on only while it is polled.
    ///
    /// # Errors
    ///
    /// If a model is missing, or the process can't start.
    pub fn start(&self, state: P::State) -> Result<ActiveRun<P>, RunError> {
        self.begin(state).map(ActiveRun::of)
    }

    /// Goes on with a machine, for instance a resumed one, to its end. The goal and the limits are
    /// the machine's, not the runner's.
    pub fn run_machine(&self, machine: Machine<P>) -> Finish<P> {
        Finish::of(self.go_on(machine))
    }

    /// Goes on with a machine, for instance a resumed one, to watch and to steer it. The goal and the
    /// limits are the machine's, not the runner's. What the machine did before is not told again: a
    /// machine that has finished gives no events.
    ///
    /// # Errors
    ///
    /// If a model is missing, or the machine has not been started.
    pub fn start_machine(&self, machine: Machine<P>) -> Result<ActiveRun<P>, RunError> {
        self.go_on(machine).map(ActiveRun::of)
    }

    fn begin(&self, state: P::State) -> Result<Drive<P>, RunError> {
        self.config.models.check(P::DEFINITION)?;
        let mut machine = Machine::with_options(self.config.options.clone());
        machine.start(state)?;
        Ok(Drive::new(machine, &self.config))
    }

    fn go_on(&self, machine: Machine<P>) -> Result<Drive<P>, RunError> {
        self.config.models.check(P::DEFINITION)?;
        if machine.is_idle() {
            return Err(RunError::NotStarted);
        }
        Ok(Drive::new(machine, &self.config))
    }

    fn with(mut self, change: impl FnOnce(&mut Config<P>)) -> Self {
        change(Arc::make_mut(&mut self.config));
        self
    }
}

impl<P: Process> Default for Runner<P> {
    fn default() -> Self {
        Self { config: Arc::default() }
    }
}

impl<P: Process> Clone for Runner<P> {
    fn clone(&self) -> Self {
        Self { config: Arc::clone(&self.config) }
    }
}

impl<P: Process> fmt::Debug for Runner<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Config { models, options, observers } = &*self.config;
        f.debug_struct("Runner")
            .field("process", &P::DEFINITION.about.name)
            .field("has_default_model", &models.default.is_some())
            .field("engines", &models.engines.keys())
            .field("options", options)
            .field("observers", &observers.len())
            .finish()
    }
}

type Observer<P> = Arc<dyn Fn(&RunEvent<P>) + Send + Sync>;

/// What a runner's runs share.
pub(super) struct Config<P: Process> {
    models: Models,
    options: MachineOptions,
    observers: Vec<Observer<P>>,
}

impl<P: Process> Config<P> {
    pub(super) const fn is_observed(&self) -> bool {
        !self.observers.is_empty()
    }

    /// Shows an event to the observers, then keeps it for the stream, if there is one.
    pub(super) fn tell(&self, event: RunEvent<P>, queue: &mut Option<VecDeque<RunEvent<P>>>) {
        for observer in &self.observers {
            // What an observer breaks in a panic is its own; the hook has reported it.
            let _ = catch_unwind(AssertUnwindSafe(|| observer(&event)));
        }
        if let Some(queue) = queue {
            queue.push_back(event);
        }
    }

    /// The call that a machine directs, not yet begun.
    pub(super) fn perform(&self, call: &ModelCall<P>) -> BoxFuture<'static, Event> {
        match self.models.find(call.engine) {
            Some(model) => clock::perform(Arc::clone(model), call),
            None => Box::pin(std::future::ready(unknown_engine(call))),
        }
    }
}

impl<P: Process> Default for Config<P> {
    fn default() -> Self {
        Self {
            models: Models::default(),
            options: MachineOptions::default(),
            observers: Vec::new(),
        }
    }
}

impl<P: Process> Clone for Config<P> {
    fn clone(&self) -> Self {
        let Self { models, options, observers } = self;
        Self { models: models.clone(), options: options.clone(), observers: observers.clone() }
    }
}

/// The check before a run leaves no engine unknown; should one be, the run ends with this.
fn unknown_engine<P: Process>(call: &ModelCall<P>) -> Event {
    let engine = call.engine.unwrap_or("default");
    let error = ModelError::new(ModelErrorKind::Other, format!("no model for engine `{engine}`"));
    Event::Failed { id: call.id, error, elapsed: Duration::ZERO }
}
