//! Answers calls out of a capture.

use std::{
    collections::BTreeSet,
    fmt,
    fs::File,
    io::{BufRead, BufReader},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use cot_engine::CallKey;
use cot_model::{ModelError, ModelErrorKind, ModelReply, ModelRequest};
use serde_json::Value;

use super::{
    compare::{Accepted, compare},
    format::Call,
    lines::{MAX_LINE, Recording},
    scrub::Scrub,
};
use crate::capture::{error::ReplayError, lines};

/// How many calls an error names.
const MAX_NAMED: usize = 5;

/// The answers of a capture, for [`Runner::replay`](crate::runner::builder::Runner::replay).
///
/// Each call is answered with what was captured for its [key](CallKey), be it a reply or an error,
/// provided that it asks what was asked then: the same prompt, system message and schema. Engine,
/// temperature and the limit of tokens may differ. Where a call differs, or was not captured, it
/// fails with [`ModelErrorKind::Diverged`]. One replay serves any number of runs; clones share which
/// calls were used.
///
/// ```
/// use cot_core::replay::Replay;
///
/// let capture = r#"{"cot_capture":1,"process":"Greeter"}
/// {"key":"greet#1@1","prompt":[{"kind":"fixed","text":"Say hello."}],"reply":{"text":"\"Hello!\"","finish":"stop","usage":{"calls":1,"input_tokens":4,"output_tokens":3}}}
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
    scrub: Arc<Scrub>,
    accepted: Accepted,
}

impl Replay {
    /// Reads a capture.
    ///
    /// # Errors
    ///
    /// If it can't be read, or is no capture of one run from its first line to its last.
    pub fn read(reader: impl BufRead) -> Result<Self, ReplayError> {
        lines::read(reader, MAX_LINE, false).map(Self::of)
    }

    /// Reads a capture that may end in half a line, as does one whose run was killed. The half line is
    /// left out.
    ///
    /// # Errors
    ///
    /// As of [`read`](Self::read), but for [`ReplayError::HalfLine`].
    pub fn read_unfinished(reader: impl BufRead) -> Result<Self, ReplayError> {
        lines::read(reader, MAX_LINE, true).map(Self::of)
    }

    /// Reads a capture from a file.
    ///
    /// # Errors
    ///
    /// As of [`read`](Self::read).
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ReplayError> {
        Self::read(BufReader::new(File::open(path)?))
    }

    fn of(recording: Recording) -> Self {
        Self {
            recording: Arc::new(recording),
            used: Arc::default(),
            failure: Arc::default(),
            scrub: Arc::default(),
            accepted: Accepted::default(),
        }
    }

    /// Accepts that fixed text of a prompt has changed, such as a reworded primer: only the values
    /// that a prompt shows have to be the same. A changed schema is still a divergence.
    #[must_use]
    pub const fn accept_changed_fixed_text(mut self) -> Self {
        self.accepted.fixed_text = true;
        self
    }

    /// Accepts that the schema of a reply has changed, such as by a new doc comment. The text of the
    /// prompt that explains the schema is fixed text, and is accepted by
    /// [`accept_changed_fixed_text`](Self::accept_changed_fixed_text).
    #[must_use]
    pub const fn accept_changed_schemas(mut self) -> Self {
        self.accepted.schemas = true;
        self
    }

