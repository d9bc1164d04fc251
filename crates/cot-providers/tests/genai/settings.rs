//! The settings of requests to each provider, `extra`, and the thoughts that `effort` asks for.

use std::sync::Arc;

use cot_model::{Effort, LanguageModel, ModelErrorKind, ModelRequest, ModelSettings};
use serde_json::{Value, json};

use crate::{
    builder,
    completions::{chunk, data},
    protocols::{
        Protocol, anthropic_end, anthropic_start, event, gemini_content, protocols, wires,
    },
    request,
    server::{Answer, Server},
    sink::recording_sink,
};

fn all_settings() -> ModelSettings {
    ModelSettings {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(99),
        stop: vec!["END".to_owned()],
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

async fn sent(protocol: &Protocol, request: &ModelRequest) -> Value {
    let server = Server::start([(protocol.whole)("{}", protocol.stop)]).await;
    let model = builder(protocol.model, &server.base_url).build().unwrap();
    model.reply(request).await.unwrap();
    server.asked()[0].body.clone()
}

#[tokio::test]
async fn settings_are_sent_in_the_words_of_each_provider() {
    let expected = [
        json!({ "/temperature": 0.5, "/top_p": 0.9, "/max_tokens": 99, "/stop_sequences": ["END"],
            "/thinking/type": "enabled" }),
        json!({ "/generationConfig/temperature": 0.5, "/generationConfig/topP": 0.9,
            "/generationConfig/maxOutputTokens": 99, "/generationConfig/stopSequences": ["END"],
            "/generationConfig/seed": 7 }),
        json!({ "/temperature": 0.5, "/top_p": 0.9, "/max_tokens": 99, "/stop": ["END"], "/seed": 7,
            "/reasoning_effort": "low" }),
        json!({ "/temperature": 0.5, "/top_p": 0.9, "/max_tokens": 99, "/stop": ["END"], "/seed": 7,
            "/reasoning_effort": "low" }),
        json!({ "/temperature": 0.5, "/top_p": 0.9, "/max_output_tokens": 99, "/stop": ["END"],
            "/seed": 7, "/reasoning/effort": "low" }),
        json!({ "/options": { "temperature": 0.5, "top_p": 0.9, "num_predict": 99, "seed": 7,
            "stop": ["END"] } }),
    ];
    for (protocol, expected) in protocols().iter().zip(expected) {
        let body = sent(protocol, &with(all_settings())).await;
        for (place, value) in expected.as_object().unwrap() {
            assert_eq!(body.pointer(place), Some(value), "{} {place}: {body}", protocol.name);
        }
    }
}

#[tokio::test]
async fn settings_out_of_range_are_refused_before_anything_is_sent() {
    let settings = ModelSettings::default;
    for protocol in protocols() {
        let server = Server::start([(protocol.whole)("{}", protocol.stop)]).await;
        let model = builder(protocol.model, &server.base_url).build().unwrap();
        for (settings, shown) in [
            (ModelSettings { temperature: Some(f64::NAN), ..settings() }, "`temperature` must be"),
            (ModelSettings { top_p: Some(0.0), ..settings() }, "`top_p` must be"),
            (ModelSettings { stop: vec![String::new()], ..settings() }, "`stop` must not"),
        ] {
            let error = model.reply(&with(settings)).await.unwrap_err();
            assert_eq!(error.kind(), &ModelErrorKind::Other);
            assert!(error.to_string().starts_with(shown), "{error}");
        }
        assert!(server.asked().is_empty());
    }
}

#[tokio::test]
async fn extra_members_are_added_where_the_protocol_has_a_place_for_them() {
    for protocol in protocols().iter().filter(|protocol| protocol.name != "ollama_cloud") {
        let body = sent(protocol, &extra(json!({ "service_tier": "flex" }))).await;
        assert_eq!(body["service_tier"], "flex", "{}", protocol.name);
        let text = body.to_string();
        assert!(text.contains("Add a field."), "{text}");
        let has_schema = body.get("response_format").or(body.get("text")).is_some()
            || text.contains("responseJsonSchema")
            || text.contains("output_config");
        assert!(has_schema, "{text}");
    }
    let body = sent(&protocols()[2], &extra(json!({ "temperature": 0.1 }))).await;
    assert_eq!(body["temperature"], json!(0.1));
}

#[tokio::test]
async fn extra_members_that_can_not_be_sent_or_replace_the_request_are_refused() {
    let server = Server::start([Answer::completion("{}")]).await;
    for (name, member, message) in [
        ("openai::tiny", "messages", "`extra` must not contain `messages`, which the client sets"),
        ("tiny", "stream", "`extra` must not contain `stream`, which the client sets"),
        ("anthropic::tiny", "system", "`extra` must not contain `system`, which the client sets"),
        ("gemini::tiny", "contents", "`extra` must not contain `contents`, which the client sets"),
        (
            "gemini::tiny",
            "generationConfig",
            "`extra` must not contain `generationConfig`, which the client sets",
        ),
        ("openai_resp::tiny", "input", "`extra` must not contain `input`, which the client sets"),
        ("openai::tiny", "model", "`extra` must not contain `model`, which the client sets"),
        ("ollama_cloud::tiny", "top_k", "`extra` can't be sent in the protocol of this provider"),
        ("cohere::tiny", "top_k", "`extra` can't be sent in the protocol of this provider"),
        ("vertex::claude-tiny", "top_k", "`extra` can't be sent in the protocol of this provider"),
    ] {
        let model = builder(name, &server.base_url).build().unwrap();
        let error = model.reply(&extra(json!({ member: 1 }))).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Other, "{name}");
        assert_eq!(error.to_string(), message, "{name}");
    }
    assert!(server.asked().is_empty());
}

/// Requests a stream with this body. Returns the text of the reply and its pieces.
async fn streamed(name: &str, body: String) -> (String, Vec<String>) {
    let answer = Answer::new(200, body).with("content-type", "text/event-stream");
    let server = Server::start([answer]).await;
    let (sink, record) = recording_sink();
    let model = builder(name, &server.base_url).build().unwrap();
    let reply = model.stream(&request(), &sink).await.unwrap();
    (reply.text, record.pieces())
}

#[tokio::test]
async fn thoughts_are_handed_on_and_are_no_part_of_the_reply() {
    for (at, name) in [(2, "openai::tiny"), (3, "tiny")] {
        for member in ["reasoning_content", "reasoning"] {
            let wire = &wires()[at];
            let thought = chunk(&json!({ member: "hm" }), None);
            let body = format!("{}{thought}{}{}", wire.start, (wire.text)("Paris"), wire.end);
            let (reply, pieces) = streamed(name, body).await;
            assert_eq!(
                (&*reply, &*pieces),
                ("Paris", &["<thought>hm", "Paris"].map(String::from)[..])
            );
        }
    }
    let block = |index: u8, kind: &str, start: Value, delta: Value| {
        let mut content = start;
        content["type"] = kind.into();
        event("content_block_start", json!({ "index": index, "content_block": content }))
            + &event("content_block_delta", json!({ "index": index, "delta": delta }))
            + &event("content_block_stop", json!({ "index": index }))
    };
    let thinking = json!({ "type": "thinking_delta", "thinking": "hm" });
    let thinking = block(1, "thinking", json!({ "thinking": "", "signature": "" }), thinking);
    let text = json!({ "type": "text_delta", "text": "Paris" });
    let text = block(2, "text", json!({ "text": "" }), text);
    let stop = event("content_block_stop", json!({ "index": 0 }));
    let body = format!("{}{stop}{thinking}{text}{}", anthropic_start(), anthropic_end("end_turn"));
    let (reply, pieces) = streamed("anthropic::tiny", body).await;
    assert_eq!((&*reply, &*pieces), ("Paris", &["<thought>hm", "Paris"].map(String::from)[..]));

    let mut thought = gemini_content("hm", None);
    thought["candidates"][0]["content"]["parts"][0]["thought"] = true.into();
    let body = data(&thought) + &data(&gemini_content("Paris", Some("STOP")));
    let (reply, pieces) = streamed("gemini::tiny", body).await;
    assert_eq!((&*reply, &*pieces), ("Paris", &["<thought>hm", "Paris"].map(String::from)[..]));
}

#[tokio::test]
async fn thoughts_are_left_out_of_replies_in_one_piece() {
    let message = json!({ "content": "Paris", "reasoning_content": "hm" });
    let thinking = json!({ "type": "thinking", "thinking": "hm", "signature": "s" });
    let anthropic = json!({ "content": [thinking, { "type": "text", "text": "Paris" }],
        "stop_reason": "end_turn", "usage": {} });
    let mut gemini = gemini_content("Paris", Some("STOP"));
    let thought = json!({ "text": "hm", "thought": true });
    gemini["candidates"][0]["content"]["parts"].as_array_mut().unwrap().insert(0, thought);
    for (name, answer) in [
        ("openai::tiny", Answer::choice(message, "stop")),
        ("anthropic::tiny", Answer::json(200, &anthropic)),
        ("gemini::tiny", Answer::json(200, &gemini)),
    ] {
        let server = Server::start([answer]).await;
        let model = builder(name, &server.base_url).build().unwrap();
        assert_eq!(model.reply(&request()).await.unwrap().text, "Paris", "{name}");
    }
}

#[tokio::test]
async fn gemini_is_asked_for_its_thoughts_in_streams_with_an_effort() {
    let effort = ModelSettings { effort: Some(Effort::Low), ..ModelSettings::default() };
    for (settings, expected) in [(effort, Some(&json!(true))), (ModelSettings::default(), None)] {
        let answer = Answer::new(200, data(&gemini_content("a", Some("STOP"))));
        let server = Server::start([answer]).await;
        let (sink, _) = recording_sink();
        let model = builder("gemini::tiny", &server.base_url).build().unwrap();
        model.stream(&with(settings), &sink).await.unwrap();
        let body = &server.asked()[0].body;
        let place = "/generationConfig/thinkingConfig/includeThoughts";
        assert_eq!(body.pointer(place), expected, "{body}");
    }
}

#[tokio::test]
async fn endless_thoughts_are_read_no_further_than_the_limit() {
    for at in [2, 3] {
        let (protocol, wire) = (&protocols()[at], &wires()[at]);
        let thought = chunk(&json!({ "reasoning_content": "x".repeat(600) }), None);
        let body = format!("{}{thought}{thought}{}", wire.start, wire.end);
        let server =
            Server::start([Answer::new(200, body).with("content-type", "text/event-stream")]);
        let server = server.await;
        let builder = builder(protocol.model, &server.base_url).max_reply_bytes(1000);
        let (sink, _) = recording_sink();
        let error = builder.build().unwrap().stream(&request(), &sink).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::TooLarge, "{}", protocol.name);
    }
}
