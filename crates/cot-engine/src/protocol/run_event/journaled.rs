//! Run events in journals. Their JSON must not change, since journals outlive programs.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    process::tables::Definition,
    protocol::run_event::{
        any_output::AnyOutput,
        event::{IndexEvent, RunEvent, TaskName},
        journaled_attempt::JournaledAttempt,
    },
};

impl IndexEvent {
    /// Returns the event as journals store it: without types, and without the replies that other entries have. `None`
    /// for an event that other entries of a journal imply, or that journals do not need.
    #[doc(hidden)]
    pub fn to_journaled(&self, definition: &'static Definition) -> Option<RunEvent> {
        if !self.is_journaled() {
            return None;
        }
        let name = |task| TaskName::Borrowed(definition.task(task).about.name);
        let mut event = self.clone().map(name, |output| AnyOutput::from_json(output.json.into()));
        event.forget_values();
        Some(event)
    }
}

impl RunEvent {
    /// Reads an event from a journal.
    ///
    /// # Errors
    ///
    /// If the JSON is not that of an event.
    #[doc(hidden)]
    pub fn from_journal(json: &RawValue) -> serde_json::Result<Self> {
        let mut event: Self = serde_json::from_str(json.get())?;
        // The text of an output is kept as it is, which a type with tags can't do.
        if let Some(output) = event.output_mut() {
            *output = output_of(json)?;
        }
        Ok(event)
    }

    /// Drops what journals do not store of an event: the values of outputs, and the replies of attempts.
    fn forget_values(&mut self) {
        if let Self::AttemptFailed { attempt, .. } = self.innermost_mut() {
            *attempt = JournaledAttempt::new(attempt).into_attempt();
        }
        if let Some(output) = self.output_mut() {
            output.forget_value();
        }
    }

    /// Returns the output of the event, or of the event of a sub-process.
    #[doc(hidden)]
    pub fn output_mut(&mut self) -> Option<&mut AnyOutput> {
        match self.innermost_mut() {
            Self::Committed { output, .. } | Self::ItemDone { output, .. } => Some(output),
            _ => None,
        }
    }

    /// Returns the event itself, or that of a sub-process.
    #[doc(hidden)]
    #[must_use]
    pub fn innermost(&self) -> &Self {
        match self {
            Self::Nested { event, .. } => event.innermost(),
            event => event,
        }
    }

    fn innermost_mut(&mut self) -> &mut Self {
        match self {
            Self::Nested { event, .. } => event.innermost_mut(),
            event => event,
        }
    }
}

fn output_of(json: &RawValue) -> serde_json::Result<AnyOutput> {
    #[derive(Deserialize)]
    struct Stored<'a> {
        #[serde(default)]
        output: Option<AnyOutput>,
        #[serde(borrow, default)]
        event: Option<&'a RawValue>,
    }
    match serde_json::from_str(json.get())? {
        Stored { event: Some(inner), .. } => output_of(inner),
        Stored { output, .. } => Ok(output.unwrap_or_default()),
    }
}

impl<T, O> RunEvent<T, O> {
    /// Returns whether journals contain the event.
    fn is_journaled(&self) -> bool {
        match self {
            Self::Nested { event, .. } => event.is_journaled(),
            Self::Prompt { .. }
            | Self::StepsRunLow { .. }
            | Self::RateLimited { .. }
            | Self::Delta { .. }
            | Self::Thought { .. }
            | Self::Partial { .. }
            | Self::ItemsStarted { .. }
            | Self::Asked { .. }
            | Self::Waiting { .. }
            | Self::StateUpdated { .. }
            | Self::Paused
            | Self::Detached
            | Self::Finished { .. } => false,
            _ => true,
        }
    }

    /// Returns whether the event is a commit to the state of the run or of a sub-process. Commits of the
    /// sub-processes of items do not count: a for-each task is one step.
    #[doc(hidden)]
    pub fn is_commit(&self) -> bool {
        match self {
            Self::Committed { .. } => true,
            Self::Nested { item: None, event, .. } => event.is_commit(),
            _ => false,
        }
    }
}
