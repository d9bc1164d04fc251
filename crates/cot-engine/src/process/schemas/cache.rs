//! The reply schemas of a process, and their cache.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use cot_model::{ModelSettings, ReplySchema};
use cot_schema::OutputSchema;
use serde_json::{Map, Value};

use super::{
    choice::{ChoiceTarget, ChoiceTexts, choice_notation, choices},
    definitions::Definitions,
};
use crate::{
    process::{
        examples::task_examples::{InvalidExampleError, TaskExamples},
        reserved::ReservedFieldError,
        tables::{AiDefinition, Definition, TaskIndex, TransitionDefinition},
        tool::definition::ToolIndex,
    },
    snapshot::fingerprint::Fingerprint,
};

/// Caches the values that are computed once for a process: reply schemas by task and visible transitions, settings
/// of model calls, the fingerprint, reserved fields, and examples.
#[derive(Debug, Default)]
pub struct SchemaCache {
    schemas: RwLock<Vec<CacheEntry>>,
    settings: OnceLock<Box<[Arc<ModelSettings>]>>,
    fingerprint: OnceLock<Fingerprint>,
    reserved: OnceLock<Vec<ReservedFieldError>>,
    examples: OnceLock<Vec<TaskExamples>>,
    tools: RwLock<Vec<(ToolIndex, Arc<ReplySchema>)>>,
    invalid_examples: OnceLock<Vec<InvalidExampleError>>,
}

#[derive(Debug)]
struct CacheEntry {
    task: TaskIndex,
    visible: Box<[usize]>,
    format: Arc<ReplyFormat>,
}

/// The format of the replies to a task, while certain transitions are visible.
#[derive(Debug)]
pub struct ReplyFormat {
    /// The schema.
    pub schema: Arc<ReplySchema>,
    /// The choice of a task as a type, with the default texts.
    pub choice: String,
}

/// Maximum number of cached schemas of a process; further ones are rebuilt on each use.
const MAX_CACHED: usize = 64;
/// Maximum length of a schema name that vendors accept.
const MAX_NAME: usize = 64;

impl SchemaCache {
    /// Creates an empty cache.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            schemas: RwLock::new(Vec::new()),
            settings: OnceLock::new(),
            fingerprint: OnceLock::new(),
            reserved: OnceLock::new(),
            examples: OnceLock::new(),
            tools: RwLock::new(Vec::new()),
            invalid_examples: OnceLock::new(),
        }
    }

    /// Returns the format of the replies to a task. `None` if the task has neither visible transitions nor an
    /// output, or if its reply is text. `inputs` returns the schema of the inputs that the model provides for
    /// a task.
    pub(crate) fn reply(
        &self,
        definition: &Definition,
        task: TaskIndex,
        visible: &[usize],
        output: Option<&OutputSchema>,
        inputs: &dyn Fn(TaskIndex) -> Option<&'static OutputSchema>,
    ) -> Option<Arc<ReplyFormat>> {
        let ai = definition.tasks.get(task)?.kind.ai().filter(|ai| !ai.format.is_text())?;
        if let Some(format) = self.find(task, visible) {
            return Some(format);
        }
        let name = schema_name(definition.task(task).about.name);
        let targets = choice_targets(definition, ai, |index, _| visible.contains(&index), inputs);
        let schema = Arc::new(ReplySchema { name, json: reply_schema(&targets, output)? });
        let targets = shown_targets(definition, ai, visible, inputs);
        let choice = choice_notation(&targets, &ChoiceTexts::new(&targets));
        let format = Arc::new(ReplyFormat { schema, choice });
        self.insert(CacheEntry { task, visible: visible.into(), format: Arc::clone(&format) });
        Some(format)
    }

    /// Returns the settings of the model calls of a task, computing those of all tasks on first use.
    pub(crate) fn settings(&self, definition: &Definition, task: TaskIndex) -> Arc<ModelSettings> {
        let settings = self.settings.get_or_init(|| {
            let tasks = definition.tasks.iter().map(|task| task.kind.ai());
            let of_process = &definition.settings;
            let settings = tasks.map(|ai| ai.map_or(*of_process, |ai| ai.settings.or(of_process)));
            settings.map(|settings| Arc::new(settings.to_settings())).collect()
        });
        settings.get(task).map(Arc::clone).unwrap_or_default()
    }

    /// Returns the schema of the arguments of a tool with this name.
    pub(crate) fn arguments(
        &self,
        tool: ToolIndex,
        name: &str,
        schema: &OutputSchema,
    ) -> Arc<ReplySchema> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, schema)) = tools.iter().find(|(known, _)| *known == tool) {
            return Arc::clone(schema);
        }
        drop(tools);
        let json = schema.json().clone();
        let schema = Arc::new(ReplySchema { name: name.to_owned(), json });
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        tools.push((tool, Arc::clone(&schema)));
        schema
    }

    /// Returns the fingerprint of the process, computing it on first use. Takes a function pointer, so that
    /// the method is compiled once for all processes.
    pub(crate) fn fingerprint(&self, compute: fn() -> Fingerprint) -> &Fingerprint {
        self.fingerprint.get_or_init(compute)
    }

    /// Returns the reserved fields in outputs of the process and its sub-processes, computing them on first
    /// use.
    pub fn reserved(
        &self,
        find: impl FnOnce() -> Vec<ReservedFieldError>,
    ) -> &[ReservedFieldError] {
        self.reserved.get_or_init(find)
    }

    /// Returns the examples of the process by task, computing them on first use.
    pub(crate) fn examples(&self, compute: fn() -> Vec<TaskExamples>) -> &[TaskExamples] {
        self.examples.get_or_init(compute)
    }

    /// Returns the errors of the examples of the process and its sub-processes, computing them on first use.
    pub fn invalid_examples(
        &self,
        find: impl FnOnce() -> Vec<InvalidExampleError>,
    ) -> &[InvalidExampleError] {
        self.invalid_examples.get_or_init(find)
    }

    fn find(&self, task: TaskIndex, visible: &[usize]) -> Option<Arc<ReplyFormat>> {
        let schemas = self.schemas.read().unwrap_or_else(PoisonError::into_inner);
        let mut cached = schemas.iter();
        let hit = cached.find(|cached| cached.task == task && *cached.visible == *visible)?;
        Some(Arc::clone(&hit.format))
    }

    fn insert(&self, cached: CacheEntry) {
        let mut schemas = self.schemas.write().unwrap_or_else(PoisonError::into_inner);
        if schemas.len() < MAX_CACHED {
            schemas.push(cached);
        }
    }
}

