//! Traces of stored runs.

use cot_engine::Process;
use cot_store::{RunId, Store, StoreError};
use cot_task_format::Trace;

use super::{journal::StoredRun, outline::Outline, run_recorder::RunRecorder, stored::write_run};

/// Reads a stored run and returns it as a trace; `None` for a run that does not exist. It needs no types of
/// the process.
///
/// The trace is that of [`RunRecorder::load`](super::RunRecorder::load), except that it has
/// names instead of the titles and descriptions of tasks and tools, and lists only tools that the run called.
///
/// The journal and the trace are held in memory. The text of the trace is written and read in time that is
/// linear in its length.
///
/// # Errors
///
/// [`StoreError::Corrupt`] for the first entry that can't be parsed; other errors when the store can't be
/// read.
///
/// ```
/// # use cot_core::{cot_process, model::ScriptedModel, prelude::*};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Title {
/// #     text: String,
/// # }
/// # cot_process! {
/// #     pub process Naming {
/// #         state: { title: Title },
/// #         goal: "A title",
/// #         task name -> Title { prompt: "Name the story.", update: { title = output }, next: done }
/// #         task done { end }
/// #     }
/// # }
/// use cot_core::{store::MemoryStore, task_format::load_trace};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let store = MemoryStore::default();
/// let model = ScriptedModel::new([r#"{ "text": "Ahab" }"#]);
/// Naming::runner().model(model).store(store.clone()).run_id("whale").run(NamingState::new()).await?;
///
/// let trace = load_trace(&store, &"whale".parse()?).await?.expect("it is stored");
/// let text = trace.to_string();
/// assert!(text.contains("user「A title」") && text.contains("text ↦ Ahab"), "{text}");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub async fn load_trace(store: &dyn Store, run: &RunId) -> Result<Option<Trace>, StoreError> {
    let Some(run) = StoredRun::load(store, run).await? else { return Ok(None) };
    let outline = Outline::begin_stored(&run);
    Ok(Some(write_run(outline, run).trace()))
}

impl<P: Process> RunRecorder<P> {
    /// Creates a recorder for a stored run, and records what its journal tells; `None` for a run that does not exist.
    /// To record the rest, observe the [resumed](cot_runtime::Runner::resume) run.
    ///
    /// The goal is that of the run, or else its state at the start, as JSON. A journal does not contain the questions
    /// that humans have answered, nor the numbers of the arms of `next`. A fork starts at the step where it was made.
    /// [`load_trace`](super::load_trace) returns the trace of a stored run without the types of its process.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] for the first entry that can't be parsed; other errors when the store can't be read.
    pub async fn load(store: &dyn Store, run: &RunId) -> Result<Option<Self>, StoreError> {
        let Some(run) = StoredRun::load(store, run).await? else { return Ok(None) };
        let outline = Outline::from_definition(P::DEFINITION);
        Ok(Some(Self::from_writer(write_run(outline, run))))
    }
}
