//! The settings of requests: how they are sent, their ranges, `extra`, and servers that reject them.

use std::sync::Arc;

use cot_model::{Effort, LanguageModel, ModelErrorKind, ModelRequest, ModelSettings};
use serde_json::{Value, json};

use crate::{
    model, request,
    server::{Answer, Server},
    sink::recording_sink,
    status,
};

fn all_settings() -> ModelSettings {
    ModelSettings {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(99),
        stop: vec!["END".to_owned(), "\n\n".to_owned()],
        seed: Some(7),
        effort: Some(Effort::Low),
        ..ModelSettings::default()
    }
}

fn with(settings: ModelSettings) -> ModelRequest {
    let mut request = request();
    request.settings = Arc::new(settings);
    request
}

fn extra(json: Value) -> ModelRequest {
    let settings = ModelSettings { extra: serde_json::from_value(json).unwrap(), ..all_settings() };
    with(settings)
}

/// The value of a member of each request; null where it is missing.
fn sent(server: &Server, name: &str) -> Vec<Value> {
    server.asked().into_iter().map(|asked| asked.body[name].clone()).collect()
}

#[tokio::test]
async fn settings_are_members_of_the_body() {
    let server = Server::start([Answer::completion("{}")]).await;
    model(&server.base_url).reply(&with(all_settings())).await.unwrap();
    let expected = json!({
        "model": "tiny",
        "messages": [{ "role": "user", "content": "Add a field." }],
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 99,
        "stop": ["END", "\n\n"],
        "seed": 7,
        "reasoning_effort": "low",
        "response_format": { "type": "json_schema", "json_schema": {
            "name": "add_field", "schema": { "type": "object" }, "strict": false } },
    });
    assert_eq!(server.asked()[0].body, expected);
}

#[tokio::test]
async fn the_ends_of_the_ranges_are_in_range() {
    let server = Server::start([Answer::completion("{}")]).await;
    for (temperature, top_p) in [(0.0, 1.0), (2.0, f64::MIN_POSITIVE)] {
        let (temperature, top_p) = (Some(temperature), Some(top_p));
        let settings = ModelSettings { temperature, top_p, ..ModelSettings::default() };
        model(&server.base_url).reply(&with(settings)).await.unwrap();
    }
    for level in Effort::ALL {
        let settings = ModelSettings { effort: Some(level), ..ModelSettings::default() };
        model(&server.base_url).reply(&with(settings)).await.unwrap();
        assert_eq!(server.asked().pop().unwrap().body["reasoning_effort"], level.as_str());
    }
}

