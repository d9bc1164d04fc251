//! The forms of a request, and the detected capabilities of a server.

use std::sync::atomic::{AtomicBool, Ordering};

use cot_model::ModelRequest;

use crate::http::{Rejection, ResponseFormat};

/// The form of a request: the optional features that it uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestForm {
    pub(super) format: ResponseFormat,
    /// Whether the token limit is sent as `max_completion_tokens`, which newer models require, instead
    /// of `max_tokens`.
    pub(super) newer_limit: bool,
    pub(super) streaming: Streaming,
}

/// Whether the reply is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Streaming {
    Off,
    /// Without usage, for older servers.
    Uncounted,
    /// With the usage at the end.
    Counted,
}

impl RequestForm {
    pub(super) fn streams(self) -> bool {
        self.streaming != Streaming::Off
    }

    /// Returns the form without the rejected feature, or `None` if it is not used already.
    pub(super) fn without(self, rejection: Rejection) -> Option<Self> {
        let prompt_only = Self { format: ResponseFormat::PromptOnly, ..self };
        let (is_unused, next) = match rejection {
            Rejection::Format | Rejection::Schema => {
                (self.format == prompt_only.format, prompt_only)
            }
            Rejection::Limit => (self.newer_limit, Self { newer_limit: true, ..self }),
            Rejection::StreamUsage => (
                self.streaming != Streaming::Counted,
                Self { streaming: Streaming::Uncounted, ..self },
            ),
            Rejection::Stream => (!self.streams(), Self { streaming: Streaming::Off, ..self }),
        };
        (!is_unused).then_some(next)
    }
}

/// The features that a server was found not to support.
#[derive(Default)]
pub(super) struct ServerCapabilities {
    prompt_only: AtomicBool,
    newer_limit: AtomicBool,
    uncounted_streams: AtomicBool,
    no_streams: AtomicBool,
}

impl ServerCapabilities {
    // Features that the request does not need count as unsupported: retrying without them would change
    // nothing.
    pub(super) fn request_form(
        &self,
        request: &ModelRequest,
        asked: ResponseFormat,
        streams: bool,
    ) -> RequestForm {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let prompt_only = request.schema.is_none() || is(&self.prompt_only);
        let streaming = match (streams && !is(&self.no_streams), is(&self.uncounted_streams)) {
            (false, _) => Streaming::Off,
            (true, true) => Streaming::Uncounted,
            (true, false) => Streaming::Counted,
        };
        RequestForm {
            format: if prompt_only { ResponseFormat::PromptOnly } else { asked },
            newer_limit: request.max_tokens.is_none() || is(&self.newer_limit),
            streaming,
        }
    }

    /// Records rejections. Must be called only after the request succeeded without these features.
    pub(super) fn record(&self, rejections: &[Rejection]) {
        for rejection in rejections {
            let flag = match rejection {
                Rejection::Format => &self.prompt_only,
                Rejection::Limit => &self.newer_limit,
                Rejection::StreamUsage => &self.uncounted_streams,
                Rejection::Stream => &self.no_streams,
                Rejection::Schema => continue,
            };
            flag.store(true, Ordering::Relaxed);
        }
    }
}
