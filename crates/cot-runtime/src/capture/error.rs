//! The errors of writing and reading captures.

use std::{io, sync::Arc};

use cot_engine::CallKey;

/// The error of writing a capture, which is then incomplete.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// A line could not be written. Nothing was written after this line.
    #[error("the capture could not be written")]
    Write(#[source] Arc<io::Error>),
    /// A run of another process used the same capture. None of its calls were written.
    #[error(
        "the capture belongs to process `{captured}`, but a run of `{other}` used it: each run \
         needs a capture of its own"
    )]
    OtherProcess {
        /// The process whose run is captured.
        captured: &'static str,
        /// The process of the other run.
        other: &'static str,
    },
    /// A call was captured twice, so two runs share the capture. Nothing was written after this call.
    #[error("the call `{key}` was captured twice: each run needs a capture of its own")]
    KeyTwice {
        /// The key of the call.
        key: CallKey,
    },
    /// A scrubbing function or the writer panicked. Nothing was written after the panic.
    #[error("a scrubbing function or the writer panicked")]
    Panicked,
    /// A call can't be serialized as JSON. Nothing was written after it.
    #[error("the call `{key}` can't be written as JSON: {why}")]
    Json {
        /// The key of the call.
        key: CallKey,
        /// The error of the serializer.
        why: String,
    },
}

cot_schema::debug_as_sentence!(CaptureError, ReplayError);

/// The error of reading a capture for a replay. Lines count from 1.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The capture can't be read.
    #[error("the capture can't be read")]
    Io(#[from] io::Error),
    /// The capture is empty.
    #[error(
        "the capture is empty: its first line should be `{{\"cot_capture\":1,\"process\":\"…\"}}`"
    )]
    Empty,
    /// The first line is not the header of a capture.
    #[error(
        "this is not a capture: its first line should be `{{\"cot_capture\":1,\"process\":\"…\"}}` ({why})"
    )]
    NotACapture {
        /// The reason.
        why: String,
    },
    /// The capture has a format that this version does not support.
    #[error(
        "the capture is of format {found}, and this version reads format {supported}: capture the run again"
    )]
    UnknownFormat {
        /// The format of the capture.
        found: u64,
        /// The supported format.
        supported: u64,
    },
    /// A line does not contain a call.
    #[error("line {line} of the capture is not a call: {why}")]
    BadLine {
        /// The number of the line.
        line: usize,
        /// The reason.
        why: String,
    },
    /// The last line is truncated.
    #[error(
        "the last line of the capture, {line}, is truncated, as after a crash of its run: ignore it with \
         `Replay::read_unfinished`"
    )]
    HalfLine {
        /// The number of the line.
        line: usize,
    },
    /// A line exceeds the maximum length.
    #[error("line {line} of the capture is longer than {max} bytes")]
    LineTooLong {
        /// The number of the line.
        line: usize,
        /// The maximum length in bytes.
        max: usize,
    },
    /// A call occurs twice.
    #[error(
        "line {line} of the capture repeats the call `{key}` of line {first}: a capture holds one run"
    )]
    KeyTwice {
        /// The number of the second line with this call.
        line: usize,
        /// The number of the first line with this call.
        first: usize,
        /// The key of the call.
        key: CallKey,
    },
    /// The capture belongs to another process.
    #[error("the capture belongs to process `{captured}`, not to `{expected}`")]
    OtherProcess {
        /// The process that was captured.
        captured: String,
        /// The process to be replayed.
        expected: String,
    },
}
