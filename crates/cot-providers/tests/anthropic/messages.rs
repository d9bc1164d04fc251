//! The messages of requests: texts, images, documents, breakpoints and headers.

use cot_model::{
    Document, LanguageModel, ModelErrorKind, ModelRequest, ReplySchema, TraceContext, Turn,
};
use cot_providers::{AnthropicBuilder, ResponseFormat};
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::{
    KEY, builder, model,
    parts::{
        ADDRESS, PDF_BASE64, PNG_BASE64, document, document_address, image, image_address,
        media_request, zones,
    },
    plain, request, sent,
    server::Server,
    text,
};

#[tokio::test]
async fn a_request_has_the_headers_of_the_protocol() {
    let server = Server::start([plain("hi")]).await;
    let model = builder(&server.base_url).beta("one-2026").beta("two-2026").build().unwrap();
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let context = TraceContext::from_headers(parent, None).unwrap();
    context.in_scope(model.reply(&ModelRequest::new("Hi."))).await.unwrap();
    let asked = &server.asked()[0];
    let header = |name: &str| asked.headers[name].to_str().unwrap().to_owned();
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("POST", "/v1/messages"));
    assert_eq!(header("x-api-key"), KEY);
    assert_eq!(header("anthropic-version"), "2023-06-01");
    assert_eq!(header("anthropic-beta"), "one-2026,two-2026");
    assert_eq!(header("traceparent"), parent);
    assert_eq!(asked.headers.get("authorization"), None);
    let body = json!({ "model": "claude-tiny", "max_tokens": 16_384,
                       "messages": [{ "role": "user", "content": [text("Hi.")] }] });
    assert_eq!(asked.body, body);
    assert_eq!(model.info().provider, Some("anthropic"));
}

#[tokio::test]
async fn system_turns_and_prompt_are_messages_of_blocks() {
    let mut request = ModelRequest::new("And now?").with_system("Be brief.");
    request.turns = vec![Turn::user("Hi."), Turn::assistant("Hello.")];
    let body = sent(&request, |builder| builder.cache_breakpoints(false)).await;
    assert_eq!(body["system"], json!([text("Be brief.")]));
    let message = |role: &str, said: &str| json!({ "role": role, "content": [text(said)] });
    let messages = json!([
        message("user", "Hi."),
        message("assistant", "Hello."),
        message("user", "And now?")
    ]);
    assert_eq!(body["messages"], messages);
}

#[tokio::test]
async fn stable_texts_are_marked_for_the_cache() {
    let marked = |body: &Value| -> Vec<String> {
        let messages = body["messages"].as_array().unwrap().iter();
        let blocks = messages.flat_map(|message| message["content"].as_array().unwrap());
        let system = body["system"].as_array().unwrap();
        let mark = json!({ "type": "ephemeral" });
        let marked = system.iter().chain(blocks).filter(|block| block["cache_control"] == mark);
        marked.map(|block| block["text"].as_str().unwrap().to_owned()).collect()
    };
    let body = sent(&zones(), |builder| builder).await;
    assert_eq!(marked(&body), ["Be brief.", "Intro. ", "Goal. "]);
    let body = sent(&zones(), |builder| builder.cache_breakpoints(false)).await;
    assert_eq!(marked(&body), [""; 0]);
}

#[tokio::test]
async fn images_and_documents_are_sent_with_bytes_or_addresses() {
    let base64 = |media_type: &str, data: &str| json!({ "type": "base64", "media_type": media_type, "data": data });
    let url = json!({ "type": "url", "url": ADDRESS });
    for (image, document, sources) in [
        (
            image(),
            document(),
            [base64("image/png", PNG_BASE64), base64("application/pdf", PDF_BASE64)],
        ),
        (image_address(), document_address(), [url.clone(), url]),
    ] {
        let body = sent(&media_request(image, document), |builder| builder).await;
        let content = &body["messages"][0]["content"];
        assert_eq!((&content[1]["type"], &content[1]["source"]), (&json!("image"), &sources[0]));
        assert_eq!((&content[3]["type"], &content[3]["source"]), (&json!("document"), &sources[1]));
        assert_eq!(content[3]["title"], "document.pdf");
    }
    let notes = Document::from_text("Rain.").unwrap().with_name("notes");
    let body = sent(&ModelRequest::new("Read: ").append_media(notes.into()), |b| b).await;
    let source = json!({ "type": "text", "media_type": "text/plain", "data": "Rain." });
    let block = json!({ "type": "document", "source": source, "title": "notes" });
    assert_eq!(body["messages"][0]["content"][1], block);
}

#[tokio::test]
async fn a_text_with_an_address_is_refused_before_it_is_sent() {
    let server = Server::start([plain("hi")]).await;
    let notes = Document::from_url(ADDRESS).unwrap().with_media_type("text/markdown").unwrap();
    let request = ModelRequest::new("Read: ").append_media(notes.into());
    let error = model(&server.base_url).reply(&request).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Media);
    assert!(error.to_string().contains("addresses of PDF files alone"), "{error}");
    assert!(!error.to_string().contains("s3cret"), "{error}");
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn the_schema_is_sent_in_the_vendors_dialect() {
    let mut request = request();
    let json = json!({ "type": "object", "required": ["age"], "properties": {
        "age": { "type": "integer", "minimum": 3 } } });
    request.schema = Some(ReplySchema { name: "a".to_owned(), json: json.clone() }.into());
    let body = sent(&request, |builder| builder).await;
    let schema = Dialect::Anthropic.rewrite(&json).unwrap();
    let format = json!({ "type": "json_schema", "schema": schema });
    assert_eq!(body["output_config"], json!({ "format": format }));
    assert_eq!(body["messages"][0]["content"], json!([text("Add a field.")]));
    let explained = json!([text("Add a field.\n\nAnswer in JSON.")]);
    let body = sent(&request, |builder| builder.explain_format(true)).await;
    assert_eq!(body["messages"][0]["content"], explained);
    let prompt_only: fn(AnthropicBuilder) -> AnthropicBuilder =
        |builder| builder.response_format(ResponseFormat::PromptOnly);
    for with in [prompt_only, |builder| builder.response_format(ResponseFormat::JsonObject)] {
        let body = sent(&request, with).await;
        assert_eq!(
            (body.get("output_config"), &body["messages"][0]["content"]),
            (None, &explained)
        );
    }
}
