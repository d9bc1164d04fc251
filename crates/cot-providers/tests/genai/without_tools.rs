//! Servers that have no tools, or no response format beside them.

use cot_model::LanguageModel;

use crate::{
    builder,
    server::{Answer, Server},
    tools::{PROVIDERS, request},
};

#[tokio::test]
async fn a_server_without_tools_gets_them_in_the_prompt_from_then_on() {
    for (name, answer) in PROVIDERS {
        let refusal = Answer::failure(400, "This model does not support tools.");
        let server = Server::start([refusal, answer(&[])]).await;
        let model = builder(name, &server.base_url).build().unwrap();
        for _ in 0..2 {
            model.reply(&request()).await.unwrap();
        }
        assert!(!model.calls_tools());
        let tools: Vec<bool> =
            server.asked().iter().map(|asked| asked.body.get("tools").is_some()).collect();
        assert_eq!(tools, [true, false, false], "{name}");
        assert!(
            server.asked()[2].body.to_string().contains("- `weather`: Does weather."),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_server_without_a_format_beside_tools_keeps_it_without_them() {
    let refusal = "Function calling with a response mime type: 'application/json' is unsupported";
    let server = Server::start([Answer::failure(400, refusal), (PROVIDERS[1].1)(&[])]).await;
    let model = builder("gemini::tiny", &server.base_url).build().unwrap();
    for request in [request(), request(), crate::request()] {
        model.reply(&request).await.unwrap();
    }
    let asked = server.asked();
    let formats =
        asked.iter().map(|asked| asked.body["generationConfig"].get("responseMimeType").is_some());
    assert_eq!(formats.collect::<Vec<_>>(), [true, false, false, true]);
}

#[tokio::test]
async fn some_providers_get_tools_in_the_prompt_alone() {
    for name in ["cohere::tiny", "ollama_cloud::tiny", "bedrock_api::tiny"] {
        let model = builder(name, "http://127.0.0.1:1/v1/").build().unwrap();
        assert!(!model.calls_tools(), "{name}");
    }
    let server = Server::start([(PROVIDERS[2].1)(&[])]).await;
    let model = builder("openai::tiny", &server.base_url).tool_calls(false).build().unwrap();
    assert!(!model.calls_tools());
    model.reply(&request()).await.unwrap();
    assert_eq!(server.asked()[0].body.get("tools"), None);
}