    /// Compares as if this text had been scrubbed, as [`Capture::scrub`](crate::Capture::scrub) does.
    #[must_use]
    pub fn scrub(mut self, secret: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.scrub).add_secret(&secret.into());
        self
    }

    /// Scrubs what is compared, as [`Capture::scrub_with`](crate::Capture::scrub_with) does.
    #[must_use]
    pub fn scrub_with(mut self, function: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.scrub).add_function(function);
        self
    }

    /// Whether what looks like a key is left out of the comparison, and of the errors. On by default.
    #[must_use]
    pub fn scrub_keys(mut self, on: bool) -> Self {
        Arc::make_mut(&mut self.scrub).find_keys(on);
        self
    }

    /// Fails the replay on purpose, for a reason of your own: the next call, and every one after it,
    /// ends with this as its error. Only the first reason counts.
    pub fn fail(&self, why: impl Into<String>) {
        // A second reason comes too late to be told.
        let _ = self.failure.set(why.into());
    }

    /// The process that was captured.
    #[must_use]
    pub fn process(&self) -> &str {
        &self.recording.process
    }

    /// The captured calls that have not been asked for, in the order of the capture.
    #[must_use]
    pub fn unused(&self) -> Vec<CallKey> {
        let used = self.used();
        let keys = self.recording.calls.iter().map(|call| &call.key);
        keys.filter(|key| !used.contains(*key)).cloned().collect()
    }

    /// Whether the capture is one of this process.
    pub(crate) fn check_process(&self, process: &'static str) -> Result<(), ReplayError> {
        if self.process() == process {
            return Ok(());
        }
        let (captured, expected) = (self.process().to_owned(), process.to_owned());
        Err(ReplayError::OtherProcess { captured, expected })
    }

    /// What the model answered then.
    pub(crate) fn model_call(
        &self,
        key: &CallKey,
        request: &ModelRequest,
    ) -> Result<ModelReply, ModelError> {
        self.not_failed(key)?;
        let call = self.find(key)?;
        if call.answer.is_some() {
            return Err(diverged(key, "a person was asked then, and a model is asked now"));
        }
        let compare = || compare(call, request, &self.scrub, self.accepted);
        let compared = catch_unwind(AssertUnwindSafe(compare));
        let panicked = |_| Err("a function that scrubs has panicked".to_owned());
        compared.unwrap_or_else(panicked).map_err(|difference| diverged(key, &difference))?;
        self.used().insert(key.clone());
        match (&call.reply, &call.error) {
            (Some(reply), _) => Ok(reply.clone()),
            (None, Some(error)) => Err(ModelError::new(error.kind().clone(), error.to_string())),
            (None, None) => Err(diverged(key, "it has no answer")),
        }
    }

    /// What the person answered then. `None` where the capture ends with the question: then somebody
    /// has to answer now.
    pub(crate) fn human_answer(&self, key: &CallKey) -> Option<Result<Value, ModelError>> {
        if let Err(error) = self.not_failed(key) {
            return Some(Err(error));
        }
        let is_over = self.used().len() == self.recording.calls.len();
        match self.find(key) {
            Err(_) if is_over => None,
            Err(error) => Some(Err(error)),
            Ok(call) => Some(self.answer_in(call)),
        }
    }

    fn answer_in(&self, call: &Call) -> Result<Value, ModelError> {
        let Some(answer) = &call.answer else {
            return Err(diverged(&call.key, "a model was asked then, and a person is asked now"));
        };
        let answer = serde_json::from_str(answer.get())
            .map_err(|error| diverged(&call.key, &error.to_string()))?;
        self.used().insert(call.key.clone());
        Ok(answer)
    }

    fn not_failed(&self, key: &CallKey) -> Result<(), ModelError> {
        let Some(why) = self.failure.get() else { return Ok(()) };
        let message = format!("the replay was failed before `{key}`: {why}");
        Err(ModelError::new(ModelErrorKind::Diverged, message))
    }

    fn find(&self, key: &CallKey) -> Result<&Call, ModelError> {
        let call = self.recording.index.get(key).and_then(|at| self.recording.calls.get(*at));
        call.ok_or_else(|| diverged(key, &self.why_missing(key)))
    }

    fn why_missing(&self, key: &CallKey) -> String {
        let keys = self.recording.index.keys();
        let of_task: Vec<_> = keys.filter(|other| task(other) == task(key)).collect();
        let is_earlier =
            |other: &&&CallKey| step(other) == step(key) && other.attempt() < key.attempt();
        if let Some(earlier) = of_task.iter().rfind(is_earlier) {
            return format!(
                "this attempt was not captured: the reply of `{earlier}` was accepted then, and is not \
                 now; has a type, a schema or a check changed?"
            );
        }
        if !of_task.is_empty() {
            return format!("it was not captured; of this task {} were", named(of_task));
        }
        match &self.unused()[..] {
            [] => "it was not captured: the run went no further then".to_owned(),
            unused => {
                format!("it was not captured; {} was next then", named(unused.iter().take(1)))
            }
        }
    }

    fn used(&self) -> MutexGuard<'_, BTreeSet<CallKey>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// It never shows a secret, nor what was captured.
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

/// A call, whatever its attempt.
fn step(key: &CallKey) -> String {
    let text = key.to_string();
    text.rsplit_once('@').map(|(step, _)| step.to_owned()).unwrap_or(text)
}

/// The task of a call with the way to it, whatever its visit.
fn task(key: &CallKey) -> String {
    let step = step(key);
    step.rsplit_once('#').map(|(task, _)| task.to_owned()).unwrap_or(step)
}

fn named<'a>(keys: impl IntoIterator<Item = &'a CallKey>) -> String {
    let mut names: Vec<String> = keys.into_iter().map(|key| format!("`{key}`")).collect();
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let names = names.join(", ");
    if more > 0 { format!("{names} and {more} more") } else { names }
}
