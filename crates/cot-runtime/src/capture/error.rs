//! Why a capture can't be written, or not be read.

use std::{io, sync::Arc};

use cot_engine::CallKey;

/// Why a capture is not whole.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// A line could not be written. Nothing was written after it.
    #[error("the capture could not be written")]
    Write(#[source] Arc<io::Error>),
    /// A run of another process was given the same capture. Nothing of it was written.
    #[error(
        "the capture is one of process `{captured}`, and was given to a run of `{other}`: each run \
         needs a capture of its own"
    )]
    OtherProcess {
        /// The process whose run is captured.
        captured: &'static str,
        /// The process of the other run.
        other: &'static str,
    },
    /// A call was made twice, so two runs share the capture. Nothing was written from there on.
    #[error("the call `{key}` was captured twice: each run needs a capture of its own")]
    KeyTwice {
        /// The call.
        key: CallKey,
    },
    /// A function that scrubs, or the writer, panicked. Nothing was written from there on.
    #[error("a function that scrubs, or the writer, panicked")]
    Panicked,
    /// A call can't be written as JSON. Nothing was written from there on.
    #[error("the call `{key}` can't be written as JSON: {why}")]
    Json {
        /// The call.
        key: CallKey,
        /// What is wrong.
        why: String,
    },
}

/// Why a capture can't be replayed. Lines count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The capture can't be read.
    #[error("the capture can't be read")]
    Io(#[from] io::Error),
    /// There is nothing in it.
    #[error(
        "the capture is empty: its first line should be `{{\"cot_capture\":1,\"process\":\"…\"}}`"
    )]
    Empty,
    /// It does not begin as a capture does.
    #[error(
        "this is no capture: its first line should be `{{\"cot_capture\":1,\"process\":\"…\"}}` ({why})"
    )]
    NotACapture {
        /// What is wrong with the first line.
        why: String,
    },
    /// It is of a format that this version does not read.
    #[error(
        "the capture is of format {found}, and this version reads format {supported}: capture the run again"
    )]
    UnknownFormat {
        /// The format of the capture.
        found: u64,
        /// The format that can be read.
        supported: u64,
    },
    /// A line is not a call.
    #[error("line {line} of the capture is no call: {why}")]
    BadLine {
        /// The line.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The last line was not written to its end.
    #[error(
        "the last line of the capture, {line}, is cut off, as when a run was killed: leave it out with \
         `Replay::read_unfinished`"
    )]
    HalfLine {
        /// The line.
        line: usize,
    },
    /// A line is longer than any call.
    #[error("line {line} of the capture is longer than {max} bytes")]
    LineTooLong {
        /// The line.
        line: usize,
        /// The longest that is read.
        max: usize,
    },
    /// A call occurs twice.
    #[error(
        "line {line} of the capture has the call `{key}`, and so has line {first}: a capture holds one run"
    )]
    KeyTwice {
        /// The second line of the call.
        line: usize,
        /// Its first line.
        first: usize,
        /// The call.
        key: CallKey,
    },
    /// The capture is one of another process.
    #[error("the capture is one of process `{captured}`, not of `{expected}`")]
    OtherProcess {
        /// The process that was captured.
        captured: String,
        /// The process that was to be replayed.
        expected: String,
    },
}
