//! A run that a test drives.

use std::{sync::Arc, time::Duration};

use cot_engine::{
    CallId, Halt, History, Machine, MachineOptions, MachinePoll, PartialPrompt, PromptError,
    ResumeOptions, RunEvent, Snapshot, SnapshotError, UpdateError,
    private::{Definition, Ending},
};
use cot_model::{ModelReply, ModelRequest, Usage};
use serde_json::{Value, json};

use super::{
    call::Call,
    driver::{Driven, Driver, View},
    process::{Plain, Task},
};

/// The duration of every call.
pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// The choice of a transition.
pub(crate) fn go(task: &str) -> Value {
    json!({ "intent": "try it", "goTo": task, "stepAfter": "see" })
}

/// An output that fits the schema `NOTE`.
pub(crate) fn note(text: &str, rank: u32) -> Value {
    json!({ "text": text, "rank": rank })
}

/// A run that a test drives. Tasks appear under their names.
pub(crate) struct Run {
    pub(super) driver: Box<dyn Driver>,
}

/// Starting and resuming.
impl Run {
    /// Starts a run of a process.
    pub(crate) fn start<P: Plain<Context = ()>>(state: Value) -> Self {
        Self::with::<P>(|_| {}, state)
    }

    /// Starts a run with options.
    pub(crate) fn with<P: Plain<Context = ()>>(
        change: impl FnOnce(&mut MachineOptions),
        state: Value,
    ) -> Self {
        let mut options = MachineOptions::default();
        change(&mut options);
        let mut machine = Machine::<P>::new().options(options);
        machine.start(state).unwrap();
        Self::driving(machine, Arc::new(()))
    }

    /// Drives a machine that was started, for tests that prepare it themselves.
    pub(crate) fn driving<P: Plain>(machine: Machine<P>, context: Arc<P::Context>) -> Self {
        let mut driver = Driven { machine, context };
        driver.record();
        Self { driver: Box::new(driver) }
    }

    /// Starts a run that is about to start this task.
    pub(crate) fn at<P: Plain<Context = ()>>(task: &str, state: Value) -> Self {
        let mut snapshot = Self::start::<P>(state).snapshot_json();
        snapshot["position"] =
            json!({ "at": { "arrival": { "task": task }, "has_waited": false } });
        let json = snapshot.to_string();
        let snapshot = Snapshot::from_json(&json).unwrap();
        let machine = Machine::<P>::resume(snapshot, ResumeOptions::new()).unwrap();
        Self::driving(machine, Arc::new(()))
    }

    /// Gives these replies, one after the other.
    pub(crate) fn after<R: Into<ModelReply>>(
        mut self,
        replies: impl IntoIterator<Item = R>,
    ) -> Self {
        for reply in replies {
            self.reply(reply);
        }
        self
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.driver.snapshot().unwrap()
    }

    pub(crate) fn snapshot_json(&self) -> Value {
        serde_json::from_str(&self.snapshot().to_json().unwrap()).unwrap()
    }

    /// The run as it continues from its snapshot, which has been text.
    pub(crate) fn resumed(&self) -> Self {
        let json = self.snapshot().to_json().unwrap();
        self.resume(Snapshot::from_json(&json).unwrap(), &ResumeOptions::new()).unwrap()
    }

    /// Resumes another run of the process.
    pub(crate) fn resume(
        &self,
        snapshot: Snapshot,
        options: &ResumeOptions,
    ) -> Result<Self, SnapshotError> {
        let mut driver = self.driver.resume(snapshot, options)?;
        driver.record();
        Ok(Self { driver })
    }

    /// Resumes from the snapshot of this run after a change of its JSON.
    pub(crate) fn changed(
        &self,
        change: impl FnOnce(&mut Value),
        options: &ResumeOptions,
    ) -> Result<Self, SnapshotError> {
        let mut json = self.snapshot_json();
        change(&mut json);
        self.resume(Snapshot::from_json(&json.to_string())?, options)
    }

    /// Proves that a snapshot at this point continues as the run does, and gives the same snapshot.
    pub(crate) fn survives(&mut self) {
        let before = self.snapshot().to_json().unwrap();
        let mut resumed = self.resumed();
        assert_eq!(resumed.snapshot().to_json().unwrap(), before);
        assert_eq!(resumed.seen(), self.seen());
        assert_eq!(self.resumed().seen(), self.seen());
    }

    /// Everything that can be seen from outside.
    pub(crate) fn seen(&mut self) -> String {
        let calls = self.directives();
        let requests =
            calls.iter().filter_map(|call| call.as_model_call()).map(|call| &call.request);
        let requests: Vec<_> =
            requests.map(|request| serde_json::to_string(request).unwrap()).collect();
        let history = serde_json::to_string(self.history()).unwrap();
        let (view, state) = (self.view(), self.state());
        format!(
            "{calls:?}\n{requests:#?}\n{view:?}\n{history}\n{state}\n{:?}",
            self.driver.ending()
        )
    }
}

/// What the run waits for.
impl Run {
    /// All directives that should be in flight.
    pub(crate) fn directives(&mut self) -> Vec<Call> {
        self.directives_after(None)
    }

