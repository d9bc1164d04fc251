//! The requests to each provider.

use std::sync::Arc;

use cot_model::{LanguageModel, ModelRequest, ReplySchema};
use cot_providers::ResponseFormat;
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::{
    KEY, builder,
    protocols::{Protocol, protocols},
    request,
    server::{Answer, Asked, Server},
};

/// The parts of a request to a provider.
async fn sent(protocol: &Protocol, request: &ModelRequest) -> Asked {
    let server = Server::start([(protocol.whole)("{}", protocol.stop)]).await;
    let model = builder(protocol.model, &server.base_url).build().unwrap();
    model.reply(request).await.unwrap();
    server.asked().remove(0)
}

fn full_request() -> ModelRequest {
    let mut request = request().with_system("Be brief.");
    Arc::make_mut(&mut request.settings).temperature = Some(0.5);
    Arc::make_mut(&mut request.settings).max_tokens = Some(99);
    request
}

async fn body_of(name: &str) -> (Asked, Value) {
    let protocol = protocols().into_iter().find(|protocol| protocol.name == name).unwrap();
    let asked = sent(&protocol, &full_request()).await;
    let body = asked.body.clone();
    (asked, body)
}

/// The schema of the request in this dialect.
fn written(dialect: Dialect) -> Value {
    dialect.rewrite(&request().schema.unwrap().json).unwrap()
}

#[tokio::test]
async fn anthropic_gets_an_output_format() {
    let (asked, body) = body_of("anthropic").await;
    assert_eq!((&*asked.method, &*asked.target), ("POST", "/v1/messages"));
    assert_eq!(asked.headers["x-api-key"], KEY);
    assert!(asked.headers.contains_key("anthropic-version"));
    let expected = json!({
        "model": "tiny", "stream": false,
        "system": [{ "type": "text", "text": "Be brief.", "cache_control": { "type": "ephemeral" } }],
        "messages": [{ "role": "user", "content": "Add a field." }],
        "output_config": { "format": { "type": "json_schema", "schema": written(Dialect::Anthropic) } },
        "temperature": 0.5, "max_tokens": 99,
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn gemini_gets_a_response_schema() {
    let (asked, body) = body_of("gemini").await;
    assert_eq!(asked.target, "/v1/models/tiny:generateContent");
    assert_eq!(asked.headers["x-goog-api-key"], KEY);
    let parts = |text: &str| json!([{ "text": text }]);
    let expected = json!({
        "systemInstruction": { "parts": parts("Be brief.") },
        "contents": [{ "role": "user", "parts": parts("Add a field.") }],
        "generationConfig": {
            "responseMimeType": "application/json",
            "responseJsonSchema": written(Dialect::Gemini),
            "temperature": 0.5,
            "maxOutputTokens": 99,
        },
    });
    assert_eq!(body, expected);
}

fn messages() -> Value {
    json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "Add a field." },
    ])
}

#[tokio::test]
async fn openai_gets_a_strict_schema() {
    let (asked, body) = body_of("openai").await;
    assert_eq!(asked.target, "/v1/chat/completions");
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    let schema =
        json!({ "name": "add_field", "strict": true, "schema": written(Dialect::OpenAiStrict) });
    let mut expected = json!({
        "model": "tiny", "stream": false, "messages": messages(),
        "response_format": { "type": "json_schema", "json_schema": schema },
        "temperature": 0.5, "max_tokens": 99,
    });
    // No cache is requested if none was asked for.
    expected.sort_all_objects();
    let mut body = body;
    body.sort_all_objects();
    assert_eq!(body, expected);
}

#[tokio::test]
async fn ollama_gets_the_schema_as_it_is() {
    let (asked, body) = body_of("ollama").await;
    assert_eq!(asked.target, "/v1/chat/completions");
    let schema = json!({ "name": "add_field", "schema": written(Dialect::LlamaCpp) });
    let expected = json!({ "type": "json_schema", "json_schema": schema });
    assert_eq!((&body["response_format"], &body["messages"]), (&expected, &messages()));
}

#[tokio::test]
async fn responses_get_a_strict_schema() {
    let (asked, body) = body_of("responses").await;
    assert_eq!(asked.target, "/v1/responses");
    let format = json!({ "type": "json_schema", "name": "add_field", "strict": true,
        "schema": written(Dialect::OpenAiStrict) });
    assert_eq!(body["text"]["format"], format);
    assert_eq!(
        (&body["instructions"], &body["max_output_tokens"]),
        (&json!("Be brief."), &json!(99))
    );
    assert_eq!(body["store"], false);
}

