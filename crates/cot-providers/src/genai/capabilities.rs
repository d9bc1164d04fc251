//! The forms of a request, and the detected capabilities of a server.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::http::{Rejection, ResponseFormat};

/// The form of a request: the optional features that it uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestForm {
    pub(super) format: ResponseFormat,
    /// Whether tools and calls are sent as such, and not in the prompt.
    pub(super) tools: bool,
    /// The format if they are not.
    pub(super) format_without_tools: ResponseFormat,
}

impl RequestForm {
    /// Returns what a rejection means for a request in this form.
    pub(super) fn rejected(self, rejection: Rejection) -> Rejection {
        match rejection {
            Rejection::FormatWithTools if !self.tools => Rejection::Format,
            other => other,
        }
    }

    /// Returns the form without the rejected feature, or `None` if it is not used already.
    pub(super) fn without(self, rejection: Rejection) -> Option<Self> {
        let format = ResponseFormat::PromptOnly;
        match rejection {
            Rejection::Format | Rejection::Schema if self.format != format => {
                Some(Self { format, format_without_tools: format, ..self })
            }
            Rejection::FormatWithTools if self.format != format => Some(Self { format, ..self }),
            Rejection::Tools if self.tools => {
                Some(Self { tools: false, format: self.format_without_tools, ..self })
            }
            _ => None,
        }
    }
}

/// The features that a server was found not to support.
#[derive(Default)]
pub(super) struct ServerCapabilities {
    no_format: AtomicBool,
    no_format_with_tools: AtomicBool,
    no_tools: AtomicBool,
}

impl ServerCapabilities {
    pub(super) fn has_tools(&self) -> bool {
        !self.no_tools.load(Ordering::Relaxed)
    }

    /// Returns whether the response format is supported in a request with or without tools.
    pub(super) fn has_format(&self, with_tools: bool) -> bool {
        let has = |missing: &AtomicBool| !missing.load(Ordering::Relaxed);
        has(&self.no_format) && (!with_tools || has(&self.no_format_with_tools))
    }

    /// Records rejections. Must be called only after the request succeeded without these features.
    pub(super) fn record(&self, rejections: &[Rejection]) {
        for rejection in rejections {
            match rejection {
                Rejection::Format => self.no_format.store(true, Ordering::Relaxed),
                Rejection::FormatWithTools => {
                    self.no_format_with_tools.store(true, Ordering::Relaxed);
                }
                Rejection::Tools => self.no_tools.store(true, Ordering::Relaxed),
                _ => {}
            }
        }
    }
}
