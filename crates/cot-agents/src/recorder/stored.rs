//! Traces of stored runs: what a journal tells, in the order in which it tells it.

use std::sync::Arc;

use cot_engine::{RunEvent, Snapshot, internal::VisitKey};
use cot_store::{
    AttemptHistory, EndKind, Record, RunId, RunSummary, Status, Store, StoreError,
    internal::read_journal,
};
use cot_task_format::Trace;
use serde_json::value::RawValue;

use super::{
    events::write,
    outline::Outline,
    trace_writer::TraceWriter,
    visit::{Place, TaskAt},
};

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
    let outline = Outline::of_stored(&run);
    Ok(Some(run.write(outline).trace()))
}

/// What a journal tells of a run.
#[derive(Debug)]
pub(super) struct StoredRun {
    pub(super) summary: RunSummary,
    /// The goal, or else the state at the start, as JSON.
    goal: String,
    pub(super) parts: Vec<Part>,
}

/// A part of a journal. An answer precedes the events that it leads to.
#[derive(Debug)]
pub(super) enum Part {
    Answer(Box<AttemptHistory>),
    Event(RunEvent),
}

impl StoredRun {
    /// Reads a run; `None` for one that does not exist.
    pub(super) async fn load(store: &dyn Store, run: &RunId) -> Result<Option<Self>, StoreError> {
        let (mut goal, mut parts) = (String::new(), Vec::new());
        let summary = read_journal(store, run, |entry| match entry.record {
            Record::Submitted(submitted) => {
                goal =
                    goal_or_state(submitted.goal.as_deref().unwrap_or_default(), &submitted.state);
            }
            Record::Begun(begun) => {
                // One that can't be read is reported when the run is resumed.
                if let Ok(snapshot) = Snapshot::from_json(begun.snapshot.get()) {
                    goal = goal_or_state(snapshot.goal(), snapshot.state());
                }
            }
            Record::Event(event) => {
                let answer = AttemptHistory::from_event(event).map(|mut answer| {
                    // Prompts are long, and in no trace.
                    answer.prompt = answer.prompt.map(|_| Arc::default());
                    Part::Answer(Box::new(answer))
                });
                parts.extend(answer);
            }
            Record::Step(step) => parts.extend(step.notes.into_iter().map(Part::Event)),
        });
        Ok(summary.await?.map(|summary| Self { summary, goal, parts }))
    }

    /// Writes the events of the run in the same way as those of a run that is observed.
    pub(super) fn write(self, outline: Outline) -> TraceWriter {
        let mut writer = TraceWriter::new(outline, self.goal);
        let place = Place::of_run(&self.summary.process);
        for part in self.parts {
            match part {
                Part::Answer(answer) => writer.answers.add(*answer),
                Part::Event(event) => write(&mut writer, &place, &event),
            }
        }
        writer.write_last_answers();
        write_status(&mut writer, &self.summary);
        writer
    }
}

fn write_status(writer: &mut TraceWriter, summary: &RunSummary) {
    let RunSummary { process, status, usage, .. } = summary;
    match status {
        Status::Ended { task, how, why } => {
            let at = TaskAt { process, outer: &[], task };
            writer.leave(at, (None, None), false);
            let why = Some(why.as_str()).filter(|_| *how != EndKind::End);
            writer.end(why, *usage);
        }
        Status::Asking { key, question, .. } if key.approval().is_none() => {
            let visits: Vec<VisitKey> = key.visits().cloned().collect();
            let outer = &visits[..visits.len() - 1];
            let process = writer.process_at(outer);
            let at = TaskAt { process: &process, outer, task: key.task() };
            writer.outline.learn_performer(at, || "A person".to_owned());
            writer.ask_later(at, question);
        }
        _ => {}
    }
    writer.set_wait(&describe_wait(summary));
}

/// Describes what a run waits for that is not over.
fn describe_wait(RunSummary { set_aside, status, .. }: &RunSummary) -> String {
    if let Some(aside) = set_aside {
        return format!("It is set aside: {}", aside.why);
    }
    match status {
        Status::Queued => "No program has begun it.".to_owned(),
        Status::Running { task } => format!("It is at `{task}`."),
        Status::Asking { task, question, .. } => {
            format!("A person is asked at `{task}`: {question}")
        }
        Status::Sleeping { task, .. } => format!("It waits for a timer at `{task}`."),
        _ => String::new(),
    }
}

fn goal_or_state(goal: &str, state: &RawValue) -> String {
    if goal.trim().is_empty() { state.get().to_owned() } else { goal.to_owned() }
}
