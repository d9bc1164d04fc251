//! The settings of requests, and how the client is built.

use std::sync::Arc;

use cot_model::{Effort, LanguageModel, ModelErrorKind, ModelRequest, ModelSettings};
use cot_providers::{Anthropic, ClientBuildError};
use serde_json::{Value, json};

use crate::{KEY, builder, failures::refused, model, plain, request, sent, server::Server};

fn with(settings: ModelSettings) -> ModelRequest {
    let mut request = request();
    request.settings = Arc::new(settings);
    request
}

fn effort(effort: Effort, max_tokens: u32) -> ModelRequest {
    let (effort, max_tokens) = (Some(effort), Some(max_tokens));
    with(ModelSettings { effort, max_tokens, temperature: Some(0.2), ..ModelSettings::default() })
}

#[tokio::test]
async fn settings_are_sent_by_the_names_of_the_protocol() {
    let extra = json!({ "top_k": 3, "metadata": { "user_id": "u" }, "output_config": { "task_budget": 7 } });
    let request = with(ModelSettings {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(99),
        stop: vec!["END".to_owned()],
        seed: Some(7),
        extra: extra.as_object().unwrap().clone(),
        ..ModelSettings::default()
    });
    let body = sent(&request, |builder| builder).await;
    for (name, value) in [
        ("temperature", json!(0.5)),
        ("top_p", json!(0.9)),
        ("max_tokens", json!(99)),
        ("stop_sequences", json!(["END"])),
        ("top_k", json!(3)),
        ("metadata", json!({ "user_id": "u" })),
    ] {
        assert_eq!(body[name], value, "{name}");
    }
    assert_eq!((body.get("seed"), body.get("stream"), body.get("thinking")), (None, None, None));
    // The format stays beside what the program adds.
    assert_eq!(body["output_config"]["task_budget"], 7);
    assert_eq!(body["output_config"]["format"]["type"], "json_schema");
    let body = sent(&ModelRequest::new("a"), |builder| builder.max_tokens(77)).await;
    assert_eq!(body["max_tokens"], 77);
}

#[tokio::test]
async fn members_that_the_client_sets_can_not_be_replaced() {
    for name in ["messages", "model", "stream", "system"] {
        let extra = [(name.to_owned(), json!(1))].into_iter().collect();
        let request = with(ModelSettings { extra, ..ModelSettings::default() });
        let error = model("http://127.0.0.1:1").reply(&request).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Other);
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[tokio::test]
async fn effort_makes_the_model_think() {
    for (level, sent_level) in [
        (Effort::Minimal, "low"),
        (Effort::Low, "low"),
        (Effort::Medium, "medium"),
        (Effort::High, "high"),
    ] {
        let body = sent(&effort(level, 8000), |builder| builder).await;
        assert_eq!(body["thinking"], json!({ "type": "adaptive" }));
        assert_eq!(body["output_config"]["effort"], sent_level);
        assert_eq!(body["output_config"]["format"]["type"], "json_schema");
        assert_eq!(body.get("temperature"), None);
    }
}

#[tokio::test]
async fn a_model_without_levels_of_effort_gets_a_share_of_the_limit() {
    let budget = |tokens: u32| Some(json!({ "type": "enabled", "budget_tokens": tokens }));
    for (level, limit, expected) in [
        (Effort::Minimal, 8000, budget(1024)),
        (Effort::Low, 8000, budget(2000)),
        (Effort::Medium, 8000, budget(4000)),
        (Effort::High, 8000, budget(6000)),
        (Effort::High, 1024, None),
    ] {
        for message in [
            "adaptive thinking is not supported on this model",
            "This model does not support the effort parameter.",
            "output_config.effort: Extra inputs are not permitted",
            "thinking.type: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
        ] {
            let server = Server::start([refused(message), plain("{}")]).await;
            let model = model(&server.base_url);
            for _ in 0..2 {
                model.reply(&effort(level, limit)).await.unwrap();
            }
            let bodies: Vec<Value> = server.asked().into_iter().map(|asked| asked.body).collect();
            assert_eq!(bodies.len(), 3, "{message}");
            for body in &bodies[1..] {
                assert_eq!(body.get("thinking"), expected.as_ref(), "{message}");
                assert_eq!(body["output_config"].get("effort"), None);
                assert_eq!(body["output_config"]["format"]["type"], "json_schema");
            }
        }
    }
}

#[tokio::test]
async fn a_model_that_does_not_think_is_not_asked_to() {
    let refusals = [
        refused("adaptive thinking is not supported on this model"),
        refused("'claude-tiny' does not support thinking."),
    ];
    let server = Server::start(refusals.into_iter().chain([plain("{}")])).await;
    let model = model(&server.base_url);
    for _ in 0..2 {
        model.reply(&effort(Effort::High, 8000)).await.unwrap();
    }
    let bodies: Vec<Value> = server.asked().into_iter().map(|asked| asked.body).collect();
    assert_eq!(bodies.len(), 4);
    for body in &bodies[2..] {
        assert_eq!((body.get("thinking"), &body["temperature"]), (None, &json!(0.2)));
    }
}

#[tokio::test]
async fn a_level_that_the_program_names_itself_is_not_dropped() {
    let mut request = effort(Effort::High, 8000);
    let extra = json!({ "output_config": { "effort": "xhigh" } });
    Arc::make_mut(&mut request.settings).extra = extra.as_object().unwrap().clone();
    let message = "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.";
    let server = Server::start([refused(message)]).await;
    let error = model(&server.base_url).reply(&request).await.unwrap_err();
    assert!(error.to_string().contains("Supported levels"), "{error}");
    assert_eq!(server.asked().len(), 1);
    assert_eq!(server.asked()[0].body["output_config"]["effort"], "xhigh");
}

#[test]
fn what_can_not_be_built_is_a_typed_error() {
    let build = |url: &str| builder(url).build().unwrap_err();
    assert!(matches!(build("no url"), ClientBuildError::Url(_)));
    assert!(matches!(build("ftp://h/v1"), ClientBuildError::Scheme));
    assert!(matches!(build("http://u:pa55@h/v1"), ClientBuildError::TwoCredentials));
    let keyless = builder("http://h/v1").key("sk-line\nbreak").build();
    assert!(matches!(keyless, Err(ClientBuildError::Key)));
    let beta = builder("http://h/v1").beta("a\nb").build();
    assert!(matches!(beta, Err(ClientBuildError::Beta)));
}

#[test]
fn the_default_address_is_that_of_the_vendor() {
    let model = Anthropic::builder("claude-tiny").key(KEY).build();
    // A build without TLS has no client for it.
    if let Ok(model) = model {
        assert_eq!(model.info().address, Some("api.anthropic.com"));
        assert!(format!("{model:?}").contains("https://api.anthropic.com/v1/messages"));
    }
}
