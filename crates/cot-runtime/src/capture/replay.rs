//! Answers calls from a capture.

use std::{
    collections::BTreeSet,
    fmt,
    fs::File,
    io::{BufRead, BufReader},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use cot_engine::{CallId, CallKey, Event};
use cot_model::{ModelError, ModelErrorKind, ModelReply, ModelRequest, ToolCall};
use serde_json::Value;

use super::{
    compare::{AcceptedChanges, compare, compare_tool},
    format::{Call, ToolOutcome},
    lines::{MAX_LINE, Recording},
    scrub::Scrubber,
};
use crate::capture::{error::ReplayError, lines};

/// The maximum number of calls in an error message.
const MAX_NAMED: usize = 5;

/// A replay of a capture, for [`Runner::replay`](crate::runner::builder::Runner::replay).
///
/// Each call is answered with the reply or error that was captured for its [key](CallKey), provided that
/// prompt, system message, turns and schema are equal. Engine and settings may differ. A call that differs
/// or was not captured fails with [`ModelErrorKind::Diverged`]. One replay serves any
/// number of runs; clones share the list of used calls.
///
/// ```
/// use cot_core::replay::Replay;
///
/// let capture = r#"{"cot_capture":1,"process":"Greeter"}
/// {"key":"greet#1@1","prompt":[{"stability":"fixed","text":"Say hello."}],"reply":{"text":"\"Hello!\"","finish":"stop","usage":{"calls":1,"input_tokens":4,"output_tokens":3}}}
/// "#;
/// let replay = Replay::read(capture.as_bytes())?;
/// assert_eq!(replay.process(), "Greeter");
/// assert_eq!(replay.unused().len(), 1);
/// # Ok::<(), cot_core::replay::ReplayError>(())
/// ```
#[derive(Clone)]
pub struct Replay {
    recording: Arc<Recording>,
    used: Arc<Mutex<BTreeSet<CallKey>>>,
    failure: Arc<OnceLock<String>>,
    scrub: Arc<Scrubber>,
    accepted: AcceptedChanges,
}

impl Replay {
    /// Reads a capture.
    ///
    /// # Errors
    ///
    /// If the reader fails, or its text is not a complete capture of one run.
    pub fn read(reader: impl BufRead) -> Result<Self, ReplayError> {
        lines::read(reader, MAX_LINE, false).map(Self::from_recording)
    }

    /// Reads a capture whose last line may be truncated, as after a crash of its run. The truncated line is
    /// ignored.
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read), except [`ReplayError::HalfLine`].
    pub fn read_unfinished(reader: impl BufRead) -> Result<Self, ReplayError> {
        lines::read(reader, MAX_LINE, true).map(Self::from_recording)
    }

    /// Reads a capture from a file.
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read).
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ReplayError> {
        Self::read(BufReader::new(File::open(path)?))
    }

    fn from_recording(recording: Recording) -> Self {
        Self {
            recording: Arc::new(recording),
            used: Arc::default(),
            failure: Arc::default(),
            scrub: Arc::default(),
            accepted: AcceptedChanges::default(),
        }
    }

    /// Accepts changes of the fixed text of prompts, such as a reworded primer. The values in a prompt must
    /// still be equal, and so must the schema.
    #[must_use]
    pub const fn accept_changed_fixed_text(mut self) -> Self {
        self.accepted.fixed_text = true;
        self
    }

    /// Accepts changes of the schemas of replies, such as a new doc comment. The text of the prompt that
    /// explains the schema is fixed text, which
    /// [`accept_changed_fixed_text`](Self::accept_changed_fixed_text) accepts.
    #[must_use]
    pub const fn accept_changed_schemas(mut self) -> Self {
        self.accepted.schemas = true;
        self
    }

    /// Scrubs a secret before the comparison, as [`Capture::scrub`](crate::Capture::scrub) does.
    #[must_use]
    pub fn scrub(mut self, secret: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.scrub).add_secret(&secret.into());
        self
    }

    /// Applies a function to each text before the comparison, as
    /// [`Capture::scrub_with`](crate::Capture::scrub_with) does.
    #[must_use]
    pub fn scrub_with(mut self, function: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.scrub).add_function(function);
        self
    }

    /// Sets whether texts that look like keys are scrubbed before the comparison and in errors. On by
    /// default.
    #[must_use]
    pub fn scrub_keys(mut self, on: bool) -> Self {
        Arc::make_mut(&mut self.scrub).set_find_keys(on);
        self
    }

    /// Makes the replay fail: the next call and all later ones return an error with this reason. Only the
    /// first reason counts.
    pub fn fail(&self, why: impl Into<String>) {
        // Only the first reason counts.
        let _ = self.failure.set(why.into());
    }

    /// Returns the name of the captured process.
    #[must_use]
    pub fn process(&self) -> &str {
        &self.recording.process
    }

    /// Returns the captured calls that were not requested, in the order of the capture.
    #[must_use]
    pub fn unused(&self) -> Vec<CallKey> {
        let used = self.used();
        let keys = self.recording.calls.iter().map(|call| &call.key);
        keys.filter(|key| !used.contains(*key)).cloned().collect()
    }

    /// Checks that the capture belongs to this process.
    pub(crate) fn check_process(&self, process: &'static str) -> Result<(), ReplayError> {
        if self.process() == process {
            return Ok(());
        }
        let (captured, expected) = (self.process().to_owned(), process.to_owned());
        Err(ReplayError::OtherProcess { captured, expected })
    }

    /// Returns the captured reply or error of a model call.
    pub(crate) fn model_call(
        &self,
        key: &CallKey,
        request: &ModelRequest,
    ) -> Result<ModelReply, ModelError> {
        self.check_not_failed(key)?;
        let call = self.find(key)?;
        if call.answer.is_some() || call.tool.is_some() {
            return Err(other_kind(call, "asks a model"));
        }
        let compare = || compare(call, request, &self.scrub, self.accepted);
        let compared = catch_unwind(AssertUnwindSafe(compare));
        let panicked = |_| Err("a scrubbing function panicked".to_owned());
        compared.unwrap_or_else(panicked).map_err(|difference| diverged(key, &difference))?;
        self.used().insert(key.clone());
        match (&call.reply, &call.error) {
            (Some(reply), _) => Ok(reply.clone()),
            (None, Some(error)) => Err(error.clone()),
            (None, None) => Err(diverged(key, "it has no answer")),
        }
    }

    /// Returns the captured answer of a person; `None` if the capture ends with this question, so that it
    /// must be answered now.
    pub(crate) fn human_answer(&self, key: &CallKey) -> Option<Result<Value, ModelError>> {
        if let Err(error) = self.check_not_failed(key) {
            return Some(Err(error));
        }
        let is_over = self.used().len() == self.recording.calls.len();
        match self.find(key) {
            Err(_) if is_over => None,
            Err(error) => Some(Err(error)),
            Ok(call) => Some(self.parse_answer(call)),
        }
    }

    /// Returns the captured event of a tool call, or the cancellation of a run that calls another tool or passes
    /// other arguments.
    pub(crate) fn tool_call(&self, id: CallId, key: &CallKey, call: &ToolCall) -> Event {
        let answered = self.check_not_failed(key).and_then(|()| self.tool_outcome(key, call));
        match answered {
            Ok((ToolOutcome::Result(result), elapsed)) => {
                Event::Ran { id, result: Ok(result), elapsed }
            }
            Ok((ToolOutcome::Error(error), elapsed)) => {
                Event::Ran { id, result: Err(error), elapsed }
            }
            Ok((ToolOutcome::TimedOut, elapsed)) => Event::TimedOut { id, elapsed },
            Err(error) => Event::Cancelled { reason: error.to_string(), calls: 0 },
        }
    }

    fn tool_outcome(
        &self,
        key: &CallKey,
        call: &ToolCall,
    ) -> Result<(ToolOutcome, Duration), ModelError> {
        let captured = self.find(key)?;
        let Some(tool) = &captured.tool else {
            return Err(other_kind(captured, &format!("calls the tool `{}`", call.name)));
        };
        let compare = || compare_tool(tool, call, &self.scrub);
        let compared = catch_unwind(AssertUnwindSafe(compare));
        let panicked = |_| Err("a scrubbing function panicked".to_owned());
        compared.unwrap_or_else(panicked).map_err(|difference| diverged(key, &difference))?;
        self.used().insert(key.clone());
        let seconds = captured.elapsed_ms.unwrap_or_default() / 1e3;
        Ok((tool.outcome.clone(), Duration::try_from_secs_f64(seconds).unwrap_or_default()))
    }

    fn parse_answer(&self, call: &Call) -> Result<Value, ModelError> {
        let Some(answer) = &call.answer else {
            return Err(other_kind(call, "asks a person"));
        };
        let answer = serde_json::from_str(answer.get())
            .map_err(|error| diverged(&call.key, &error.to_string()))?;
        self.used().insert(call.key.clone());
        Ok(answer)
    }

    fn check_not_failed(&self, key: &CallKey) -> Result<(), ModelError> {
        let Some(why) = self.failure.get() else { return Ok(()) };
        let message = format!("the replay was failed before `{key}`: {why}");
        Err(ModelError::new(ModelErrorKind::Diverged, message))
    }

    fn find(&self, key: &CallKey) -> Result<&Call, ModelError> {
        let call = self.recording.index.get(key).and_then(|at| self.recording.calls.get(*at));
        call.ok_or_else(|| diverged(key, &self.explain_missing(key)))
    }

    fn explain_missing(&self, key: &CallKey) -> String {
        let keys = self.recording.index.keys();
        let of_task: Vec<_> = keys.filter(|other| task_path(other) == task_path(key)).collect();
        let is_earlier = |other: &&&CallKey| {
            visit_key(other) == visit_key(key) && other.attempt() < key.attempt()
        };
        if let Some(earlier) = of_task.iter().rfind(is_earlier) {
            return format!(
                "this attempt was not captured: the reply of `{earlier}` was accepted on capture and is \
                 rejected now; has a type, a schema or a check changed?"
            );
        }
        if !of_task.is_empty() {
            return format!(
                "it was not captured; the captured calls of this task are {}",
                list_keys(of_task)
            );
        }
        match &self.unused()[..] {
            [] => "it was not captured: the captured run had ended before".to_owned(),
            unused => {
                format!(
                    "it was not captured; the next captured call is {}",
                    list_keys(unused.iter().take(1))
                )
            }
        }
    }

    fn used(&self) -> MutexGuard<'_, BTreeSet<CallKey>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows neither secrets nor captured texts.
impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay")
            .field("process", &self.process())
            .field("calls", &self.recording.calls.len())
            .field("used", &self.used().len())
            .field("accepted", &self.accepted)
            .finish_non_exhaustive()
    }
}

fn diverged(key: &CallKey, difference: &str) -> ModelError {
    let message = format!("the replay diverged at `{key}`: {difference}");
    ModelError::new(ModelErrorKind::Diverged, message)
}

/// Returns the error of a call that does something else than the captured one. `now` is a predicate.
fn other_kind(call: &Call, now: &str) -> ModelError {
    let then = match (&call.tool, &call.answer) {
        (Some(tool), _) => format!("called the tool `{}`", tool.name),
        (None, Some(_)) => "asked a person".to_owned(),
        (None, None) => "asked a model".to_owned(),
    };
    diverged(&call.key, &format!("the captured call {then}, but this one {now}"))
}

/// Returns the key of a call without its attempt.
fn visit_key(key: &CallKey) -> String {
    let text = key.to_string();
    text.rsplit_once('@').map(|(step, _)| step.to_owned()).unwrap_or(text)
}

/// Returns the path of tasks of a call, without its visit.
fn task_path(key: &CallKey) -> String {
    let step = visit_key(key);
    step.rsplit_once('#').map(|(task, _)| task.to_owned()).unwrap_or(step)
}

fn list_keys<'a>(keys: impl IntoIterator<Item = &'a CallKey>) -> String {
    let mut names: Vec<String> = keys.into_iter().map(|key| format!("`{key}`")).collect();
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let names = names.join(", ");
    if more > 0 { format!("{names} and {more} more") } else { names }
}
