//! Runs of processes, written as traces.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_engine::{
    Attempt, Process, ProcessEvent, Route, RunEvent, TaskId, internal::TaskDefinition,
};
use cot_runtime::EventContext;
use cot_store::RunHistory;
use cot_task_format::Trace;
use serde_json::{Value as Json, json};

use super::{record::Record, stored, wording::said};

/// Writes what happens in a run as a [`Trace`], for people and for whatever reads the format.
///
/// It listens to the [events](RunEvent) of a run, as an observer or event by event. The trace is valid at any
/// time; of a run that goes on, its response says so. When another run begins, it is the next turn; runs
/// that go on at the same time need a recorder each. A run that is resumed, or that a store has, is recorded
/// from its beginning by [`from_history`](Self::from_history).
///
/// | in the run | in the trace |
/// |---|---|
/// | the process, and its tasks that run functions, ask people, or run processes | the system message, and tools |
/// | the goal | the user's message |
/// | a task begins | a plan: a todo item, and why the run came there |
/// | a model's output or transition | an act that thinks it, and satisfies the item |
/// | an attempt that is not accepted | an act that thinks what is wrong |
/// | a function, a person's answer, a process within | an act with a call, and its result or its error |
/// | the outcome | the response, which refers to the last output |
///
/// A task that is left without an output, as by a route of `on`, leaves its item open. Of a process within,
/// only the result is told.
///
/// ```
/// use cot_core::{model::ScriptedModel, prelude::*, task_format::{self, RunRecorder}};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// pub struct Title {
///     text: String,
/// }
///
/// cot_process! {
///     /// Finds a title for a story.
///     pub process Naming {
///         state: { title: Title },
///         task name -> Title { prompt: "Name the story.", update: { title = output }, next: done }
///         task done { end }
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let recorder = RunRecorder::<Naming>::new("A title for a story about a whale");
/// let model = ScriptedModel::new([json!({ "text": "Ahab" })]);
/// let runner = Naming::runner().model(model).observe(recorder.observer());
/// runner.run(NamingState::new()).await?;
///
/// let text = recorder.trace().to_string();
/// assert!(task_format::check(&text).is_valid());
/// assert!(text.contains("user「A title for a story about a whale」 🏷 usr1"));
/// assert!(text.contains("act {\n    think ↦ {\n        text ↦ Ahab\n    } 🏷 name-1 ⊨ 1\n}"), "{text}");
/// assert!(text.contains("response「The run came to its end at `done`."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub struct RunRecorder<P: Process> {
    record: Arc<Mutex<Record>>,
    process: PhantomData<fn() -> P>,
}

impl<P: Process> RunRecorder<P> {
    /// A recorder of a run whose goal this is.
    #[must_use]
    pub fn new(goal: impl Into<String>) -> Self {
        let record = Record::new(P::DEFINITION, goal.into());
        Self { record: Arc::new(Mutex::new(record)), process: PhantomData }
    }

