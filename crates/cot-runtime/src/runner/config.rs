//! The configuration that the runs of a runner share.

use std::sync::{Arc, OnceLock};

use cot_engine::{
    Machine, MachineOptions, Process, Question, ResumeOptions, Snapshot, SnapshotError, StartError,
    TaskId,
    internal::{Hooks, TaskDefinition, set_hooks},
};
use cot_model::BoxFuture;
use cot_store::{RunId, Store};
use serde_json::Value;

use crate::{
    capture::{capture::Capture, replay::Replay},
    driver::stream_events::StreamOptions,
    persistence::describe::IsDescribed,
    preflight::{
        human_tasks::human_tasks,
        preflight::{invalid_examples, reserved_fields},
        preflight_error::UnsupportedSchemasError,
        unaccepted_media::UnacceptedMediaError,
    },
    runner::{error::RunError, models::Models, observer::Observer},
    trace::instrument::RunInstrument,
};

type Responder = Arc<dyn Fn(Arc<Question>) -> BoxFuture<'static, Value> + Send + Sync>;

/// The configuration that the runs of a runner share.
pub(crate) struct Config<P: Process> {
    /// What the program gives to the functions of the process.
    pub(crate) context: Arc<P::Context>,
    pub(crate) models: Models,
    pub(crate) options: Arc<MachineOptions>,
    pub(crate) observers: Vec<Observer<P>>,
    pub(crate) hooks: Arc<Hooks<P>>,
    /// The function that answers human tasks.
    pub(crate) responder: Option<Responder>,
    /// The events that are emitted while replies stream.
    pub(crate) stream_options: StreamOptions,
    pub(crate) capture: Option<Capture>,
    pub(crate) replay: Option<Replay>,
    /// The store of the runs, if they are persisted.
    pub(crate) store: Option<Arc<dyn Store>>,
    /// Whether the store has the description of the process.
    pub(crate) is_described: IsDescribed,
    /// What follows the runs as spans.
    pub(crate) instruments: Vec<Arc<dyn RunInstrument>>,
    /// The differences that are accepted when a run is resumed.
    pub(crate) resume: Arc<ResumeOptions>,
    /// The cached result of checking the schemas against the models.
    schema_check: OnceLock<Result<(), UnsupportedSchemasError>>,
    /// The cached result of checking the images and documents of prompts against the models.
    media_check: OnceLock<Result<(), UnacceptedMediaError>>,
}

