//! The ways to put a request, as far as servers differ in them, and what was learned about one.

use std::sync::atomic::{AtomicBool, Ordering};

use cot_model::ModelRequest;

use crate::http::{Complaint, ResponseFormat};

/// The way a request is put.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub(super) format: ResponseFormat,
    /// The limit is called `max_completion_tokens`, as newer models want it, and not `max_tokens`.
    pub(super) newer_limit: bool,
    pub(super) streaming: Streaming,
}

/// Whether the reply is to come in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Streaming {
    Off,
    /// Without usage, as older servers have it.
    Uncounted,
    /// With the usage at the end.
    Counted,
}

impl Manner {
    pub(super) fn streams(self) -> bool {
        self.streaming != Streaming::Off
    }

    /// The way that heeds the complaint, unless this is it already.
    pub(super) fn heeding(self, complaint: Complaint) -> Option<Self> {
        let prompt_only = Self { format: ResponseFormat::PromptOnly, ..self };
        let (is_heeded, next) = match complaint {
            Complaint::Format | Complaint::Schema => {
                (self.format == prompt_only.format, prompt_only)
            }
            Complaint::Limit => (self.newer_limit, Self { newer_limit: true, ..self }),
            Complaint::StreamUsage => (
                self.streaming != Streaming::Counted,
                Self { streaming: Streaming::Uncounted, ..self },
            ),
            Complaint::Stream => (!self.streams(), Self { streaming: Streaming::Off, ..self }),
        };
        (!is_heeded).then_some(next)
    }
}

/// What a server has turned out not to know.
#[derive(Default)]
pub(super) struct Learned {
    prompt_only: AtomicBool,
    newer_limit: AtomicBool,
    uncounted_streams: AtomicBool,
    no_streams: AtomicBool,
}

impl Learned {
    // What a request lacks counts as heeded: another way to put it would change nothing.
    pub(super) fn manner(
        &self,
        request: &ModelRequest,
        asked: ResponseFormat,
        streams: bool,
    ) -> Manner {
        let is = |learned: &AtomicBool| learned.load(Ordering::Relaxed);
        let prompt_only = request.schema.is_none() || is(&self.prompt_only);
        let streaming = match (streams && !is(&self.no_streams), is(&self.uncounted_streams)) {
            (false, _) => Streaming::Off,
            (true, true) => Streaming::Uncounted,
            (true, false) => Streaming::Counted,
        };
        Manner {
            format: if prompt_only { ResponseFormat::PromptOnly } else { asked },
            newer_limit: request.max_tokens.is_none() || is(&self.newer_limit),
            streaming,
        }
    }

    /// Keeps what has been proven: that the same request works once these are heeded.
    pub(super) fn remember(&self, complaints: &[Complaint]) {
        for complaint in complaints {
            let learned = match complaint {
                Complaint::Format => &self.prompt_only,
                Complaint::Limit => &self.newer_limit,
                Complaint::StreamUsage => &self.uncounted_streams,
                Complaint::Stream => &self.no_streams,
                Complaint::Schema => continue,
            };
            learned.store(true, Ordering::Relaxed);
        }
    }
}
