//! The trace of a stored run, without the types of its process.

use cot_store::{Record, RunHistory, RunId, Store, StoreError};
use cot_task_format::Trace;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{outline::Outline, stored::write_history};

/// Reads a stored run and returns it as a trace; `None` for a run that does not exist. It needs no types of
/// the process.
///
/// The trace is that of [`RunRecorder::from_history`](super::RunRecorder::from_history), except that it has
/// names instead of the titles and descriptions of tasks and tools, and lists only tools that the run called.
/// The user's message of a run without a goal is its state at the start, as JSON.
///
/// The history and the trace are held in memory. The text of the trace is written and read in time that is
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
    let Some(history) = RunHistory::load_without_prompts(store, run).await? else {
        return Ok(None);
    };
    let goal = load_goal(store, run).await?;
    let writer = write_history(Outline::from_history(&history), goal, &history);
    Ok(Some(writer.trace()))
}

/// Reads the goal of a run from the start of its journal, or else its state at the start, as JSON.
async fn load_goal(store: &dyn Store, run: &RunId) -> Result<String, StoreError> {
    #[derive(Deserialize)]
    struct Snapshot<'a> {
        goal: String,
        #[serde(borrow)]
        state: &'a RawValue,
    }
    let mut goal = String::new();
    for entry in store.entries(run, 0, 2).await? {
        let state = match &entry.record {
            Record::Submitted(submitted) => {
                goal = submitted.goal.clone().unwrap_or_default();
                submitted.state.get()
            }
            Record::Begun(begun) => {
                let Ok(snapshot) = serde_json::from_str::<Snapshot<'_>>(begun.snapshot.get())
                else {
                    // A snapshot that can't be parsed is reported when the run is resumed.
                    continue;
                };
                goal = snapshot.goal;
                snapshot.state.get()
            }
            _ => continue,
        };
        if goal.trim().is_empty() {
            state.clone_into(&mut goal);
        }
    }
    Ok(goal)
}
