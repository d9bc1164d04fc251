//! Records runs of processes as traces.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_engine::{Process, ProcessEvent};
use cot_runtime::EventContext;
use cot_task_format::Trace;

use super::{events::write_event, outline::Outline, trace_writer::TraceWriter};

/// Records the events of a run as a [`Trace`], for people and for tools that read the TASK format.
///
/// The recorder receives the [events](cot_engine::RunEvent) of a run, as an observer or one by one. The trace
/// is valid at any time; while the run is in progress, its response says so. Each further run becomes the next
/// turn. Concurrent runs need a recorder each. To record a resumed or stored run from its start, use
/// [`load`](Self::load).
///
/// | in the run | in the trace |
/// |---|---|
/// | the process | the system message |
/// | tools of models; tasks that run functions, ask humans, or run sub-processes or branches | tools |
/// | the goal | the user's message |
/// | a task starts, also one of a sub-process or a branch | a plan: a todo item, and the route to the task |
/// | a model's output or transition | an act with a thought, which satisfies the item |
/// | a rejected attempt | an act with the reply and a thought about the issues |
/// | a model calls a tool | an act with a call, and its result or its error |
/// | a function, a human's answer, a sub-process | an act with a call, and its result or its error |
/// | the output of an item, the end of a branch | an act with a thought, or a call and its result |
/// | the outcome | the response, which refers to the last output |
///
/// A task that ends without an output, such as by a route of `on`, leaves its item open. Texts and values are
/// recorded whole. Images and documents are recorded as references; prompts, times and usages are left out.
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
    writer: Arc<Mutex<TraceWriter>>,
    process: PhantomData<fn() -> P>,
}

impl<P: Process> RunRecorder<P> {
    /// Creates a recorder for a run with this goal.
    #[must_use]
    pub fn new(goal: impl Into<String>) -> Self {
        let outline = Outline::from_definition(P::DEFINITION);
        Self::from_writer(TraceWriter::new(outline, goal.into()))
    }

    pub(super) fn from_writer(writer: TraceWriter) -> Self {
        Self { writer: Arc::new(Mutex::new(writer)), process: PhantomData }
    }

    /// Returns an observer for [`Runner::observe`](cot_runtime::Runner::observe).
    pub fn observer(&self) -> impl Fn(&ProcessEvent<P>, &EventContext) + Send + Sync + 'static {
        let recorder = self.clone();
        move |event, _| recorder.record(event)
    }

    /// Records one event. Use it for runs whose events are read from a stream.
    pub fn record(&self, event: &ProcessEvent<P>) {
        write_event::<P>(&mut self.lock(), event);
    }

    /// Returns the current trace.
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.lock().trace()
    }

    // A panic while the lock is held leaves at most one event half written.
    fn lock(&self) -> MutexGuard<'_, TraceWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Process> Clone for RunRecorder<P> {
    /// Clones share the recorded trace.
    fn clone(&self) -> Self {
        Self { writer: Arc::clone(&self.writer), process: PhantomData }
    }
}

impl<P: Process> fmt::Debug for RunRecorder<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunRecorder")
            .field("process", &P::DEFINITION.about.name)
            .finish_non_exhaustive()
    }
}