impl<P: Process> Config<P> {
    /// Changes the configuration and discards cached results.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Self)) {
        change(self);
        self.schema_check = OnceLock::new();
        self.media_check = OnceLock::new();
    }

    /// Checks that the models or the replay fit the process, and starts the capture.
    pub(crate) fn check(&self, alone: Option<P::Task>) -> Result<(), RunError> {
        match &self.replay {
            Some(replay) => replay.check_process(P::DEFINITION.about.name)?,
            None => self.check_models(alone)?,
        }
        if let Some(capture) = &self.capture {
            capture.start_run(P::DEFINITION.about.name);
        }
        Ok(())
    }

    /// Checks that human tasks can be answered: by a responder, a replay or a store. A run that is only
    /// awaited has no handle that could answer them.
    pub(crate) fn check_responder(
        &self,
        tasks: impl IntoIterator<Item = &'static TaskDefinition>,
    ) -> Result<(), RunError> {
        if self.answers_people() || self.store.is_some() {
            return Ok(());
        }
        let tasks = human_tasks(P::DEFINITION, tasks, self.options.mock_mode.as_ref());
        if tasks.is_empty() { Ok(()) } else { Err(RunError::NobodyAnswers { tasks }) }
    }

    /// Checks that every model that the process calls is registered and supports its schemas and media; for a
    /// task that runs alone, the models of this task.
    fn check_models(&self, alone: Option<P::Task>) -> Result<(), RunError> {
        let mock_mode = self.options.mock_mode.as_ref();
        let Some(task) = alone.and_then(task_definition::<P>) else {
            self.models.check(P::DEFINITION, None, mock_mode)?;
            if let Some(field) = reserved_fields::<P>().first() {
                return Err(StartError::ReservedField(field.clone()).into());
            }
            if let Some(example) = invalid_examples::<P>().first() {
                return Err(StartError::InvalidExample(example.clone()).into());
            }
            let check = || self.models.check_media::<P>(None, mock_mode);
            self.media_check.get_or_init(check).clone()?;
            let check = || self.models.check_schemas::<P>(None, mock_mode);
            return Ok(self.schema_check.get_or_init(check).clone()?);
        };
        self.models.check(P::DEFINITION, Some(task), mock_mode)?;
        self.models.check_media::<P>(Some(task), mock_mode)?;
        Ok(self.models.check_schemas::<P>(Some(task), mock_mode)?)
    }

    pub(crate) const fn is_observed(&self) -> bool {
        !self.observers.is_empty()
    }

    /// Sets the store of the runs.
    pub(crate) fn set_store(&mut self, store: Arc<dyn Store>) {
        (self.store, self.is_described) = (Some(store), IsDescribed::default());
    }

    /// Returns what is done with the chunks of replies. The beginnings of replies that are streamed anyhow are
    /// shown in the store.
    pub(crate) const fn stream_options(&self, is_observed: bool, has_store: bool) -> StreamOptions {
        let StreamOptions { deltas, partials, drafts } = self.stream_options;
        let (deltas, partials) = (deltas && is_observed, partials && is_observed);
        StreamOptions { deltas, partials, drafts: has_store && (drafts || deltas || partials) }
    }

    /// Returns whether something may follow the runs as spans.
    pub(crate) fn is_traced(&self) -> bool {
        self.instruments().next().is_some()
    }

    /// Returns the instruments, with that of the feature `tracing` if a subscriber listens.
    pub(crate) fn instruments(&self) -> impl Iterator<Item = &dyn RunInstrument> {
        let instruments = self.instruments.iter().map(|instrument| &**instrument);
        #[cfg(feature = "tracing")]
        let instruments = instruments.chain(crate::trace::spans::instrument());
        instruments
    }

    /// Returns whether a function or a capture answers for people.
    pub(crate) const fn answers_people(&self) -> bool {
        self.responder.is_some() || self.replay.is_some()
    }

    /// Enables the events of a machine if they are needed, and sets its hooks.
    pub(crate) fn prepare_machine(&self, machine: &mut Machine<P>) {
        machine.record(self.is_observed() || self.store.is_some() || self.is_traced());
        set_hooks(machine, &self.hooks);
    }

    /// Creates the machine of a new run.
    pub(crate) fn new_machine(&self) -> Machine<P> {
        Machine::with_context(Arc::clone(&self.context)).options(self.options.clone())
    }

    /// Creates the machine of a resumed run.
    pub(crate) fn resume_machine(
        &self,
        snapshot: Snapshot,
        run: &RunId,
    ) -> Result<Machine<P>, SnapshotError> {
        let context = Arc::clone(&self.context);
        let mut machine =
            Machine::resume_with_context(snapshot, &*self.resume, context, run.as_str())?;
        self.prepare_machine(&mut machine);
        Ok(machine)
    }
}

/// Returns the definition of a task.
pub(crate) fn task_definition<P: Process>(task: P::Task) -> Option<&'static TaskDefinition> {
    P::DEFINITION.tasks.iter().find(|other| other.about.name == task.name())
}

impl<P: Process> Config<P> {
    pub(crate) fn new(context: Arc<P::Context>) -> Self {
        Self {
            context,
            models: Models::default(),
            options: Arc::default(),
            observers: Vec::new(),
            hooks: Arc::default(),
            responder: None,
            stream_options: StreamOptions::default(),
            capture: None,
            replay: None,
            store: None,
            is_described: IsDescribed::default(),
            instruments: Vec::new(),
            resume: Arc::default(),
            schema_check: OnceLock::new(),
            media_check: OnceLock::new(),
        }
    }
}

impl<P: Process> Clone for Config<P> {
    fn clone(&self) -> Self {
        Self {
            context: Arc::clone(&self.context),
            models: self.models.clone(),
            options: Arc::clone(&self.options),
            observers: self.observers.clone(),
            hooks: Arc::clone(&self.hooks),
            responder: self.responder.clone(),
            stream_options: self.stream_options,
            capture: self.capture.clone(),
            replay: self.replay.clone(),
            store: self.store.clone(),
            is_described: Arc::clone(&self.is_described),
            instruments: self.instruments.clone(),
            resume: Arc::clone(&self.resume),
            schema_check: self.schema_check.clone(),
            media_check: self.media_check.clone(),
        }
    }
}