    pub(crate) fn directives_after(&mut self, newest: Option<CallId>) -> Vec<Call> {
        let tasks = self.definition().tasks;
        let directives = self.driver.poll_after(newest).directives().iter();
        let named = directives.map(|directive| Call {
            task: tasks[directive.task.0].about.name,
            directive: directive.clone(),
        });
        named.collect()
    }

    /// The one directive that the run waits for.
    pub(crate) fn only(&mut self) -> Call {
        match <[Call; 1]>::try_from(self.directives()) {
            Ok([call]) => call,
            Err(calls) => panic!("expected one directive: {calls:?} {:?}", self.driver.ending()),
        }
    }

    /// The directive for an item, a branch or a tool call: the one whose key begins like this.
    pub(crate) fn call(&mut self, key: &str) -> Call {
        let calls = self.directives();
        let found = calls.iter().find(|call| call.key.to_string().starts_with(key));
        let keys = || calls.iter().map(|call| call.key.to_string()).collect::<Vec<_>>();
        found.unwrap_or_else(|| panic!("nothing has the key {key}: {:?}", keys())).clone()
    }

    /// The keys of all directives.
    pub(crate) fn keys(&mut self) -> Vec<String> {
        self.directives().iter().map(|call| call.key.to_string()).collect()
    }

    /// The task that the run waits at.
    pub(crate) fn task(&mut self) -> &'static str {
        self.only().task
    }

    /// The prompt that the run wants to be answered.
    pub(crate) fn prompt(&mut self) -> String {
        self.only().prompt().to_owned()
    }

    pub(crate) fn ending(&mut self) -> Ending<&'static str> {
        match self.driver.poll_after(None) {
            MachinePoll::Finished(()) => {}
            other => panic!("expected the end: {other:?}"),
        }
        let ending = self.driver.ending().unwrap();
        self.named(ending)
    }

    /// How and where the run halted.
    pub(crate) fn halt(&mut self) -> Halt<&'static str> {
        match self.ending() {
            Ending::Halted(halt) => halt,
            other => panic!("expected a halt: {other:?}"),
        }
    }
}

/// What is known of the run.
impl Run {
    pub(crate) fn definition(&self) -> &'static Definition {
        self.driver.definition()
    }

    pub(crate) fn state(&self) -> &Value {
        self.driver.state()
    }

    pub(crate) fn history(&self) -> &History {
        self.driver.history()
    }

    pub(crate) fn history_json(&self) -> Value {
        serde_json::to_value(self.history()).unwrap()
    }

    pub(crate) fn usage(&self) -> Usage {
        self.view().usage
    }

    pub(crate) fn steps(&self) -> u64 {
        self.view().steps
    }

    /// The task at which the run is; within branches, the one that runs them.
    pub(crate) fn position(&self) -> &'static str {
        self.name(self.view().task.unwrap())
    }

    /// The tasks to which the run returns, outermost first.
    pub(crate) fn callers(&self) -> Vec<&'static str> {
        self.view().callers.into_iter().map(|task| self.name(task)).collect()
    }

    /// The last failure that took a route.
    pub(crate) fn last_failure(&self) -> Option<Halt<&'static str>> {
        match self.named(self.view().last_failure?) {
            Ending::Halted(halt) => Some(halt),
            _ => None,
        }
    }

    /// The events since the last call, with the names of tasks.
    pub(crate) fn drain_events(&mut self) -> Vec<RunEvent<&'static str, Value>> {
        let tasks = self.definition().tasks;
        let events = self.driver.drain_events().into_iter();
        events.map(|event| event.map(|task| tasks[task.0].about.name, |output| output)).collect()
    }

    /// The same as lines.
    pub(crate) fn events(&mut self) -> Vec<String> {
        self.drain_events().iter().map(ToString::to_string).collect()
    }

    pub(super) fn view(&self) -> View {
        self.driver.view()
    }

    fn name(&self, task: Task) -> &'static str {
        self.definition().tasks[task.0].about.name
    }

    /// An ending with the names of tasks.
    fn named(&self, ending: Ending<Task>) -> Ending<&'static str> {
        let (usage, elapsed) = (Usage::default(), Duration::ZERO);
        let event: RunEvent<Task, ()> = RunEvent::Finished { ending, usage, elapsed };
        match event.map(|task| self.name(task), |()| ()) {
            RunEvent::Finished { ending, .. } => ending,
            other => panic!("an event became another one: {other:?}"),
        }
    }
}

/// What few tests need.
impl Run {
    pub(crate) fn goal(&self) -> String {
        self.view().goal
    }

    pub(crate) fn pending_calls(&self) -> usize {
        self.view().pending_calls
    }

    pub(crate) fn is_pending(&self, id: CallId) -> bool {
        self.driver.is_pending(id)
    }

    pub(crate) fn is_over(&mut self) -> bool {
        matches!(self.driver.poll_after(None), MachinePoll::Finished(()))
    }

    pub(crate) fn is_at_boundary(&self) -> bool {
        self.view().is_at_boundary
    }

    pub(crate) fn shown_prompt(&self) -> Result<ModelRequest, PromptError> {
        self.driver.prompt()
    }

    pub(crate) fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, PromptError> {
        self.driver.partial_prompt(partial)
    }

    pub(crate) fn update_state(
        &mut self,
        mut change: impl FnMut(&mut Value),
    ) -> Result<(), UpdateError> {
        self.driver.update_state(&mut change)
    }
}
