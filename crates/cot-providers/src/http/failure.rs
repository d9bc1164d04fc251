//! What the errors of servers mean: the only place that decides it, for error statuses, for errors with status 200
//! and for errors within streams.

use serde_json::Value;

/// What an error that a server reports means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A content filter refused the prompt or the reply.
    Refused,
    /// The server rejected the reply that the model wrote.
    Rejected,
    /// The account or the key can't be used.
    Account,
    /// The status of the response, or the status that an error without one stands for.
    Status(u16),
    /// No status is known.
    Aborted,
}

/// Codes of content filters: Azure, OpenAI, DashScope.
const REFUSED_CODES: [&str; 5] = [
    "content_filter",
    "responsibleaipolicyviolation",
    "content_policy_violation",
    "moderation_blocked",
    "data_inspection_failed",
];

/// What content filters say: Azure, Anthropic, OpenAI, DeepSeek, Moonshot, OpenRouter.
const REFUSED_WORDS: [&str; 6] = [
    "content management policy",
    "content filtering policy",
    "flagged as potentially violating",
    "content exists risk",
    "considered high risk",
    "your input was flagged",
];

/// Codes of replies that a server could not read as what was asked for: Groq.
const REJECTED_CODES: [&str; 3] =
    ["tool_use_failed", "json_validate_failed", "output_parse_failed"];

/// What servers say of replies that they could not read: Ollama, llama.cpp.
const REJECTED_WORDS: [&str; 2] = ["error parsing tool call", "failed to parse input at pos"];

/// Codes of accounts without access or credit.
const ACCOUNT_CODES: [&str; 16] = [
    "account_deactivated",
    "api_key_invalid",
    "authentication_error",
    "authentication_failed",
    "billing_error",
    "billing_hard_limit_reached",
    "billing_not_active",
    "exceeded_current_quota_error",
    "insufficient_balance",
    "insufficient_credits",
    "insufficient_quota",
    "invalid_api_key",
    "payment_required",
    "permission_error",
    "unauthenticated",
    "unauthorized",
];

/// What servers without such a code say: Anthropic, Z.AI, OpenRouter, Gemini, xAI, OpenAI.
const ACCOUNT_WORDS: [&str; 7] = [
    "credit balance is too low",
    "insufficient balance",
    "insufficient credits",
    "api key not valid",
    "all available credits",
    "spending limit",
    "incorrect api key",
];

/// Parts of the names of failures, and the statuses that they stand for. The first one counts.
const NAMED_STATUSES: [(&str, u16); 14] = [
    ("rate_limit", 429),
    ("resource_exhausted", 429),
    ("throttl", 429),
    ("server_error", 500),
    ("servererror", 500),
    ("api_error", 500),
    ("overloaded", 503),
    ("unavailable", 503),
    ("timeout", 504),
    ("deadline_exceeded", 504),
    ("invalid_request", 400),
    ("invalid_argument", 400),
    ("context_length", 400),
    ("not_found", 404),
];

impl Failure {
    /// Returns what an error means. `status` is that of the response, if it is an error status.
    pub(crate) fn read(status: Option<u16>, error: &Value) -> Self {
        let codes = codes(error);
        let message = message(error).unwrap_or_default().to_lowercase();
        let has = |known: &[&str], said: &[&str]| {
            codes.iter().any(|code| known.contains(&code.as_str()))
                || said.iter().any(|words| message.contains(words))
        };
        let status = status.or_else(|| told_status(error)).or_else(|| named_status(&codes));
        let is_client_error = status.is_none_or(|status| (400..500).contains(&status));
        if is_client_error && has(&REFUSED_CODES, &REFUSED_WORDS) {
            Self::Refused
        } else if has(&REJECTED_CODES, &REJECTED_WORDS) {
            Self::Rejected
        } else if matches!(status, Some(401..=403))
            || is_client_error && has(&ACCOUNT_CODES, &ACCOUNT_WORDS)
        {
            Self::Account
        } else {
            status.map_or(Self::Aborted, Self::Status)
        }
    }

    /// Returns whether the server may have asked the model before it failed.
    pub(crate) const fn may_have_cost(self) -> bool {
        match self {
            Self::Refused | Self::Rejected | Self::Aborted => true,
            Self::Account => false,
            Self::Status(status) => !matches!(status, 400..=499 | 503 | 529),
        }
    }
}

/// Returns the error in a response with a success status, or in an event of a stream.
///
/// It is a member `error` of the whole, of the response in it, or of a choice; or the whole says that it is one.
pub(crate) fn reported_error(said: &Value) -> Option<&Value> {
    let choice = &said["choices"][0];
    let places = [
        &said["error"],
        &said["response"]["error"],
        &choice["error"],
        &choice["delta"]["error"],
        &choice["message"]["error"],
    ];
    let is_error = said["object"] == "error" || said["type"] == "error";
    let told = places.into_iter().find(|error| !is_nothing(error));
    told.or_else(|| is_error.then_some(said))
}

/// Returns the error of a body of a failure. The usual body is `{"error": {"message", "code"}}`; some servers omit
/// the outer level, and some send a list of one.
pub(crate) fn error_in(body: &Value) -> &Value {
    let body = match body {
        Value::Array(list) => list.first().unwrap_or(body),
        body => body,
    };
    body.get("error").filter(|error| !is_nothing(error)).unwrap_or(body)
}

