//! What servers have against the way a request is put, told from their words.

use reqwest::StatusCode;

/// How servers speak about the response format, with blanks for underscores.
const ABOUT_THE_FORMAT: [&str; 6] = [
    "response format",
    "json schema",
    "json object",
    "responsejsonschema",
    "output format",
    "output config",
];

/// How servers speak about the schema of one request. `json schema` in two words does so too: the
/// format is called `json_schema`. In doubt it is the schema, as then the next request has its chance.
const ABOUT_A_SCHEMA: [&str; 4] =
    ["invalid schema", "unsupported schema", "invalid json schema", "schema conversion"];

/// What a server has against the way a request is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Complaint {
    /// It doesn't know the response format.
    Format,
    /// It knows the format, and dislikes the schema of this request.
    Schema,
    /// It wants the limit as `max_completion_tokens`, and not as `max_tokens`.
    Limit,
    /// It streams, but without usage.
    StreamUsage,
    /// It doesn't stream, or not this.
    Stream,
}

impl Complaint {
    /// What the body of a refusal says against the request; it was one for a stream or not.
    pub(crate) fn read(status: StatusCode, body: &str, streams: bool) -> Option<Self> {
        if !matches!(status.as_u16(), 400 | 422) {
            return None;
        }
        let body = body.to_lowercase();
        let words = body.replace('_', " ");
        if body.contains("max_tokens") && body.contains("max_completion_tokens") {
            Some(Self::Limit)
        } else if let Some(complaint) = stream_complaint(&words).filter(|_| streams) {
            Some(complaint)
        } else if !ABOUT_THE_FORMAT.iter().any(|about| words.contains(about)) {
            None
        } else if body.contains("json schema")
            || ABOUT_A_SCHEMA.iter().any(|about| words.contains(about))
        {
            Some(Self::Schema)
        } else {
            Some(Self::Format)
        }
    }
}

// As a word alone: proxies speak of an `upstream`.
fn stream_complaint(words: &str) -> Option<Complaint> {
    if words.contains("stream options") || words.contains("include usage") {
        return Some(Complaint::StreamUsage);
    }
    let mut words = words.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "stream" | "streaming")).then_some(Complaint::Stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_told_from_each_other() {
        let refused = StatusCode::BAD_REQUEST;
        for (body, expected) in [
            ("'response_format' is not supported", Some(Complaint::Format)),
            ("unknown type: json_schema", Some(Complaint::Format)),
            ("Invalid schema for response_format 'a'", Some(Complaint::Schema)),
            ("JSON schema conversion failed", Some(Complaint::Schema)),
            ("Unsupported JSON schema: no `pattern`", Some(Complaint::Schema)),
            ("unsupported response_format type: json_schema", Some(Complaint::Format)),
            ("no 'max_tokens'; use 'max_completion_tokens' instead", Some(Complaint::Limit)),
            ("max_tokens is too large", None),
            ("unknown model", None),
        ] {
            assert_eq!(Complaint::read(refused, body, false), expected, "{body}");
        }
        assert_eq!(Complaint::read(StatusCode::UNAUTHORIZED, "response_format", false), None);
    }

    #[test]
    fn complaints_about_streams_are_told_from_others() {
        let refused = StatusCode::BAD_REQUEST;
        for (body, expected) in [
            ("unknown field `stream_options`", Some(Complaint::StreamUsage)),
            (r#"{"loc":["include_usage"],"msg":"extra"}"#, Some(Complaint::StreamUsage)),
            ("'stream' does not support true with this model", Some(Complaint::Stream)),
            ("no response_format while streaming", Some(Complaint::Stream)),
            ("upstream: 'response_format' is not supported", Some(Complaint::Format)),
            ("upstream failed", None),
        ] {
            assert_eq!(Complaint::read(refused, body, true), expected, "{body}");
        }
        let about_both = "no response_format while streaming";
        assert_eq!(Complaint::read(refused, about_both, false), Some(Complaint::Format));
    }
}