    /// A recorder of a stored run whose goal this is, with what has happened in it so far. As an observer of
    /// the [resumed](cot_runtime::Runner::resume) run it goes on from there.
    ///
    /// What the run does not keep is not in it: the questions of people who have answered, and the numbers of
    /// the arms of `next`. A fork begins where it was made.
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
    /// #         task name -> Title { prompt: "Name the story.", update: { title = output }, next: done }
    /// #         task done { end }
    /// #     }
    /// # }
    /// use cot_core::{store::{MemoryStore, RunHistory}, task_format::RunRecorder};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let store = MemoryStore::default();
    /// let model = ScriptedModel::new([r#"{ "text": "Ahab" }"#]);
    /// Naming::runner().model(model).store(store.clone()).run_id("whale").run(NamingState::new()).await?;
    ///
    /// let history = RunHistory::load(&store, &"whale".parse()?).await?.unwrap();
    /// let recorder = RunRecorder::<Naming>::from_history("A title", &history);
    /// let text = recorder.trace().to_string();
    /// assert!(text.contains("text ↦ Ahab") && text.contains("The run came to its end"), "{text}");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn from_history(goal: impl Into<String>, history: &RunHistory) -> Self {
        let record = stored::record(P::DEFINITION, goal.into(), history);
        Self { record: Arc::new(Mutex::new(record)), process: PhantomData }
    }

    /// What [`Runner::observe`](cot_runtime::Runner::observe) takes.
    pub fn observer(&self) -> impl Fn(&ProcessEvent<P>, &EventContext) + Send + Sync + 'static {
        let recorder = self.clone();
        move |event, _| recorder.record(event)
    }

    /// Writes what happened next; for a run whose events come as a stream.
    pub fn record(&self, event: &ProcessEvent<P>) {
        note::<P>(&mut self.lock(), event);
    }

    /// The trace so far.
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.lock().trace()
    }

    // Who panicked with the lock left at most an event half written.
    fn lock(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn note<P: Process>(record: &mut Record, event: &ProcessEvent<P>) {
    match event {
        RunEvent::Waiting { duration, .. } => record.wait(*duration),
        RunEvent::TaskStarted { task, step } => record.start(definition::<P>(*task), *step),
        RunEvent::Asked { task, question } => {
            record.ask(definition::<P>(*task), &question.text);
        }
        RunEvent::AttemptFailed { task, attempt, will_retry } => {
            let Attempt { number, item, failure, issues, reply, .. } = attempt;
            let what = said(*number, *item, *failure, issues, reply);
            record.fail(definition::<P>(*task), &what, *will_retry);
        }
        RunEvent::Committed { task, output, .. } => {
            let output = serde_json::to_value(output);
            let output = output.unwrap_or_else(|error| Json::String(error.to_string()));
            record.commit(definition::<P>(*task), &output);
        }
        RunEvent::Transitioned { task, go_to, intent, step_after, .. } => {
            let choice = json!({ "goTo": go_to.name(), "intent": intent, "stepAfter": step_after });
            record.choose(definition::<P>(*task), &choice);
        }
        RunEvent::TaskFinished { task, next, route } => {
            let way = next.map(|next| way(task.name(), *route, next.name()));
            record.leave(definition::<P>(*task), way, is_done(*route));
        }
        RunEvent::Finished { ending, usage, .. } => record.end(ending.why().as_deref(), *usage),
        _ => {}
    }
}

/// The plain data of a task.
fn definition<P: Process>(task: P::Task) -> &'static TaskDefinition {
    let mut tasks = P::DEFINITION.tasks.iter();
    // Every task has its own; were one missing, the first would be as wrong as any.
    tasks.find(|other| other.about.name == task.name()).unwrap_or(&P::DEFINITION.tasks[0])
}

/// How a run goes from a task to the next.
fn way(task: &str, route: Route, next: &str) -> String {
    let leads = match route {
        Route::Transition => format!("chose `{next}`"),
        Route::Choice => format!("chose `{next}` by its function"),
        Route::Next(arm) => format!("leads to `{next}`, by arm {arm} of its `next`"),
        Route::Sequence => format!("is followed by `{next}` in its sequence"),
        Route::DefaultReturn => format!("returns to `{next}`"),
        Route::Return => format!("returns to `{next}`, which called it"),
        Route::On(name) => format!("leads to `{next}` when it is {name}"),
        Route::End => format!("ends, and `{next}` follows"),
        _ => format!("leads to `{next}`"),
    };
    format!("`{task}` {leads}")
}

/// Whether a task that is left this way has done its work.
const fn is_done(route: Route) -> bool {
    !matches!(route, Route::On(_) | Route::End)
}

impl<P: Process> Clone for RunRecorder<P> {
    /// The same recorder, from another place.
    fn clone(&self) -> Self {
        Self { record: Arc::clone(&self.record), process: PhantomData }
    }
}

impl<P: Process> fmt::Debug for RunRecorder<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunRecorder")
            .field("process", &P::DEFINITION.about.name)
            .finish_non_exhaustive()
    }
}
