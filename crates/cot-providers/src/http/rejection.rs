//! Classification of the responses with which servers reject the form of a request.

use reqwest::StatusCode;

/// Phrases about the response format, with blanks instead of underscores.
const ABOUT_THE_FORMAT: [&str; 6] = [
    "response format",
    "json schema",
    "json object",
    "responsejsonschema",
    "output format",
    "output config",
];

/// Phrases about the schema of one request, such as `json schema` in two words: the format is called
/// `json_schema`. In doubt the schema is assumed, so that the next request is sent with its schema
/// again.
const ABOUT_A_SCHEMA: [&str; 4] =
    ["invalid schema", "unsupported schema", "invalid json schema", "schema conversion"];

/// Phrases that tell that a parameter as such is not supported, with blanks instead of underscores.
const UNSUPPORTED: [&str; 8] = [
    "unsupported",
    "not support",
    "unknown",
    "unrecognized",
    "unexpected",
    "not permitted",
    "not allowed",
    "deprecated",
];

/// A setting that a server may not know or a model may not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    Temperature,
    TopP,
    Stop,
    Seed,
    Effort,
}

impl Setting {
    const ALL: [Self; 5] = [Self::Temperature, Self::TopP, Self::Stop, Self::Seed, Self::Effort];

    /// Returns the name of the parameter.
    const fn parameter(self) -> &'static str {
        match self {
            Self::Temperature => "temperature",
            Self::TopP => "top_p",
            Self::Stop => "stop",
            Self::Seed => "seed",
            Self::Effort => "reasoning_effort",
        }
    }
}

/// The part of a request that a server rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// The response format is not supported.
    Format,
    /// The format is supported, but not the schema of this request.
    Schema,
    /// The limit must be named `max_completion_tokens` instead of `max_tokens`.
    Limit,
    /// Streaming is supported, but not its usage.
    StreamUsage,
    /// Streaming is not supported, in general or for this request.
    Stream,
    /// The setting is not supported.
    Setting(Setting),
}

impl Rejection {
    /// Classifies the body of a rejection; `streams` tells whether the request was for a stream.
    pub(crate) fn read(status: StatusCode, body: &str, streams: bool) -> Option<Self> {
        if !matches!(status.as_u16(), 400 | 422) {
            return None;
        }
        let body = body.to_lowercase();
        let words = body.replace('_', " ");
        if body.contains("max_tokens") && body.contains("max_completion_tokens") {
            Some(Self::Limit)
        } else if let Some(rejection) = stream_rejection(&words).filter(|_| streams) {
            Some(rejection)
        } else if !ABOUT_THE_FORMAT.iter().any(|about| words.contains(about)) {
            rejected_setting(&body, &words).map(Self::Setting)
        } else if body.contains("json schema")
            || ABOUT_A_SCHEMA.iter().any(|about| words.contains(about))
        {
            Some(Self::Schema)
        } else {
            Some(Self::Format)
        }
    }
}

// Compares whole words, since proxies mention an `upstream`.
fn stream_rejection(words: &str) -> Option<Rejection> {
    if words.contains("stream options") || words.contains("include usage") {
        return Some(Rejection::StreamUsage);
    }
    let mut words = words.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "stream" | "streaming")).then_some(Rejection::Stream)
}

// Only a parameter that the server names is dropped, and only if no other value would do: a list of the
// supported values is for the caller to read.
fn rejected_setting(body: &str, words: &str) -> Option<Setting> {
    let is_unsupported = UNSUPPORTED.iter().any(|phrase| words.contains(phrase));
    if !is_unsupported || words.contains("supported values") {
        return None;
    }
    let mut names = body.split(|c: char| !c.is_alphanumeric() && c != '_');
    names.find_map(|name| Setting::ALL.into_iter().find(|setting| setting.parameter() == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejections_are_told_from_each_other() {
        let refused = StatusCode::BAD_REQUEST;
        for (body, expected) in [
            ("'response_format' is not supported", Some(Rejection::Format)),
            ("unknown type: json_schema", Some(Rejection::Format)),
            ("Invalid schema for response_format 'a'", Some(Rejection::Schema)),
            ("JSON schema conversion failed", Some(Rejection::Schema)),
            ("Unsupported JSON schema: no `pattern`", Some(Rejection::Schema)),
            ("unsupported response_format type: json_schema", Some(Rejection::Format)),
            ("no 'max_tokens'; use 'max_completion_tokens' instead", Some(Rejection::Limit)),
            ("max_tokens is too large", None),
            ("unknown model", None),
        ] {
            assert_eq!(Rejection::read(refused, body, false), expected, "{body}");
        }
        assert_eq!(Rejection::read(StatusCode::UNAUTHORIZED, "response_format", false), None);
    }

    #[test]
    fn rejected_settings_are_named_by_the_server() {
        let refused = StatusCode::BAD_REQUEST;
        let setting = |setting| Some(Rejection::Setting(setting));
        for (body, expected) in [
            (
                "Unsupported value: 'temperature' does not support 0.2 with this model. Only the \
                 default (1) value is supported.",
                setting(Setting::Temperature),
            ),
            ("Unsupported parameter: 'top_p' is not supported", setting(Setting::TopP)),
            (
                r#"{"loc":["body","seed"],"msg":"Extra inputs are not permitted"}"#,
                setting(Setting::Seed),
            ),
            ("property 'stop' is unsupported", setting(Setting::Stop)),
            ("Unrecognized request argument supplied: reasoning_effort", setting(Setting::Effort)),
            ("'reasoning_effort' does not support 'minimal'. Supported values are: 'low'", None),
            ("temperature must be at most 1", None),
            ("`temperature` and `top_p` cannot both be specified for this model", None),
            ("unknown parameter: temperatures", None),
            ("this model does not support images", None),
        ] {
            assert_eq!(Rejection::read(refused, body, true), expected, "{body}");
        }
    }

    #[test]
    fn rejections_about_streams_are_told_from_others() {
        let refused = StatusCode::BAD_REQUEST;
        for (body, expected) in [
            ("unknown field `stream_options`", Some(Rejection::StreamUsage)),
            (r#"{"loc":["include_usage"],"msg":"extra"}"#, Some(Rejection::StreamUsage)),
            ("'stream' does not support true with this model", Some(Rejection::Stream)),
            ("no response_format while streaming", Some(Rejection::Stream)),
            ("upstream: 'response_format' is not supported", Some(Rejection::Format)),
            ("upstream failed", None),
        ] {
            assert_eq!(Rejection::read(refused, body, true), expected, "{body}");
        }
        let about_both = "no response_format while streaming";
        assert_eq!(Rejection::read(refused, about_both, false), Some(Rejection::Format));
    }
}
