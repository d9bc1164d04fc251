//! Writes captures.

use std::{
    collections::HashSet,
    fmt,
    fs::File,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use cot_engine::{CallKey, Event};
use cot_model::{
    ModelError, ModelErrorKind, ModelReply, ModelRequest, ModelSettings, ToolCall, Turn,
};
use serde::Serialize;
use serde_json::{Value, value::to_raw_value};

use super::{
    format::{Call, CapturedTool, FORMAT, Header, Schema, ToolOutcome, request_pieces},
    scrub::Scrubber,
};
use crate::capture::{
    error::{CaptureError, ReplayError},
    replay::Replay,
};

/// A capture of the calls of a run. Each call is written as soon as it is answered.
///
/// Pass it to [`Runner::capture`](crate::runner::builder::Runner::capture), and call
/// [`finish`](Self::finish) at the end. A capture holds one run; clones write to the same place. Calls that
/// a time limit or a cancellation ended are not captured.
///
/// ```
/// use cot_core::replay::Capture;
///
/// let (capture, captured) = Capture::to_memory();
/// let capture = capture.scrub("hunter2");
/// # let _ = capture;
/// assert_eq!(captured.text(), "");
/// ```
#[derive(Clone)]
pub struct Capture {
    sink: Arc<Mutex<Sink>>,
    scrub: Arc<Scrubber>,
}

impl Capture {
    /// Creates a capture that writes to a writer. Each line is one `write_all` and one `flush`.
    #[must_use]
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        let sink =
            Sink { writer: Box::new(writer), process: None, keys: HashSet::new(), error: None };
        Self { sink: Arc::new(Mutex::new(sink)), scrub: Arc::default() }
    }

    /// Creates a capture that writes to a file. An existing file is truncated.
    ///
    /// # Errors
    ///
    /// If the file can't be created.
    pub fn to_file(path: impl AsRef<Path>) -> io::Result<Self> {
        File::create(path).map(Self::new)
    }

    /// Creates a capture in memory, and the buffer from which it can be read.
    #[must_use]
    pub fn to_memory() -> (Self, CaptureBuffer) {
        let captured = CaptureBuffer::default();
        (Self::new(captured.clone()), captured)
    }

    /// Replaces a secret by `[scrubbed]` wherever it occurs, also if JSON has escaped it. An empty text is
    /// ignored. [`Replay::scrub`] needs the same secret.
    #[must_use]
    pub fn scrub(mut self, secret: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.scrub).add_secret(&secret.into());
        self
    }

    /// Replaces each text by the result of a function. It is called with every segment of a prompt, every
    /// reply, and every name and text in a schema or an answer. [`Replay::scrub_with`] needs the same
    /// function.
    #[must_use]
    pub fn scrub_with(mut self, function: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.scrub).add_function(function);
        self
    }

    /// Sets whether to replace texts that look like a key of a common vendor (`sk-…`, `AKIA…`, `ghp_…` and
    /// the like) or like a bearer token. On by default.
    #[must_use]
    pub fn scrub_keys(mut self, on: bool) -> Self {
        Arc::make_mut(&mut self.scrub).set_find_keys(on);
        self
    }

    /// Flushes the capture, and returns its first error.
    ///
    /// # Errors
    ///
    /// The first error of writing. A failed capture does not stop its run, so this is the only place to find
    /// out.
    pub fn finish(&self) -> Result<(), CaptureError> {
        let mut sink = self.lock();
        if sink.error.is_none() {
            let flushed = catch_unwind(AssertUnwindSafe(|| sink.writer.flush()));
            sink.error = flushed.map_or(Some(CaptureError::Panicked), |flushed| {
                flushed.err().map(|error| CaptureError::Write(Arc::new(error)))
            });
        }
        sink.error.clone().map_or(Ok(()), Err)
    }

    /// Starts or continues the capture for a run of this process.
    pub(crate) fn start_run(&self, process: &'static str) {
        let mut sink = self.lock();
        match sink.process {
            Some(captured) if captured != process => {
                sink.fail(CaptureError::OtherProcess { captured, other: process });
            }
            Some(_) => {}
            None => {
                sink.process = Some(process);
                sink.write(&header(process));
            }
        }
    }

    /// Writes a model call.
    pub(crate) fn model_call(
        &self,
        key: &CallKey,
        engine: Option<&str>,
        request: &ModelRequest,
        answer: &Result<ModelReply, ModelError>,
        elapsed: Duration,
    ) {
        // A diverged replay called no model, so there is nothing to capture.
        if matches!(answer, Err(error) if *error.kind() == ModelErrorKind::Diverged) {
            return;
        }
        self.write_call(key, || {
            let scrub = &*self.scrub;
            let schema = request.schema.as_deref();
            Ok(Call {
                engine: engine.map(|engine| scrub.text(engine)),
                prompt: scrub.pieces(request_pieces(request)),
                schema: schema
                    .map(|schema| Schema::new(scrub.text(&schema.name), &scrub.value(&schema.json)))
                    .transpose()?,
                turns: request.turns.iter().map(|turn| scrubbed_turn(turn, scrub)).collect(),
                settings: scrubbed_settings(&request.settings, scrub),
                reply: answer.as_ref().ok().map(|reply| scrubbed_reply(reply, scrub)),
                error: answer.as_ref().err().map(|error| scrubbed_error(error, scrub)),
                elapsed_ms: Some(milliseconds(elapsed)),
                ..Call::new(key.clone())
            })
        });
    }

    /// Writes the answer of a person.
    pub(crate) fn human_answer(&self, key: &CallKey, answer: &Value) {
        self.write_call(key, || {
            let answer = to_raw_value(&self.scrub.value(answer))?;
            Ok(Call { answer: Some(answer), ..Call::new(key.clone()) })
        });
    }

    /// Writes the call of a tool.
    pub(crate) fn tool_call(&self, key: &CallKey, call: &ToolCall, event: &Event) {
        let (Event::Ran { elapsed, .. } | Event::TimedOut { elapsed, .. }) = event else { return };
        self.write_call(key, || {
            let outcome = match event {
                Event::Ran { result: Ok(result), .. } => {
                    ToolOutcome::Result(self.scrub.value(result))
                }
                Event::Ran { result: Err(error), .. } => {
                    // Scrubs the message, and keeps the kind.
                    let error = self.scrub.value(&serde_json::to_value(error)?);
                    ToolOutcome::Error(serde_json::from_value(error)?)
                }
                _ => ToolOutcome::TimedOut,
            };
            let arguments = self.scrub.value(&serde_json::from_str(&call.arguments)?);
            let tool = Some(CapturedTool { name: call.name.clone(), arguments, outcome });
            let elapsed_ms = Some(milliseconds(*elapsed));
            Ok(Call { tool, elapsed_ms, ..Call::new(key.clone()) })
        });
    }

    /// Writes a call. The user's functions run before the lock is taken.
    fn write_call(&self, key: &CallKey, make: impl FnOnce() -> serde_json::Result<Call>) {
        let made = catch_unwind(AssertUnwindSafe(|| make().and_then(|call| line(&call))));
        let mut sink = self.lock();
        if sink.error.is_none() && !sink.keys.insert(key.clone()) {
            sink.fail(CaptureError::KeyTwice { key: key.clone() });
        }
        match made {
            Ok(Ok(line)) => sink.write(&line),
            Ok(Err(error)) => {
                sink.fail(CaptureError::Json { key: key.clone(), why: error.to_string() });
            }
            Err(_) => sink.fail(CaptureError::Panicked),
        }
    }

    // A writer that panicked is not used again, as the error is set.
    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows no secret.
