//! The history of a run, built from its journal.

use std::sync::Arc;

use cot_engine::CallKey;
use serde::{Deserialize, Serialize};

use super::{
    step::StepHistory,
    tree::{self, RunTree},
};
use crate::{
    error::StoreError,
    journal::journal::read_page,
    record::{Entry, EventRecord, Record},
    run_id::RunId,
    store::Store,
    summary::RunSummary,
};

/// The history of a run: its steps and their attempts, for displays and analysis. It needs no type of the
/// process, serializes as JSON, and displays as text.
///
/// ```
/// use cot_core::store::{MemoryStore, RunHistory};
/// # use cot_core::{CotOutput, cot_process, model::ScriptedModel};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// #
/// # #[derive(Clone, Default, Serialize, Deserialize)]
/// # pub struct Greeting {
/// #     text: String,
/// # }
/// #
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Said {
/// #     text: String,
/// # }
/// #
/// # cot_process! {
/// #     pub process Greeter {
/// #         state: Greeting,
/// #         task greet -> Said { prompt: "Say hello.", update: { text = output.text }, next: done }
/// #         task done { end }
/// #     }
/// # }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let store = MemoryStore::default();
/// let model = ScriptedModel::new(["Hm.", r#"{"text":"Hello"}"#]);
/// Greeter::runner().model(model).store(store.clone()).run_id("hello").run(Greeting::default()).await?;
///
/// let history = RunHistory::load(&store, &"hello".parse()?).await?.unwrap();
/// let greet = &history.steps[0];
/// assert_eq!((greet.task.as_str(), greet.attempts.len()), ("greet", 2));
/// assert!(greet.attempts[0].failure.is_some());
/// assert_eq!(greet.output, Some(serde_json::json!({ "text": "Hello" })));
/// assert_eq!(greet.next.as_deref(), Some("done"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunHistory {
    /// The summary of the run.
    pub summary: RunSummary,
    /// The steps of the run; a fork does not contain the steps that it shares with the original run.
    pub steps: Vec<StepHistory>,
}

impl RunHistory {
    /// Reads the history of a run from its journal; `None` for a run that does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] for the first entry that can't be parsed; other errors when the store can't
    /// be read.
    pub async fn load(store: &dyn Store, run: &RunId) -> Result<Option<Self>, StoreError> {
        Self::load_changed(store, run, |_| ()).await
    }

    /// Like [`load`](Self::load), except that the prompts are empty.
    #[doc(hidden)]
    pub async fn load_without_prompts(
        store: &dyn Store,
        run: &RunId,
    ) -> Result<Option<Self>, StoreError> {
        let drop_prompt = |record: &mut Record| {
            if let Record::Event(EventRecord { asked: Some(asked), .. }) = record
                && let Some(prompt) = &mut asked.prompt
            {
                *prompt = Arc::default();
            }
        };
        Self::load_changed(store, run, drop_prompt).await
    }

    /// Returns the visit that makes a call, perhaps in a sub-process; `None` if the journal has not told it.
    #[must_use]
    pub fn visit(&self, key: &CallKey) -> Option<&StepHistory> {
        tree::find_visit(&self.steps, key)
    }

    async fn load_changed(
        store: &dyn Store,
        run: &RunId,
        change: impl Fn(&mut Record),
    ) -> Result<Option<Self>, StoreError> {
        let mut tree = RunTree::default();
        let summary = read_journal(store, run, |mut entry| {
            change(&mut entry.record);
            tree.add_entry(entry);
        });
        let summary = summary.await?;
        Ok(summary.map(|summary| Self { summary, steps: tree.into_steps() }))
    }
}

/// Reads the entries of a run in their order. Returns the summary as of the last one; `None` for a run that does not
/// exist.
pub async fn read_journal(
    store: &dyn Store,
    run: &RunId,
    mut take: impl FnMut(Entry),
) -> Result<Option<RunSummary>, StoreError> {
    let Some(mut summary) = store.run(run).await? else { return Ok(None) };
    let mut next = 0;
    loop {
        let entries = read_page(store, run, next).await?;
        let Some(last) = entries.last() else { return Ok(Some(summary)) };
        next = last.number + 1;
        for entry in entries {
            if entry.number >= summary.entries {
                summary.apply(&entry.record)?;
            }
            take(entry);
        }
    }
}
