//! The forms of a request, and the detected capabilities of a server.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use cot_model::{ModelRequest, ModelSettings};

use super::options::Options;
use crate::http::{Rejection, ResponseFormat, SentFeatures, Setting};

/// The form of a request: the optional features that it uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestForm {
    pub(crate) format: ResponseFormat,
    /// Whether the token limit is sent as `max_completion_tokens`, which newer models require, instead
    /// of `max_tokens`.
    pub(crate) newer_limit: bool,
    /// Whether the effort is sent in its newer form, for protocols with two.
    pub(crate) newer_effort: bool,
    pub(crate) streaming: Streaming,
    /// The settings that are sent.
    pub(crate) settings: SettingSet,
    /// Whether tools and calls are sent as such, and not in the prompt.
    pub(crate) tools: bool,
    /// The format if they are not.
    format_without_tools: ResponseFormat,
}

/// A set of settings that a server may reject.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SettingSet(u8);

impl SettingSet {
    /// Creates the set of the settings that are set.
    fn new(settings: &ModelSettings) -> Self {
        let is_set = [
            (Setting::Temperature, settings.temperature.is_some()),
            (Setting::TopP, settings.top_p.is_some()),
            (Setting::Stop, !settings.stop.is_empty()),
            (Setting::Seed, settings.seed.is_some()),
            (Setting::Effort, settings.effort.is_some()),
        ];
        let set = is_set.into_iter().filter(|(_, is_set)| *is_set);
        Self(set.fold(0, |set, (setting, _)| set | Self::bit(setting)))
    }

    pub(crate) const fn contains(self, setting: Setting) -> bool {
        self.0 & Self::bit(setting) != 0
    }

    const fn without(self, others: u8) -> Self {
        Self(self.0 & !others)
    }

    const fn bit(setting: Setting) -> u8 {
        1 << setting as u8
    }
}

/// Whether the reply is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streaming {
    Off,
    /// Without usage, for older servers.
    Uncounted,
    /// With the usage at the end.
    Counted,
}

impl RequestForm {
    pub(crate) fn streams(self) -> bool {
        self.streaming != Streaming::Off
    }

    pub(crate) fn features(self) -> SentFeatures {
        SentFeatures { stream: self.streams(), tools: self.tools }
    }

    /// Returns what a rejection means for a request in this form.
    pub(crate) const fn rejected(self, rejection: Rejection) -> Rejection {
        match rejection {
            Rejection::Setting(Setting::Effort) if self.newer_effort => Rejection::NewerEffort,
            other => other,
        }
    }

    /// Returns the form without the rejected feature, or `None` if it is not used already.
    pub(crate) fn without(self, rejection: Rejection) -> Option<Self> {
        let format = ResponseFormat::PromptOnly;
        let prompt_only = Self { format, format_without_tools: format, ..self };
        let (is_unused, next) = match rejection {
            Rejection::Format | Rejection::Schema => (self.format == format, prompt_only),
            Rejection::FormatWithTools => (self.format == format, Self { format, ..self }),
            Rejection::Tools => {
                (!self.tools, Self { tools: false, format: self.format_without_tools, ..self })
            }
            Rejection::Limit => (self.newer_limit, Self { newer_limit: true, ..self }),
            Rejection::NewerEffort => (!self.newer_effort, Self { newer_effort: false, ..self }),
            Rejection::StreamUsage => (
                self.streaming != Streaming::Counted,
                Self { streaming: Streaming::Uncounted, ..self },
            ),
            Rejection::Stream => (!self.streams(), Self { streaming: Streaming::Off, ..self }),
            Rejection::Setting(setting) => {
                let settings = self.settings.without(SettingSet::bit(setting));
                (settings == self.settings, Self { settings, ..self })
            }
        };
        (!is_unused).then_some(next)
    }
}

/// The features that a server was found not to support.
#[derive(Default)]
pub(crate) struct ServerCapabilities {
    prompt_only: AtomicBool,
    newer_limit: AtomicBool,
    no_newer_effort: AtomicBool,
    uncounted_streams: AtomicBool,
    no_streams: AtomicBool,
    no_tools: AtomicBool,
    no_format_with_tools: AtomicBool,
    /// The bits of the rejected settings.
    no_settings: AtomicU8,
}

impl ServerCapabilities {
    // Features that the request does not need count as unsupported: retrying without them would change
    // nothing.
    pub(crate) fn request_form(
        &self,
        request: &ModelRequest,
        options: &Options,
        (streams, newer_effort): (bool, bool),
    ) -> RequestForm {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let has_tools = !(request.tools.is_empty() && request.rounds.is_empty());
        let tools = has_tools && self.calls_tools(options);
        let format_if = |is_sent| match is_sent {
            true => options.response_format,
            false => ResponseFormat::PromptOnly,
        };
        let takes_format = request.schema.is_some() && !is(&self.prompt_only);
        let takes_format_with_tools =
            options.format_with_tools == Some(true) && !is(&self.no_format_with_tools);
        let streaming = match (streams && !is(&self.no_streams), is(&self.uncounted_streams)) {
            (false, _) => Streaming::Off,
            (true, true) => Streaming::Uncounted,
            (true, false) => Streaming::Counted,
        };
        RequestForm {
            format: format_if(takes_format && (!tools || takes_format_with_tools)),
            format_without_tools: format_if(takes_format),
            newer_limit: request.settings.max_tokens.is_none() || is(&self.newer_limit),
            newer_effort: newer_effort
                && request.settings.effort.is_some()
                && !is(&self.no_newer_effort),
            streaming,
            settings: SettingSet::new(&request.settings)
                .without(self.no_settings.load(Ordering::Relaxed)),
            tools,
        }
    }

    /// Returns whether tools are sent, and not described in the prompt.
    pub(crate) fn calls_tools(&self, options: &Options) -> bool {
        options.tool_calls && !self.no_tools.load(Ordering::Relaxed)
    }

    /// Records rejections. Must be called only after the request succeeded without these features.
    pub(crate) fn record(&self, rejections: &[Rejection]) {
        for rejection in rejections {
            let flag = match rejection {
                Rejection::Format => &self.prompt_only,
                Rejection::Limit => &self.newer_limit,
                Rejection::NewerEffort => &self.no_newer_effort,
                Rejection::StreamUsage => &self.uncounted_streams,
                Rejection::Stream => &self.no_streams,
                Rejection::Tools => &self.no_tools,
                Rejection::FormatWithTools => &self.no_format_with_tools,
                Rejection::Schema => continue,
                Rejection::Setting(setting) => {
                    self.no_settings.fetch_or(SettingSet::bit(*setting), Ordering::Relaxed);
                    continue;
                }
            };
            flag.store(true, Ordering::Relaxed);
        }
    }
}
