//! The check of a process against models.

use std::slice;

use cot_engine::{
    MockMode, Process, ReservedFieldError,
    internal::{ProcessOutline, TaskDefinition, TaskKind, outline_of},
};
use cot_schema::Dialect;

use crate::{
    preflight::{
        human_tasks::{VisitedProcesses, is_same_process, mark_visited},
        preflight_error::{PreflightError, UnsupportedSchema, UnsupportedSchemasError},
    },
    runner::models::{Models, engines_of},
};

/// Checks a process against models before anything is called. Implemented for all processes.
pub trait Preflight: Process {
    /// Checks that each engine that the AI tasks name is registered, including those of sub-processes, and
    /// that it supports the schemas of their replies with all transitions visible. A runner checks the same
    /// before the first call.
    ///
    /// # Errors
    ///
    /// Lists all missing engines, and each schema that an engine does not support: the task, the engine, and
    /// the reason.
    fn preflight(models: &Models) -> Result<(), PreflightError> {
        let missing = models.check(Self::DEFINITION, None, None).err();
        let unfit = models.check_schemas::<Self>(None, None).err().unwrap_or_default();
        let reserved = reserved_fields::<Self>();
        if missing.is_none() && unfit.unfit.is_empty() && reserved.is_empty() {
            return Ok(());
        }
        Err(PreflightError { missing, unfit, reserved: reserved.to_vec() })
    }
}

impl<P: Process> Preflight for P {}

/// Returns the output fields of a process and its sub-processes whose names are reserved, so that no reply
/// can contain them.
pub(crate) fn reserved_fields<P: Process>() -> &'static [ReservedFieldError] {
    P::schemas().reserved(|| {
        let fields = |process: &'static dyn ProcessOutline| {
            let definition = process.definition();
            let tasks = definition.tasks.iter().enumerate();
            tasks.filter_map(move |(index, task)| {
                ReservedFieldError::find(definition, task, process.task(index)?.output)
            })
        };
        outline_of::<P>().with_inner().into_iter().flat_map(fields).collect()
    })
}

impl Models {
    /// Checks that each engine supports the schemas of the replies that a process and its sub-processes
    /// request from it; for a task that runs alone, only those of this task.
    pub(crate) fn check_schemas<P: Process>(
        &self,
        alone: Option<&'static TaskDefinition>,
        mock_mode: Option<&MockMode>,
    ) -> Result<(), UnsupportedSchemasError> {
        // The plain dialect supports every schema, and most models use it.
        if self.all().all(|model| model.dialect() == Dialect::Plain) {
            return Ok(());
        }
        let mut unfit = Vec::new();
        let tasks = alone.map_or(P::DEFINITION.tasks, slice::from_ref);
        let within = processes_within(tasks, mock_mode);
        for process in outline_of::<P>().with_inner() {
            if is_same_process(process.definition(), P::DEFINITION) {
                self.find_unsupported(process, alone, mock_mode, &mut unfit);
            }
            for (_, mode) in
                within.iter().filter(|(it, _)| is_same_process(it, process.definition()))
            {
                self.find_unsupported(process, None, *mode, &mut unfit);
            }
        }
        if unfit.is_empty() { Ok(()) } else { Err(UnsupportedSchemasError { unfit }) }
    }

    fn find_unsupported(
        &self,
        process: &'static dyn ProcessOutline,
        alone: Option<&'static TaskDefinition>,
        mock_mode: Option<&MockMode>,
        unfit: &mut Vec<UnsupportedSchema>,
    ) {
        let definition = process.definition();
        let is_meant =
            |task: &TaskDefinition| alone.is_none_or(|alone| alone.about.name == task.about.name);
        let tasks = definition.tasks.iter().enumerate().filter(|(_, task)| is_meant(task));
        for (index, task) in tasks {
            let ai = task.kind.ai().filter(|_| !definition.is_mocked(task, mock_mode));
            let (Some(ai), Some(schema)) = (ai, process.widest_reply_schema(index)) else {
                continue;
            };
            for engine in engines_of(definition, ai) {
                let Some(model) = self.find(engine) else {
                    continue;
                };
                let dialect = model.dialect();
                let Err(reasons) = dialect.rewrite(&schema.json) else {
                    continue;
                };
                let (process, task) = (definition.about.name, task.about.name);
                let found = UnsupportedSchema { process, task, engine, dialect, reasons };
                // A process that runs in two mock modes is visited twice.
                if !unfit.contains(&found) {
                    unfit.push(found);
                }
            }
        }
    }
}

/// Returns the processes that tasks run, and their sub-processes.
fn processes_within(
    tasks: &'static [TaskDefinition],
    mock_mode: Option<&MockMode>,
) -> VisitedProcesses {
    let mut visited = VisitedProcesses::new();
    let mut next: Vec<_> = tasks.iter().map(|task| (task, mock_mode)).collect();
    while let Some((task, mock_mode)) = next.pop() {
        if let TaskKind::Process(inner) = &task.kind {
            let mock_mode = mock_mode.map(|mode| mode.within(task));
            if !mark_visited(&mut visited, inner(), mock_mode) {
                next.extend(inner().tasks.iter().map(|task| (task, mock_mode)));
            }
        }
    }
    visited
}