/// Returns the tasks that the type of a choice is about: the visible ones, and those without inputs, so that guards
/// which hide one of them do not change it.
pub(crate) fn shown_targets(
    definition: &Definition,
    ai: &AiDefinition,
    visible: &[usize],
    inputs: &dyn Fn(TaskIndex) -> Option<&'static OutputSchema>,
) -> Vec<ChoiceTarget> {
    let is_shown = |index, it: &TransitionDefinition| !it.with_model || visible.contains(&index);
    choice_targets(definition, ai, is_shown, inputs)
}

fn choice_targets(
    definition: &Definition,
    ai: &AiDefinition,
    is_shown: impl Fn(usize, &TransitionDefinition) -> bool,
    inputs: &dyn Fn(TaskIndex) -> Option<&'static OutputSchema>,
) -> Vec<ChoiceTarget> {
    let transitions = ai.transitions.iter().enumerate();
    let target = |transition: &TransitionDefinition| ChoiceTarget {
        about: &definition.task(transition.target).about,
        inputs: if transition.with_model { inputs(transition.target) } else { None },
    };
    transitions.filter(|(index, it)| is_shown(*index, it)).map(|(_, it)| target(it)).collect()
}

fn reply_schema(targets: &[ChoiceTarget], output: Option<&OutputSchema>) -> Option<Value> {
    if targets.is_empty() {
        return output.map(|output| output.json().clone());
    }
    let mut definitions = Definitions::default();
    // Embedded first, so that its definitions keep their names.
    let output = output.map(|output| definitions.embed(output, "output"));
    let mut branches = choices(targets, &mut definitions);
    branches.extend(output);
    let mut schema = Map::new();
    let definitions = definitions.into_map();
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    match branches.pop() {
        Some(Value::Object(only)) if branches.is_empty() => schema.extend(only),
        last => {
            branches.extend(last);
            schema.insert("anyOf".to_owned(), Value::Array(branches));
        }
    }
    Some(Value::Object(schema))
}

/// Converts a task name into one of letters, digits and underscores.
fn schema_name(task: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    task.trim_start_matches("r#").chars().map(plain).take(MAX_NAME).collect()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
