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
const ABOUT_A_SCHEMA: [&str; 5] = [
    "invalid schema",
    "unsupported schema",
    "invalid json schema",
    "schema conversion",
    "format.schema",
];

/// Phrases about the grammar that a server makes of a schema.
const ABOUT_A_GRAMMAR: [&str; 5] = [
    "parse grammar",
    "parse the grammar",
    "invalid grammar",
    "compiled grammar",
    "schema is too complex",
];

/// Phrases about tools as a parameter, with blanks instead of underscores.
const ABOUT_THE_TOOLS: [&str; 2] = ["tools", "tool choice"];

/// Phrases about tools in general.
const ABOUT_TOOLS: [&str; 3] = ["tool use", "tool call", "function call"];

/// Phrases that tell that tools are not supported. The others of [`UNSUPPORTED`] are also said of calls.
const UNSUPPORTED_TOOLS: [&str; 7] = [
    "unsupported",
    "not support",
    "requires --",
    "not enabled",
    "not implemented",
    "cannot be combined",
    "cannot be used",
];

/// Phrases about the response format in rejections of its combination with tools.
const ABOUT_THE_FORMAT_WITH_TOOLS: [&str; 4] =
    ["json mode", "structured output", "response mime type", "grammar"];

/// Phrases about the schema of a tool, or a setting or a message that has to do with tools.
const ABOUT_A_CALL: [&str; 4] = ["schema", "parallel tool", "tool call id", "tools["];

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

/// Phrases that tell that a parameter is not supported in the form that was sent.
const OTHER_FORMS: [&str; 1] = ["any of the expected tags"];

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

    /// Returns the names of the parameter: OpenAI's, and Anthropic's.
    const fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Temperature => &["temperature"],
            Self::TopP => &["top_p"],
            Self::Stop => &["stop", "stop_sequences"],
            Self::Seed => &["seed"],
            Self::Effort => &["reasoning_effort", "effort", "thinking"],
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
    /// The effort is not supported in its newer form.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    NewerEffort,
    /// Streaming is supported, but not its usage.
    StreamUsage,
    /// Streaming is not supported, in general or for this request.
    Stream,
    /// The setting is not supported.
    Setting(Setting),
    /// Tools are not supported.
    Tools,
    /// The response format is not supported beside tools.
    FormatWithTools,
}

/// What a rejected request contained besides its messages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SentFeatures {
    pub(crate) stream: bool,
    pub(crate) tools: bool,
}