#[tokio::test]
async fn settings_out_of_range_are_refused_before_anything_is_sent() {
    let server = Server::start([Answer::completion("{}")]).await;
    let temperature =
        |value| ModelSettings { temperature: Some(value), ..ModelSettings::default() };
    let top_p = |value| ModelSettings { top_p: Some(value), ..ModelSettings::default() };
    let stop = ModelSettings { stop: vec!["a".into(), "".into()], ..ModelSettings::default() };
    for (settings, message) in [
        (temperature(-0.1), "`temperature` must be from 0 to 2, but is -0.1"),
        (temperature(2.5), "`temperature` must be from 0 to 2, but is 2.5"),
        (temperature(f64::NAN), "`temperature` must be from 0 to 2, but is NaN"),
        (temperature(f64::INFINITY), "`temperature` must be from 0 to 2, but is inf"),
        (top_p(0.0), "`top_p` must be above 0 and at most 1, but is 0"),
        (top_p(1.5), "`top_p` must be above 0 and at most 1, but is 1.5"),
        (top_p(f64::NAN), "`top_p` must be above 0 and at most 1, but is NaN"),
        (stop, "`stop` must not contain an empty text"),
    ] {
        let error = model(&server.base_url).reply(&with(settings)).await.unwrap_err();
        assert_eq!((error.kind(), error.is_retryable()), (&ModelErrorKind::Other, false));
        assert_eq!(error.to_string(), message);
    }
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn extra_members_are_added_last_and_take_precedence() {
    let server = Server::start([Answer::completion("{}")]).await;
    let request = extra(json!({ "temperature": 0.1, "top_k": 40, "provider": { "only": ["a"] } }));
    model(&server.base_url).reply(&request).await.unwrap();
    let body = &server.asked()[0].body;
    assert_eq!((&body["temperature"], &body["top_k"]), (&json!(0.1), &json!(40)));
    assert_eq!((&body["provider"], &body["seed"]), (&json!({ "only": ["a"] }), &json!(7)));
    assert_eq!(body["messages"][0]["content"], "Add a field.");
}

#[tokio::test]
async fn extra_members_can_not_replace_the_request() {
    let server = Server::start([Answer::completion("{}")]).await;
    let (sink, _) = recording_sink();
    for name in ["messages", "model", "stream"] {
        let error = model(&server.base_url).stream(&extra(json!({ name: true })), &sink).await;
        let message = format!("`extra` must not contain `{name}`, which the client sets");
        assert_eq!(error.unwrap_err().to_string(), message);
    }
    assert!(server.asked().is_empty());
}

/// Rejections of one setting as servers word them, and the name of the setting.
const REJECTIONS: [(&str, &str); 6] = [
    ("temperature", "Unsupported value: 'temperature' does not support 0.5 with this model."),
    ("temperature", "Unsupported parameter: 'temperature' is not supported with this model."),
    ("top_p", "Unsupported parameter: 'top_p' is not supported with this model."),
    ("reasoning_effort", "Unrecognized request argument supplied: reasoning_effort"),
    ("seed", "property 'seed' is unsupported"),
    ("stop", "body.stop: Extra inputs are not permitted"),
];

#[tokio::test]
async fn a_rejected_setting_is_omitted_from_then_on() {
    for (name, rejection) in REJECTIONS {
        for code in [400, 422] {
            let answers = [Answer::failure(code, rejection), Answer::completion("{}")];
            let server = Server::start(answers).await;
            let model = model(&server.base_url);
            let (sink, _) = recording_sink();
            model.reply(&with(all_settings())).await.unwrap();
            model.clone().stream(&with(all_settings()), &sink).await.unwrap();
            for setting in ["temperature", "top_p", "reasoning_effort", "seed", "stop"] {
                let has = sent(&server, setting).into_iter().map(|value| !value.is_null());
                let expected = if setting == name { [true, false, false] } else { [true; 3] };
                assert_eq!(has.collect::<Vec<_>>(), expected, "{rejection}: {setting}");
            }
        }
    }
}

#[tokio::test]
async fn several_settings_may_be_rejected() {
    let refusals = REJECTIONS.into_iter().skip(1).map(|(_, text)| Answer::failure(400, text));
    let server = Server::start(refusals.chain([Answer::completion("{}")])).await;
    let model = model(&server.base_url);
    for _ in 0..2 {
        model.reply(&with(all_settings())).await.unwrap();
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 7);
    for asked in &asked[5..] {
        let mut names: Vec<_> = asked.body.as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(names, ["max_tokens", "messages", "model", "response_format"]);
    }
}

#[tokio::test]
async fn what_is_not_the_rejection_of_a_setting_that_was_sent_is_reported() {
    let none = ModelSettings::default;
    for (settings, refusal) in [
        (all_settings(), "temperature must be at most 1"),
        (all_settings(), "`temperature` and `top_p` cannot both be specified for this model"),
        (all_settings(), "'reasoning_effort' is not supported: supported values are 'high'"),
        (all_settings(), "this combination of parameters is not supported"),
        (none(), "Unsupported parameter: 'temperature' is not supported with this model."),
        // What the user sends as it is, is never dropped.
        (Arc::unwrap_or_clone(extra(json!({ "top_k": 3 })).settings), "unknown parameter: top_k"),
    ] {
        let server = Server::start([Answer::failure(400, refusal)]).await;
        let error = model(&server.base_url).reply(&with(settings)).await.unwrap_err();
        assert_eq!(status(&error), Some(400), "{refusal}");
        assert!(error.to_string().contains(refusal), "{error}");
        assert_eq!(server.asked().len(), 1, "{refusal}");
    }
}

#[tokio::test]
async fn a_setting_is_omitted_once_and_remembered_only_after_a_success() {
    let refusal = Answer::failure(400, REJECTIONS[0].1);
    let server = Server::start([refusal.clone(), refusal, Answer::completion("{}")]).await;
    let model = model(&server.base_url);
    let error = model.reply(&with(all_settings())).await.unwrap_err();
    assert_eq!(status(&error), Some(400));
    model.reply(&with(all_settings())).await.unwrap();
    assert_eq!(sent(&server, "temperature"), [json!(0.5), Value::Null, json!(0.5)]);
}