/// Returns what an error says in words.
pub(crate) fn message(error: &Value) -> Option<&str> {
    [error, &error["message"], &error["detail"], &error["error"]]
        .into_iter()
        .find_map(Value::as_str)
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Returns the codes of an error in lower case.
fn codes(error: &Value) -> Vec<String> {
    let names = ["code", "type", "status", "error_type"];
    let details = error["details"].as_array().into_iter().flatten().map(|detail| &detail["reason"]);
    let told = names.map(|name| &error[name]).into_iter().chain([&error["innererror"]["code"]]);
    let codes = told.chain(details).filter_map(Value::as_str);
    codes.map(|code| code.to_lowercase().replace([' ', '-'], "_")).collect()
}

/// Returns the error status that an error contains as a number.
fn told_status(error: &Value) -> Option<u16> {
    let told = ["code", "status", "status_code", "type"].map(|name| &error[name]);
    let number = |told: &Value| match told {
        Value::String(text) => text.parse().ok(),
        told => told.as_u64().and_then(|code| u16::try_from(code).ok()),
    };
    told.into_iter().filter_map(number).find(|status| (400..600).contains(status))
}

fn named_status(codes: &[String]) -> Option<u16> {
    let named =
        NAMED_STATUSES.iter().find(|(part, _)| codes.iter().any(|code| code.contains(part)));
    named.map(|(_, status)| *status)
}

#[cfg(test)]
mod tests {
    use Failure::{Aborted, Account, Refused, Rejected, Status};
    use serde_json::json;

    use super::*;

    #[test]
    fn failures_with_a_status_are_told_apart() {
        for (status, error, expected) in [
            (400, json!({ "message": "no", "code": "content_filter", "status": 400 }), Refused),
            (400, json!({ "innererror": { "code": "ResponsibleAIPolicyViolation" } }), Refused),
            (
                403,
                json!({ "message": "… requires moderation. Your input was flagged for a" }),
                Refused,
            ),
            (400, json!({ "message": "Output blocked by content filtering policy" }), Refused),
            (500, json!({ "message": "the content filtering policy is down" }), Status(500)),
            (400, json!({ "message": "no", "code": "tool_use_failed" }), Rejected),
            (500, json!("error parsing tool call: raw='{'"), Rejected),
            (401, json!({}), Account),
            (402, json!({ "message": "Insufficient Balance" }), Account),
            (429, json!({ "type": "insufficient_quota", "code": "insufficient_quota" }), Account),
            (
                429,
                json!({ "code": "1113", "message": "Insufficient balance. Please recharge." }),
                Account,
            ),
            (
                429,
                json!({ "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED" }),
                Status(429),
            ),
            (
                400,
                json!({ "message": "Your credit balance is too low to access the API." }),
                Account,
            ),
            (
                400,
                json!({ "status": "INVALID_ARGUMENT", "details": [{ "reason": "API_KEY_INVALID" }] }),
                Account,
            ),
            (404, json!({ "code": "model_not_found" }), Status(404)),
            (500, json!({ "code": "insufficient_quota" }), Status(500)),
        ] {
            assert_eq!(Failure::read(Some(status), &error), expected, "{status} {error}");
        }
    }

    #[test]
    fn failures_without_a_status_stand_for_one() {
        for (error, expected) in [
            (json!({ "message": "no", "code": 502 }), Status(502)),
            (json!({ "message": "no", "code": "429" }), Status(429)),
            (json!({ "code": "x", "status": 503 }), Status(503)),
            (json!({ "type": "server_error", "code": null }), Status(500)),
            (json!({ "type": "Overloaded_Error" }), Status(503)),
            (json!({ "type": "tokens", "code": "rate_limit_exceeded" }), Status(429)),
            (json!({ "type": "BadRequestError", "code": 400 }), Status(400)),
            (json!({ "type": "invalid_request_error" }), Status(400)),
            (
                json!({ "type": "invalid_request_error", "code": "tool_use_failed", "status_code": 400 }),
                Rejected,
            ),
            (json!({ "type": "insufficient_quota" }), Account),
            (json!({ "code": 401 }), Account),
            (json!({ "code": 7 }), Aborted),
            (json!({ "code": 99_999_999 }), Aborted),
            (json!("oops"), Aborted),
        ] {
            assert_eq!(Failure::read(None, &error), expected, "{error}");
        }
    }

    #[test]
    fn errors_are_found_wherever_servers_put_them() {
        for (said, expected) in [
            (json!({ "error": { "code": 1 } }), Some(json!({ "code": 1 }))),
            (json!({ "error": "no", "error_type": "x" }), Some(json!("no"))),
            (json!({ "response": { "error": { "code": 2 } } }), Some(json!({ "code": 2 }))),
            (json!({ "choices": [{ "error": { "code": 3 } }] }), Some(json!({ "code": 3 }))),
            (
                json!({ "object": "error", "code": 4 }),
                Some(json!({ "object": "error", "code": 4 })),
            ),
            (json!({ "type": "error" }), Some(json!({ "type": "error" }))),
            (json!({ "error": null, "choices": [{ "error": null }] }), None),
            (json!({ "error": {}, "object": "chat.completion" }), None),
            (json!({ "error": "" }), None),
            (json!([1]), None),
        ] {
            assert_eq!(reported_error(&said), expected.as_ref(), "{said}");
        }
    }
}