impl Rejection {
    /// Classifies the body of a rejection.
    pub(crate) fn read(status: StatusCode, body: &str, sent: SentFeatures) -> Option<Self> {
        let body = body.to_lowercase();
        let words = body.replace('_', " ");
        if !matches!(status.as_u16(), 400 | 422) {
            // Some servers answer with these statuses if the model or the server has no tools.
            let is_known = sent.tools && matches!(status.as_u16(), 404 | 405 | 500 | 501);
            let is_said = is_known && UNSUPPORTED_TOOLS.iter().any(|said| words.contains(said));
            return tool_rejection(&words).filter(|said| is_said && *said == Self::Tools);
        }
        if body.contains("max_tokens") && body.contains("max_completion_tokens") {
            Some(Self::Limit)
        } else if let Some(rejection) = tool_rejection(&words).filter(|_| sent.tools) {
            Some(rejection)
        } else if let Some(rejection) = stream_rejection(&words).filter(|_| sent.stream) {
            Some(rejection)
        } else if ABOUT_A_GRAMMAR.iter().any(|about| words.contains(about)) {
            Some(Self::Schema)
        } else if !is_about_the_format(&words) {
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

// Anthropic's member for the format is that for the effort too.
fn is_about_the_format(words: &str) -> bool {
    let words = words.replace("output config.effort", "effort");
    ABOUT_THE_FORMAT.iter().any(|about| words.contains(about))
}

// What is said about a schema or a call is about this request, not about tools as such.
fn tool_rejection(words: &str) -> Option<Rejection> {
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let is_unsupported = has(&UNSUPPORTED_TOOLS) && (has(&ABOUT_TOOLS) || has(&ABOUT_THE_TOOLS));
    if !(is_unsupported || has(&ABOUT_THE_TOOLS) && has(&UNSUPPORTED)) {
        return None;
    }
    if has(&ABOUT_THE_FORMAT) || has(&ABOUT_THE_FORMAT_WITH_TOOLS) {
        return Some(Rejection::FormatWithTools);
    }
    (!has(&ABOUT_A_CALL)).then_some(Rejection::Tools)
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
    let mut phrases = UNSUPPORTED.iter().chain(&OTHER_FORMS);
    let is_unsupported = phrases.any(|phrase| words.contains(phrase));
    let names_values = ["supported values", "supported levels"];
    if !is_unsupported || names_values.iter().any(|said| words.contains(said)) {
        return None;
    }
    let mut names = body.split(|c: char| !c.is_alphanumeric() && c != '_');
    names.find_map(|name| {
        Setting::ALL.into_iter().find(|setting| setting.parameters().contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: SentFeatures = SentFeatures { stream: false, tools: false };
    const STREAM: SentFeatures = SentFeatures { stream: true, tools: false };
    const TOOLS: SentFeatures = SentFeatures { stream: false, tools: true };

    #[test]
    fn rejections_are_told_from_each_other() {
        let refused = StatusCode::BAD_REQUEST;
        for (body, expected) in [
            ("'response_format' is not supported", Some(Rejection::Format)),
            ("unknown type: json_schema", Some(Rejection::Format)),
            ("Invalid schema for response_format 'a'", Some(Rejection::Schema)),
            ("JSON schema conversion failed", Some(Rejection::Schema)),
            ("Failed to parse grammar", Some(Rejection::Schema)),
            ("failed to parse grammar: unknown escape at \\/b", Some(Rejection::Schema)),
            ("Unsupported JSON schema: no `pattern`", Some(Rejection::Schema)),
            ("unsupported response_format type: json_schema", Some(Rejection::Format)),
            ("no 'max_tokens'; use 'max_completion_tokens' instead", Some(Rejection::Limit)),
            ("max_tokens is too large", None),
            ("unknown model", None),
        ] {
            assert_eq!(Rejection::read(refused, body, PLAIN), expected, "{body}");
        }
        assert_eq!(Rejection::read(StatusCode::UNAUTHORIZED, "response_format", PLAIN), None);
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
            assert_eq!(Rejection::read(refused, body, STREAM), expected, "{body}");
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
            assert_eq!(Rejection::read(refused, body, STREAM), expected, "{body}");
        }
        let about_both = "no response_format while streaming";
        assert_eq!(Rejection::read(refused, about_both, PLAIN), Some(Rejection::Format));
    }

    #[test]
    fn rejections_of_tools_are_told_from_others() {
        for (status, body, expected) in [
            (400, "registry.ollama.ai/library/gemma:2b does not support tools", true),
            (400, "\"auto\" tool choice requires --enable-auto-tool-choice to be set", true),
            (
                400,
                "tools is not supported in this model. For a list of supported models, see",
                true,
            ),
            (400, "Unrecognized request argument supplied: tools", true),
            (400, "Function calling is not enabled for this model", true),
            (422, r#"{"loc":["body","tools"],"msg":"Extra inputs are not permitted"}"#, true),
            (404, "No endpoints found that support tool use. Not supported by the provider", true),
            (405, "Tool calling is not supported for model: mistral", true),
            (500, "Unsupported param: tools", true),
            (500, "tools param requires --jinja flag", true),
            (500, "an unexpected failure", false),
            (500, "failed to parse tool call: unexpected end of the tools", false),
            (400, "unexpected tool call in the reply", false),
            (401, "tools are not supported", false),
            (400, "Invalid schema for function 'pay': 'format' is not permitted. tools", false),
            (400, "parallel_tool_calls is not supported with this model", false),
            (400, "messages with role 'tool' must follow 'tool_calls'", false),
            (400, "Invalid 'tools[0].function.name': unexpected characters", false),
            (400, "tool_call_id call_1 is unknown", false),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let expected = expected.then_some(Rejection::Tools);
            assert_eq!(Rejection::read(status, body, TOOLS), expected, "{body}");
            assert_ne!(Rejection::read(status, body, PLAIN), Some(Rejection::Tools), "{body}");
        }
    }

    #[test]
    fn a_format_that_is_not_supported_beside_tools_is_told_from_one_that_is_not_at_all() {
        let refused = StatusCode::BAD_REQUEST;
        for body in [
            "response_format `json_schema` cannot be combined with tool/function calling",
            "json mode cannot be combined with tool/function calling",
            "Function calling with a response mime type: 'application/json' is unsupported",
            "Streaming and tool use are not currently supported with Structured Outputs, not supported",
            "Cannot use custom grammar constraints with tools: not supported",
        ] {
            let rejection = Rejection::read(refused, body, TOOLS);
            assert_eq!(rejection, Some(Rejection::FormatWithTools), "{body}");
        }
        let plain = "'response_format' is not supported";
        assert_eq!(Rejection::read(refused, plain, TOOLS), Some(Rejection::Format));
    }
}
