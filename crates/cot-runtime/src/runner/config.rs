//! The configuration that the runs of a runner share.

use std::sync::{Arc, OnceLock};

use cot_engine::{
    MachineOptions, MockMode, Question, ResumeOptions, StartError,
    internal::{Definition, ProcessOutline, TaskDefinition},
};
use cot_model::BoxFuture;
use cot_store::Store;
use serde_json::Value;

use crate::{
    capture::{capture::Capture, replay::Replay},
    driver::stream_events::StreamOptions,
    persistence::describe::IsDescribed,
    preflight::{
        human_tasks::human_tasks,
        preflight::{invalid_examples, reserved_fields},
        preflight_error::UnsupportedSchemasError,
        transactions::check_transactions,
        transactions_error::{NO_STORE, TransactionsError},
        unaccepted_media::UnacceptedMediaError,
    },
    runner::{error::RunError, models::Models},
    trace::instrument::RunInstrument,
};

type Responder = Arc<dyn Fn(Arc<Question>) -> BoxFuture<'static, Value> + Send + Sync>;

/// The configuration that the runs of a runner share, apart from what has the types of the process.
#[derive(Clone)]
pub(crate) struct Config {
    /// The tables of the process.
    pub(crate) process: &'static dyn ProcessOutline,
    pub(crate) models: Models,
    pub(crate) options: Arc<MachineOptions>,
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
    /// The cached result of checking the tasks with `effect: transaction` against the store.
    transactions_check: OnceLock<Result<(), TransactionsError>>,
}

impl Config {
    pub(crate) fn new(process: &'static dyn ProcessOutline) -> Self {
        Self {
            process,
            models: Models::default(),
            options: Arc::default(),
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
            transactions_check: OnceLock::new(),
        }
    }

    pub(crate) fn definition(&self) -> &'static Definition {
        self.process.definition()
    }

    /// Returns the models to be changed.
    pub(crate) fn change_models(&mut self) -> &mut Models {
        self.discard_checks();
        &mut self.models
    }

    pub(crate) fn set_mock_mode(&mut self, mode: MockMode) {
        self.discard_checks();
        Arc::make_mut(&mut self.options).mock_mode = Some(mode);
    }

    /// Discards the cached results of the checks of models, which depend on the models and on the mock mode.
    fn discard_checks(&mut self) {
        self.schema_check = OnceLock::new();
        self.media_check = OnceLock::new();
        self.transactions_check = OnceLock::new();
    }

    /// Checks that the models or the replay fit the process, and starts the capture.
    pub(crate) fn check(&self, alone: Option<&str>) -> Result<(), RunError> {
        let process = self.definition().about.name;
        match &self.replay {
            Some(replay) => replay.check_process(process)?,
            None => self.check_models(alone)?,
        }
        self.check_transactions(alone)?;
        if let Some(capture) = &self.capture {
            capture.start_run(process);
        }
        Ok(())
    }

    /// Checks that human tasks can be answered: by a responder, a replay or a store. A run that is only
    /// awaited has no handle that could answer them. `asks` returns whether a tool needs approval.
    pub(crate) fn check_responder(
        &self,
        tasks: impl IntoIterator<Item = &'static TaskDefinition>,
        asks: &dyn Fn(usize) -> bool,
    ) -> Result<(), RunError> {
        if self.answers_people() || self.store.is_some() {
            return Ok(());
        }
        let tasks = human_tasks(self.definition(), tasks, self.options.mock_mode.as_ref(), asks);
        if tasks.is_empty() { Ok(()) } else { Err(RunError::NobodyAnswers { tasks }) }
    }

    /// Checks that every model that the process calls is registered and supports its schemas and media; for a
    /// task that runs alone, the models of this task.
    fn check_models(&self, alone: Option<&str>) -> Result<(), RunError> {
        let mock_mode = self.options.mock_mode.as_ref();
        let (process, definition) = (self.process, self.definition());
        let Some(task) = alone.and_then(|task| self.task(task)) else {
            self.models.check(definition, None, mock_mode)?;
            if let Some(field) = reserved_fields(process).first() {
                return Err(StartError::ReservedField(field.clone()).into());
            }
            if let Some(example) = invalid_examples(process).first() {
                return Err(StartError::InvalidExample(example.clone()).into());
            }
            let check = || self.models.check_media(process, None, mock_mode);
            self.media_check.get_or_init(check).clone()?;
            let check = || self.models.check_schemas(process, None, mock_mode);
            return Ok(self.schema_check.get_or_init(check).clone()?);
        };
        self.models.check(definition, Some(task), mock_mode)?;
        self.models.check_media(process, Some(task), mock_mode)?;
        Ok(self.models.check_schemas(process, Some(task), mock_mode)?)
    }

    /// Checks that the store has transactions for the tasks that are called in one.
    fn check_transactions(&self, alone: Option<&str>) -> Result<(), TransactionsError> {
        let check = |alone, support| {
            let mock_mode = self.options.mock_mode.as_ref();
            check_transactions(self.process, alone, mock_mode, support)
        };
        if let Some(task) = alone {
            return check(self.task(task), Err("a task that runs alone is not stored"));
        }
        let checked = self.transactions_check.get_or_init(|| {
            let store = self.store.as_ref().ok_or(NO_STORE);
            let support = store.and_then(|store| {
                store.transactions().ok_or("the store of the runner has no transactions")
            });
            check(None, support)
        });
        checked.clone()
    }

    /// Returns the definition of a task.
    pub(crate) fn task(&self, name: &str) -> Option<&'static TaskDefinition> {
        self.definition().tasks.iter().find(|task| task.about.name == name)
    }

    /// Sets the store of the runs.
    pub(crate) fn set_store(&mut self, store: Arc<dyn Store>) {
        (self.store, self.is_described) = (Some(store), IsDescribed::default());
        self.transactions_check = OnceLock::new();
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
}