#[tokio::test]
async fn what_is_in_the_dialect_comes_through_as_it_is() {
    let json = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "maxLength": 40 },
            "note": { "type": ["string", "null"], "description": "Why." },
            "kind": { "$ref": "#/$defs/Kind", "description": "What." },
            "counts": { "type": "object", "additionalProperties": { "type": "integer" } },
        },
        "required": ["name", "kind"],
        "$defs": { "Kind": { "oneOf": [
            { "type": "object", "properties": { "is": { "type": "string", "const": "text" } },
              "required": ["is"] },
            { "type": "object", "properties": { "is": { "type": "string", "const": "number" },
              "digits": { "type": "integer", "minimum": 0 } }, "required": ["is"] },
        ] } },
    });
    let mut request = request();
    request.schema = Some(ReplySchema { name: "add_field".into(), json: json.clone() }.into());
    for protocol in protocols().iter().filter(|protocol| protocol.dialect != Dialect::Plain) {
        let body = sent(protocol, &request).await.body;
        let places = [
            "/output_config/format/schema",
            "/generationConfig/responseJsonSchema",
            "/response_format/json_schema/schema",
            "/text/format/schema",
        ];
        let sent = places.iter().find_map(|place| body.pointer(place)).unwrap();
        let expected = protocol.dialect.rewrite(&json).unwrap();
        assert_eq!(sent, &expected, "{}", protocol.name);
        assert_eq!(sent.to_string(), expected.to_string(), "the order is kept: {}", protocol.name);
    }
}

#[tokio::test]
async fn where_no_schema_can_be_sent_the_prompt_explains_the_format() {
    let (asked, body) = body_of("ollama_cloud").await;
    assert_eq!(asked.target, "/v1/api/chat");
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(body["format"], "json");
    assert_eq!(body["messages"][1]["content"], "Add a field.\n\nAnswer in JSON.");
    assert_eq!(body["options"], json!({ "temperature": 0.5, "num_predict": 99 }));
}

#[tokio::test]
async fn a_request_without_a_schema_has_no_format() {
    let plain = ModelRequest::new("Say hi.").append_format("\nAs text.");
    for protocol in protocols() {
        let body = sent(&protocol, &plain).await.body.to_string();
        assert!(body.contains(r"Say hi.\nAs text."), "{body}");
        let format = ["response_format", "output_config", "responseJsonSchema", "format\""];
        assert!(!format.iter().any(|format| body.contains(format)), "{body}");
    }
}

#[tokio::test]
async fn the_format_is_explained_where_it_is_asked_for() {
    for protocol in protocols() {
        for (format, explain, explained) in [
            (ResponseFormat::JsonSchema, true, true),
            (ResponseFormat::JsonObject, false, true),
            (ResponseFormat::PromptOnly, false, true),
            (ResponseFormat::JsonSchema, false, protocol.dialect == Dialect::Plain),
        ] {
            let server = Server::start([(protocol.whole)("{}", protocol.stop)]).await;
            let builder = builder(protocol.model, &server.base_url).explain_format(explain);
            let model = builder.response_format(format).build().unwrap();
            model.reply(&request()).await.unwrap();
            let body = server.asked()[0].body.to_string();
            assert_eq!(body.contains("Answer in JSON."), explained, "{} {format:?}", protocol.name);
        }
    }
}

#[tokio::test]
async fn a_server_without_the_response_format_gets_the_prompt_alone_from_then_on() {
    for (protocol, refusal) in protocols().iter().zip([
        "output_config: Extra inputs are not permitted",
        "Invalid JSON payload received. Unknown name \"responseJsonSchema\"",
        "This response_format type is unavailable now",
        "unknown type: json_schema",
        "Unsupported parameter: 'text.format' json_schema",
    ]) {
        let whole = (protocol.whole)("{}", protocol.stop);
        let server = Server::start([Answer::failure(400, refusal), whole]).await;
        let model = builder(protocol.model, &server.base_url).build().unwrap();
        model.reply(&request()).await.unwrap();
        model.reply(&request()).await.unwrap();
        let explained = server.asked().into_iter().map(|asked| asked.body.to_string());
        let explained: Vec<bool> = explained.map(|body| body.contains("Answer in JSON.")).collect();
        assert_eq!(explained, [false, true, true], "{}", protocol.name);
    }
}

#[tokio::test]
async fn a_server_that_dislikes_one_schema_gets_the_next() {
    let protocol = &protocols()[0];
    let whole = (protocol.whole)("{}", protocol.stop);
    let refusal = Answer::failure(400, "output_config.format: Invalid schema: too complex");
    let server = Server::start([refusal, whole]).await;
    let model = builder(protocol.model, &server.base_url).build().unwrap();
    for _ in 0..2 {
        model.reply(&request()).await.unwrap();
    }
    let formats = server.asked().into_iter().map(|asked| !asked.body["output_config"].is_null());
    assert_eq!(formats.collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn each_provider_has_its_dialect() {
    for protocol in protocols() {
        let model = builder(protocol.model, "http://127.0.0.1:1/").build().unwrap();
        assert_eq!(model.dialect(), protocol.dialect, "{}", protocol.name);
        // No schema can be rejected if none is sent.
        let builder = builder(protocol.model, "http://127.0.0.1:1/");
        let model = builder.response_format(ResponseFormat::PromptOnly).build().unwrap();
        assert_eq!(model.dialect(), Dialect::Plain, "{}", protocol.name);
    }
}