impl fmt::Debug for Capture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capture").field("scrub", &self.scrub).finish_non_exhaustive()
    }
}

struct Sink {
    writer: Box<dyn Write + Send>,
    process: Option<&'static str>,
    keys: HashSet<CallKey>,
    /// The first error; nothing is written after it.
    error: Option<CaptureError>,
}

impl Sink {
    fn write(&mut self, line: &[u8]) {
        if self.error.is_some() {
            return;
        }
        let writer = &mut self.writer;
        let written =
            catch_unwind(AssertUnwindSafe(|| writer.write_all(line).and_then(|()| writer.flush())));
        match written {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.fail(CaptureError::Write(Arc::new(error))),
            Err(_) => self.fail(CaptureError::Panicked),
        }
    }

    fn fail(&mut self, error: CaptureError) {
        self.error.get_or_insert(error);
    }
}

/// The buffer of a capture in memory. Clones share the buffer.
#[derive(Debug, Clone, Default)]
pub struct CaptureBuffer(Arc<Mutex<Vec<u8>>>);

impl CaptureBuffer {
    /// Returns the lines captured so far.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.lock()).into_owned()
    }

    /// Creates a replay of the calls captured so far.
    ///
    /// # Errors
    ///
    /// If nothing was captured.
    pub fn replay(&self) -> Result<Replay, ReplayError> {
        Replay::read(&self.lock()[..])
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for CaptureBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Serializes the first line. Two plain fields can always be serialized.
fn header(process: &str) -> Vec<u8> {
    let header = Header { cot_capture: FORMAT, process: process.to_owned() };
    line(&header).unwrap_or_default()
}

fn line(object: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(object)?;
    line.push(b'\n');
    Ok(line)
}

fn scrubbed_turn(turn: &Turn, scrub: &Scrubber) -> Turn {
    Turn { role: turn.role, text: scrub.text(&turn.text) }
}

/// Returns settings that serialize: JSON has neither NaN nor infinity.
fn scrubbed_settings(settings: &ModelSettings, scrub: &Scrubber) -> ModelSettings {
    let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
    let extra = scrub.value(&Value::Object(settings.extra.clone()));
    ModelSettings {
        temperature: finite(settings.temperature),
        top_p: finite(settings.top_p),
        stop: settings.stop.iter().map(|text| scrub.text(text)).collect(),
        extra: extra.as_object().cloned().unwrap_or_default(),
        ..settings.clone()
    }
}

fn scrubbed_reply(reply: &ModelReply, scrub: &Scrubber) -> ModelReply {
    let tool_calls = reply.tool_calls.iter().map(|call| {
        let (name, arguments) = (scrub.text(&call.name), scrub.text(&call.arguments));
        ToolCall::new(name, arguments).with_id(call.id.clone())
    });
    let tool_calls = tool_calls.collect();
    ModelReply { text: scrub.text(&reply.text), tool_calls, ..reply.clone() }
}

fn scrubbed_error(error: &ModelError, scrub: &Scrubber) -> ModelError {
    ModelError::new(error.kind().clone(), scrub.text(&error.to_string())).with_usage(error.usage())
}

/// Converts a duration to milliseconds, with three decimal places.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
