//! The models of a runner, by engine id.

use std::{collections::BTreeMap, fmt, sync::Arc};

use cot_engine::{
    MockMode,
    internal::{AiDefinition, Definition, TaskDefinition},
};
use cot_model::LanguageModel;
use cot_schema::internal::closest_name;

use crate::preflight::{
    human_tasks::{VisitedProcesses, mark_visited},
    missing_models::{MissingModel, MissingModelsError},
};

/// Models by engine id, and a default model.
///
/// ```
/// use cot_core::{Models, model::ScriptedModel};
///
/// let models = Models::new()
///     .model(ScriptedModel::new(["fine"]))
///     .engine("large", ScriptedModel::new(["very fine"]));
/// # let _ = models;
/// ```
#[derive(Clone, Default)]
pub struct Models {
    pub(crate) default: Option<Arc<dyn LanguageModel>>,
    pub(crate) engines: BTreeMap<String, Arc<dyn LanguageModel>>,
}

impl Models {
    /// Creates an empty set of models.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the default model: it answers the tasks for which neither the task nor the process names an
    /// engine.
    #[must_use]
    pub fn model(mut self, model: impl LanguageModel + 'static) -> Self {
        self.default = Some(Arc::new(model));
        self
    }

    /// Registers a model under an engine id: it answers the tasks that name this id, themselves or by the
    /// process.
    #[must_use]
    pub fn engine(mut self, id: impl Into<String>, model: impl LanguageModel + 'static) -> Self {
        self.engines.insert(id.into(), Arc::new(model));
        self
    }

    pub(crate) fn wrap(&mut self, wrap: impl Fn(Arc<dyn LanguageModel>) -> Arc<dyn LanguageModel>) {
        self.default = self.default.take().map(&wrap);
        self.engines.values_mut().for_each(|model| *model = wrap(Arc::clone(model)));
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<dyn LanguageModel>> {
        self.default.iter().chain(self.engines.values())
    }

    /// Returns the model of an engine id, or the default model for `None`.
    #[must_use]
    pub fn find(&self, engine: Option<&str>) -> Option<&Arc<dyn LanguageModel>> {
        match engine {
            Some(id) => self.engines.get(id),
            None => self.default.as_ref(),
        }
    }

    /// Checks that every engine that a process and its sub-processes call is registered; for a task that
    /// runs alone, those of this task. The error lists all missing engines.
    pub(crate) fn check(
        &self,
        definition: &'static Definition,
        alone: Option<&'static TaskDefinition>,
        mock_mode: Option<&MockMode>,
    ) -> Result<(), MissingModelsError> {
        let mut missing = Vec::new();
        let mut visited = VisitedProcesses::new();
        match alone {
            Some(task) => {
                self.find_missing_for_task(definition, task, mock_mode, &mut visited, &mut missing);
            }
            None => self.find_missing(definition, mock_mode, &mut visited, &mut missing),
        }
        if missing.is_empty() {
            return Ok(());
        }
        for model in &mut missing {
            model.suggestion = model.engine.and_then(|id| self.similar_id(id));
        }
        Err(MissingModelsError { missing, registered: self.engines.keys().cloned().collect() })
    }

    fn find_missing(
        &self,
        definition: &'static Definition,
        mock_mode: Option<&MockMode>,
        visited: &mut VisitedProcesses,
        missing: &mut Vec<MissingModel>,
    ) {
        let asks = |task: &TaskDefinition| calls_model(definition, task, mock_mode);
        let unknown = |id: &&&'static str| self.find(Some(id)).is_none();
        // An engine that the process names is reported even if each task names another, since it is
        // misspelled then too. If all tasks are mocked, no engine is needed.
        if definition.tasks.iter().any(asks) {
            definition.engines.iter().filter(unknown).for_each(|engine| {
                missing_entry(missing, Some(engine));
            });
        }
        for task in definition.tasks {
            self.find_missing_for_task(definition, task, mock_mode, visited, missing);
        }
    }

    fn find_missing_for_task(
        &self,
        definition: &'static Definition,
        task: &'static TaskDefinition,
        mock_mode: Option<&MockMode>,
        visited: &mut VisitedProcesses,
        missing: &mut Vec<MissingModel>,
    ) {
        if let Some(inner) = task.kind.process() {
            let mock_mode = mock_mode.map(|mode| mode.within(task));
            if !mark_visited(visited, inner, mock_mode) {
                self.find_missing(inner, mock_mode, visited, missing);
            }
        }
        let Some(ai) = task.kind.ai().filter(|_| calls_model(definition, task, mock_mode)) else {
            return;
        };
        for engine in engines_of(definition, ai).filter(|engine| self.find(*engine).is_none()) {
            let tasks = &mut missing_entry(missing, engine).tasks;
            if tasks.last() != Some(&task.about.name) {
                tasks.push(task.about.name);
            }
        }
    }

    fn similar_id(&self, missing: &str) -> Option<String> {
        closest_name(missing, self.engines.keys().map(String::as_str)).map(str::to_owned)
    }
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Models")
            .field("has_default_model", &self.default.is_some())
            .field("engines", &self.engines.keys())
            .finish()
    }
}

/// Returns the engines that a task calls, in order; `None` is the default model.
pub(crate) fn engines_of(
    definition: &'static Definition,
    ai: &'static AiDefinition,
) -> impl Iterator<Item = Option<&'static str>> {
    let engines = if ai.engines.is_empty() { definition.engines } else { ai.engines };
    engines.iter().map(|id| Some(*id)).chain(engines.is_empty().then_some(None))
}

fn calls_model(
    definition: &Definition,
    task: &TaskDefinition,
    mock_mode: Option<&MockMode>,
) -> bool {
    task.kind.ai().is_some() && !definition.is_mocked(task, mock_mode)
}

/// Returns the entry of an engine; adds it if there is none. A linear search, as processes name few engines.
fn missing_entry<'a>(
    missing: &'a mut Vec<MissingModel>,
    engine: Option<&'static str>,
) -> &'a mut MissingModel {
    let found = missing.iter().position(|model| model.engine == engine);
    let at = found.unwrap_or(missing.len());
    if found.is_none() {
        missing.push(MissingModel::new(engine));
    }
    &mut missing[at]
}
