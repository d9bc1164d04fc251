//! No output contains a key or a prompt, and invalid settings are reported.

use std::{error::Error, fmt::Write};

use cot_model::{LanguageModel, ModelRequest};
use cot_providers::{GenAi, GenAiBuildError};

use crate::{
    KEY, builder,
    completions::data,
    protocols::protocols,
    server::{Answer, Server},
    sink::recording_sink,
};

const PROMPT: &str = "pr0mpt";

#[tokio::test]
async fn neither_key_nor_prompt_is_in_an_error() {
    let said = format!("Incorrect API key provided: {KEY}.");
    for protocol in protocols() {
        for answer in [
            Answer::failure(401, &said),
            Answer::new(403, said.clone()),
            Answer::new(200, said.clone()).with("content-type", "text/plain"),
            Answer::new(200, "no").with("content-type", KEY),
            Answer::json(200, &serde_json::json!({ "what": said })),
            Answer::json(200, &serde_json::json!({ "error": said })),
            Answer::new(200, data(&serde_json::json!({ "error": { "message": said } }))),
            Answer::new(200, format!("data: {said}\n\n")),
        ] {
            let server = Server::start([answer]).await;
            let model = builder(protocol.model, &server.base_url).max_retries(0).build().unwrap();
            let request = ModelRequest::new(PROMPT);
            let (sink, _) = recording_sink();
            for error in [
                model.reply(&request).await.unwrap_err(),
                model.stream(&request, &sink).await.unwrap_err(),
            ] {
                let texts = chain(&error) + &serde_json::to_string(&error).unwrap();
                assert_no_secret(&texts, &["sk-", PROMPT]);
            }
        }
    }
}

#[test]
fn neither_builder_nor_model_shows_the_key() {
    let builder = builder("anthropic::tiny", "http://127.0.0.1:1/a");
    assert_no_secret(&format!("{builder:?} {builder:#?}"), &[KEY]);
    let model = builder.build().unwrap();
    let shown = format!("{model:?}");
    assert!(shown.contains("Anthropic") && shown.contains("http://127.0.0.1:1/a/"), "{shown}");
    assert_no_secret(&format!("{model:?} {model:#?}"), &[KEY]);
}

#[test]
fn what_can_not_be_built_is_a_typed_error_without_secrets() {
    let build = |url: &str, key: &str| {
        builder("openai::tiny", url).key(key).build().map(|_| ()).unwrap_err()
    };
    for url in ["no url", "ftp://h/", "http://user:pa55@h/", "http://h/?key=pa55"] {
        let error = build(url, KEY);
        assert!(matches!(error, GenAiBuildError::Url), "{url}");
        assert_no_secret(&chain(&error), &["sk-", "pa55"]);
    }
    for key in ["", "sk-line\nbreak", "sk-ümlaut"] {
        let error = build("http://h/", key);
        assert!(matches!(error, GenAiBuildError::Key));
        assert_no_secret(&chain(&error), &["sk-"]);
    }
    let error = GenAi::builder("antropic::tiny").key(KEY).build().unwrap_err();
    assert_eq!(error.to_string(), "unknown provider `antropic`");
}

#[tokio::test]
async fn no_key_of_the_environment_goes_to_another_server() {
    for protocol in protocols() {
        let server = Server::start([(protocol.whole)("{}", protocol.stop)]).await;
        let model = GenAi::builder(protocol.model).base_url(&server.base_url).build().unwrap();
        model.reply(&ModelRequest::new("a")).await.unwrap();
        let asked = &server.asked()[0];
        let sent = ["authorization", "x-api-key", "x-goog-api-key"];
        let sent: Vec<_> = sent.iter().filter_map(|name| asked.headers.get(*name)).collect();
        let expected = match protocol.name {
            "anthropic" | "gemini" => "none",
            "ollama" => "Bearer ollama",
            _ => "Bearer none",
        };
        assert_eq!(sent, [expected], "{}", protocol.name);
    }
}

fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        write!(texts, "{error} {error:?} {error:#?} ").unwrap();
        next = error.source();
    }
    texts
}

fn assert_no_secret(texts: &str, secrets: &[&str]) {
    for secret in secrets {
        assert!(!texts.contains(secret), "{secret} is shown: {texts}");
    }
}
