//! The check of a process against models.

use std::sync::Arc;

use cot_engine::{
    InvalidExampleError, MockMode, Process, ReservedFieldError,
    internal::{ProcessOutline, TaskDefinition, TaskIndex, outline_of},
};
use cot_model::LanguageModel;
use cot_schema::Dialect;
use serde_json::Value;

use crate::{
    preflight::{
        checked_tasks::CheckedTasks,
        preflight_error::{PreflightError, UnsupportedSchema, UnsupportedSchemasError},
        transactions::check_transactions,
    },
    runner::models::{Models, engines_of},
};

/// Checks a process against models before anything is called. Implemented for all processes.
pub trait Preflight: Process {
    /// Checks that each engine that the AI tasks name is registered, including those of sub-processes, and
    /// that it supports the schemas of their replies with all transitions visible, and the images and documents
    /// that their prompts can show. Checks the outputs of examples. A runner checks the same before the first call.
    ///
    /// # Errors
    ///
    /// Lists all missing engines, and each schema or medium that an engine does not support: the task, the
    /// engine, and the reason. Lists each example whose output is not valid.
    fn preflight(models: &Models) -> Result<(), PreflightError> {
        let process = outline_of::<Self>();
        let missing = models.check(Self::DEFINITION, None, None).err().map(Box::new);
        let unfit = models.check_schemas(process, None, None).err().unwrap_or_default();
        let media = models.check_media(process, None, None).err().unwrap_or_default();
        let reserved = reserved_fields(process);
        let examples = invalid_examples(process);
        let is_clear = missing.is_none() && unfit.unfit.is_empty() && media.unaccepted.is_empty();
        if is_clear && reserved.is_empty() && examples.is_empty() {
            return Ok(());
        }
        let (reserved, examples) = (reserved.to_vec(), examples.to_vec());
        Err(PreflightError {
            missing,
            unfit,
            media,
            reserved,
            examples,
            ..PreflightError::default()
        })
    }

    /// Checks that no task of the process or its sub-processes has `effect: transaction`, for a driver that has no
    /// [store with transactions](cot_store::Store::begin).
    ///
    /// # Errors
    ///
    /// Lists the tasks.
    fn refuse_transactions() -> Result<(), PreflightError> {
        let refused = Err("this driver has no store with transactions");
        Ok(check_transactions(outline_of::<Self>(), None, None, refused)?)
    }
}

impl<P: Process> Preflight for P {}

/// Returns the output fields of a process and its sub-processes whose names are reserved, so that no reply
/// can contain them.
pub(crate) fn reserved_fields(
    process: &'static dyn ProcessOutline,
) -> &'static [ReservedFieldError] {
    process.schemas().reserved(|| {
        let fields = |process: &'static dyn ProcessOutline| {
            let definition = process.definition();
            let tasks = definition.tasks.iter().enumerate();
            tasks.filter_map(move |(index, task)| {
                ReservedFieldError::find(definition, task, process.task(index)?.output)
            })
        };
        process.with_inner().into_iter().flat_map(fields).collect()
    })
}

/// Returns the errors of the examples of a process and its sub-processes.
pub(crate) fn invalid_examples(
    process: &'static dyn ProcessOutline,
) -> &'static [InvalidExampleError] {
    process.schemas().invalid_examples(|| process.invalid_examples())
}

impl Models {
    /// Checks that each engine supports the schemas of the replies that a process and its sub-processes
    /// request from it; for a task that runs alone, only those of this task.
    pub(crate) fn check_schemas(
        &self,
        process: &'static dyn ProcessOutline,
        alone: Option<&'static TaskDefinition>,
        mock_mode: Option<&MockMode>,
    ) -> Result<(), UnsupportedSchemasError> {
        // The plain dialect supports every schema, and most models use it.
        let is_plain = |model: &Arc<dyn LanguageModel>| {
            [model.dialect(), model.tool_dialect()] == [Dialect::Plain; 2]
        };
        if self.all().all(is_plain) {
            return Ok(());
        }
        let mut unfit = Vec::new();
        CheckedTasks::new(process, alone, mock_mode).for_each(|process, index, task| {
            self.find_unsupported(process, (index, task), &mut unfit);
        });
        if unfit.is_empty() { Ok(()) } else { Err(UnsupportedSchemasError { unfit }) }
    }

    fn find_unsupported(
        &self,
        process: &'static dyn ProcessOutline,
        (index, task): (TaskIndex, &'static TaskDefinition),
        unfit: &mut Vec<UnsupportedSchema>,
    ) {
        let definition = process.definition();
        let Some(ai) = task.kind.ai() else { return };
        let reply = process.widest_reply(index);
        for engine in engines_of(definition, ai) {
            let Some(model) = self.find(engine) else {
                continue;
            };
            let mut check = |tool: Option<&'static str>, dialect: Dialect, schema: &Value| {
                let Err(reasons) = dialect.rewrite(schema) else { return };
                let (process, task) = (definition.about.name, task.about.name);
                let found = UnsupportedSchema { process, task, tool, engine, dialect, reasons };
                // A process that runs in two mock modes is visited twice.
                if !unfit.contains(&found) {
                    unfit.push(found);
                }
            };
            if let Some(reply) = &reply {
                check(None, model.dialect(), &reply.schema.json);
            }
            // Without native calls, the prompt shows the schemas.
            let tools = if model.calls_tools() { ai.tools.tools } else { &[] };
            for tool in tools {
                if let Some(schema) = process.tool_schema(*tool) {
                    let name = definition.tools.tools.get(*tool).map(|tool| tool.name);
                    check(name, model.tool_dialect(), schema.json());
                }
            }
        }
    }
}
