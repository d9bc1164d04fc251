//! A started run that its caller polls, observes and controls.

use std::{
    fmt,
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::{
    Directive, HistoryEntry, Machine, Process, ProcessEvent, RunEvent, Snapshot, SnapshotError,
    internal::typed_directive,
};
use cot_store::RunId;
use futures_core::Stream;
use serde::Serialize;

use crate::{
    driver::{driven_run::TypedRun, driver::Driver},
    runner::{
        finish::RunFuture,
        handle::{Control, RunHandle},
        state_handle::StateHandle,
    },
};

/// A started run. It makes progress only while it is polled: as a stream of its events, by
/// [`next`](Self::next), or by awaiting [`finish`](Self::finish).
///
/// Dropping it cancels the calls in flight. Dropping the future of `next` loses nothing: the following call
/// continues with the same calls in flight.
///
/// ```
/// # use cot_core::{LanguageModel, Process, RunError, Runner};
/// # #[allow(dead_code, reason = "no process is declared here")]
/// async fn watch<P: Process<Context = ()>>(
///     model: impl LanguageModel + 'static,
///     state: P::State,
/// ) -> Result<P::Outcome, RunError> {
///     let mut active = Runner::<P>::new().model(model).start(state)?;
///     while let Some(event) = active.next().await {
///         println!("{event:?}");
///     }
///     Ok(active.finish().await?.outcome)
/// }
/// ```
#[must_use = "a run does nothing unless it is polled"]
pub struct ActiveRun<P: Process> {
    driver: Driver<TypedRun<P>>,
    control: Arc<Control>,
}

impl<P: Process> ActiveRun<P> {
    pub(crate) fn new(mut driver: Driver<TypedRun<P>>) -> Self {
        let control = Arc::default();
        driver.erased().set_control(&control);
        driver.erased().set_stream(true);
        Self { driver, control }
    }

    /// Waits for the next event; `None` once the run has ended. [`finish`](Self::finish) then returns the
    /// report.
    pub async fn next(&mut self) -> Option<ProcessEvent<P>> {
        poll_fn(|cx| self.driver.poll_event(cx)).await
    }

    /// Runs to the end and returns the report; a run that has failed is an error. From here on, events go to observers only. A run that is
    /// paused or asks a person waits for a handle: clone one before.
    pub fn finish(mut self) -> RunFuture<P> {
        self.driver.erased().set_stream(false);
        RunFuture::new(Ok(self.driver))
    }

    /// Runs until a task has finished, and returns it; `None` once the run has ended. The events go to
    /// observers only.
    pub async fn step(&mut self) -> Option<P::Task> {
        while let Some(event) = self.next().await {
            if let RunEvent::TaskFinished { task, .. } = event {
                return Some(task);
            }
        }
        None
    }

    /// Returns the directive of the human task that the run waits at, if it waits at one: its
    /// [question](Directive::as_question), and the key that answers it. A stored run that is being read or written
    /// does not wait yet.
    pub fn question(&mut self) -> Option<Directive<P::Task>> {
        let persistence = &self.driver.persistence;
        if persistence.is_opening() || persistence.is_write_pending() {
            return None;
        }
        self.driver.erased().run.machine_mut().question().map(typed_directive::<P>)
    }

    /// Returns the open question, once everything before it is durable. It is not the one that an answer in the
    /// store waits for.
    #[doc(hidden)]
    pub fn open_question(&self) -> Option<Directive<P::Task>> {
        let question = self.driver.question.as_ref().map(|open| &open.directive)?;
        let is_open = self.driver.persistence.has_written_up_to(&question.key);
        is_open.then(|| typed_directive::<P>(question.clone()))
    }

    /// Returns a handle that pauses, resumes, answers or cancels the run.
    #[must_use]
    pub fn handle(&self) -> RunHandle {
        RunHandle::new(&self.control)
    }

    /// Returns a handle that changes the state of the run between two tasks.
    ///
    /// ```
    /// # use cot_core::{ActiveRun, Process};
    /// # #[allow(dead_code, reason = "no process is declared here")]
    /// async fn reset<P: Process<State: Default>>(mut run: ActiveRun<P>) {
    ///     let change = run.state_handle().update(|state| *state = Default::default());
    ///     while run.next().await.is_some() {}
    ///     change.await.expect("the run came to a task boundary");
    /// }
    /// ```
    #[must_use]
    pub fn state_handle(&self) -> StateHandle<P> {
        StateHandle::new(&self.control)
    }

    /// Returns the machine, with the state, history and usage so far.
    #[must_use]
    pub const fn machine(&self) -> &Machine<P> {
        &self.driver.run.machine
    }

    /// Returns whether the run is still looked up in its store. Until then, the [`machine`](Self::machine) is not
    /// yet that of a run that has begun earlier.
    #[must_use]
    pub const fn is_opening(&self) -> bool {
        self.driver.persistence.is_opening()
    }

    /// Stops the run and returns its state.
    #[must_use]
    pub fn into_state(self) -> Option<P::State> {
        self.driver.into_machine().into_state()
    }

    /// Stops the run and returns its machine, which [`Runner::start_machine`](crate::Runner::start_machine)
    /// continues. Calls in flight are repeated then.
    #[must_use]
    pub fn into_machine(self) -> Machine<P> {
        self.driver.into_machine()
    }

    /// Returns the name of the run: its name in the store, or a generated one if it is not stored. Observers
    /// get it [with each event](crate::runner::observer::EventContext).
    #[must_use]
    pub const fn run_id(&self) -> &RunId {
        self.driver.run.emitter.run_id()
    }

    /// Adds an entry to the history of the run, which later prompts contain. A stored run persists it with
    /// the next step, which is written soon.
    ///
    /// # Errors
    ///
    /// If the entry can't be written as JSON.
    pub fn add_history<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        self.driver.erased().add_entry(HistoryEntry::from_serialize(entry)?);
        Ok(())
    }

    /// Returns a snapshot from which the run can be continued elsewhere. Calls in flight are repeated there.
    ///
    /// # Errors
    ///
    /// If the state can't be written as JSON.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        self.machine().snapshot()
    }
}

/// No field is pinned: the futures that it polls are boxed.
impl<P: Process> Unpin for ActiveRun<P> {}

impl<P: Process> Stream for ActiveRun<P> {
    type Item = ProcessEvent<P>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ProcessEvent<P>>> {
        self.driver.poll_event(cx)
    }
}

impl<P: Process> IntoFuture for ActiveRun<P> {
    type Output = <RunFuture<P> as Future>::Output;
    type IntoFuture = RunFuture<P>;

    fn into_future(self) -> RunFuture<P> {
        self.finish()
    }
}

impl<P: Process> fmt::Debug for ActiveRun<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActiveRun").field("handle", &self.handle()).finish_non_exhaustive()
    }
}
