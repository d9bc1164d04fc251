//! The messages of requests to each provider: roles, images, documents, and prompt caches.

use cot_model::{
    AcceptedMedia, Document, LanguageModel, Media, ModelErrorKind, ModelRequest, Turn,
};
use cot_providers::GenAiBuilder;
use serde_json::{Value, json};

use crate::{
    builder,
    parts::{
        ADDRESS, PDF_BASE64, PNG_BASE64, document, document_address, image, image_address,
        media_request, zones,
    },
    protocols::{Protocol, protocols},
    server::{Answer, Server},
};

fn protocol(name: &str) -> Protocol {
    protocols().into_iter().find(|protocol| protocol.name == name).unwrap()
}

/// Sends a request and returns its body.
async fn sent(
    protocol: &Protocol,
    request: &ModelRequest,
    with: fn(GenAiBuilder) -> GenAiBuilder,
) -> Value {
    let server = Server::start([(protocol.whole)("{}", protocol.stop)]).await;
    let model = with(builder(protocol.model, &server.base_url)).build().unwrap();
    model.reply(request).await.unwrap();
    server.asked()[0].body.clone()
}

const ALL: fn(GenAiBuilder) -> GenAiBuilder = |builder| builder.accepts(AcceptedMedia::ALL);

#[tokio::test]
async fn turns_are_messages_with_roles() {
    let mut request = ModelRequest::new("And of Peru?").with_system("Be brief.");
    request.turns = vec![Turn::user("The capital of France?"), Turn::assistant("Paris.")];
    let turns = json!([
        { "role": "user", "content": "The capital of France?" },
        { "role": "assistant", "content": "Paris." },
        { "role": "user", "content": "And of Peru?" },
    ]);
    let plain: fn(GenAiBuilder) -> GenAiBuilder = |builder| builder.cache_breakpoints(false);
    let body = sent(&protocol("anthropic"), &request, plain).await;
    assert_eq!((&body["system"], &body["messages"]), (&json!("Be brief."), &turns));

    let mut with_system = turns.as_array().unwrap().clone();
    with_system.insert(0, json!({ "role": "system", "content": "Be brief." }));
    for name in ["openai", "ollama", "ollama_cloud"] {
        let body = sent(&protocol(name), &request, |builder| builder).await;
        assert_eq!(body["messages"], json!(with_system), "{name}");
    }

    let body = sent(&protocol("gemini"), &request, |builder| builder).await;
    let said = |role: &str, text: &str| json!({ "role": role, "parts": [{ "text": text }] });
    let expected = json!([
        said("user", "The capital of France?"),
        said("model", "Paris."),
        said("user", "And of Peru?"),
    ]);
    assert_eq!(body["contents"], expected);
    assert_eq!(body["systemInstruction"]["parts"][0]["text"], "Be brief.");

    let body = sent(&protocol("responses"), &request, |builder| builder).await;
    assert_eq!(body["instructions"], "Be brief.");
    let roles: Vec<_> =
        body["input"].as_array().unwrap().iter().map(|item| &item["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
}

#[tokio::test]
async fn texts_of_all_stabilities_are_one_text() {
    for protocol in protocols() {
        let body = sent(&protocol, &zones(), |builder| builder.cache_breakpoints(false)).await;
        let body = body.to_string();
        assert!(body.contains("\"Intro. Goal. History. State. Format.\""), "{body}");
        assert!(!body.contains("cache"), "{body}");
    }
}

#[tokio::test]
async fn images_and_documents_are_parts_of_the_prompt() {
    let request = media_request(image(), document());
    let (png, pdf) = (PNG_BASE64, PDF_BASE64);
    let text = |text: &str| json!({ "type": "text", "text": text });

    let source =
        |kind: &str, data: &str| json!({ "type": "base64", "media_type": kind, "data": data });
    let expected = json!([
        text("Compare: "),
        { "type": "image", "source": source("image/png", png) },
        text(" and "),
        { "type": "document", "source": source("application/pdf", pdf) },
    ]);
    let body = sent(&protocol("anthropic"), &request, |builder| builder).await;
    assert_eq!(body["messages"], json!([{ "role": "user", "content": expected }]));

    let data =
        |kind: &str, data: &str| json!({ "inline_data": { "mime_type": kind, "data": data } });
    let expected = json!([
        { "text": "Compare: " }, data("image/png", png),
        { "text": " and " }, data("application/pdf", pdf),
    ]);
    let body = sent(&protocol("gemini"), &request, |builder| builder).await;
    assert_eq!(body["contents"][0]["parts"], expected);

    let (png_url, pdf_url) =
        (format!("data:image/png;base64,{png}"), format!("data:application/pdf;base64,{pdf}"));
    let expected = json!([
        text("Compare: "),
        { "type": "image_url", "image_url": { "url": png_url } },
        text(" and "),
        { "type": "file", "file": { "filename": "document.pdf", "file_data": pdf_url } },
    ]);
    for name in ["openai", "ollama"] {
        let body = sent(&protocol(name), &request, ALL).await;
        assert_eq!(body["messages"][0]["content"], expected, "{name}");
    }

    let body = sent(&protocol("responses"), &request, |builder| builder).await;
    let content = &body["input"][0]["content"];
    assert_eq!(content[1]["image_url"], json!(png_url));
    let file = (&content[3]["filename"], &content[3]["file_data"]);
    assert_eq!(file, (&json!("document.pdf"), &json!(pdf_url)));

    let request = ModelRequest::new("Look: ").append_media(image());
    let body = sent(&protocol("ollama_cloud"), &request, ALL).await;
    let expected = json!({ "role": "user", "content": "Look: ", "images": [png] });
    assert_eq!(body["messages"][0], expected);
}

#[tokio::test]
async fn addresses_are_sent_to_the_providers_that_take_them() {
    let request = media_request(image_address(), document_address());
    let body = sent(&protocol("anthropic"), &request, |builder| builder).await;
    let source = json!({ "type": "url", "url": ADDRESS });
    let content = &body["messages"][0]["content"];
    assert_eq!(content[1], json!({ "type": "image", "source": source }));
    assert_eq!(content[3], json!({ "type": "document", "source": source }));

    let body = sent(&protocol("gemini"), &request, |builder| builder).await;
    let parts = &body["contents"][0]["parts"];
    let file = |kind: &str| json!({ "file_data": { "mime_type": kind, "file_uri": ADDRESS } });
    assert_eq!((&parts[1], &parts[3]), (&file("image/png"), &file("application/pdf")));

    let body = sent(&protocol("responses"), &request, |builder| builder).await;
    let content = &body["input"][0]["content"];
    let expected = json!(ADDRESS);
    assert_eq!((&content[1]["image_url"], &content[3]["file_url"]), (&expected, &expected));

    let request = ModelRequest::new("Look: ").append_media(image_address());
    let body = sent(&protocol("openai"), &request, ALL).await;
    assert_eq!(body["messages"][0]["content"][1]["image_url"]["url"], ADDRESS);
}

#[tokio::test]
async fn documents_of_text_are_text_for_anthropic_and_keep_their_names() {
    let terms = Document::from_text("1. Pay.").unwrap().with_name("terms.txt");
    let request = ModelRequest::new("Read: ").append_media(terms.into());
    let body = sent(&protocol("anthropic"), &request, |builder| builder).await;
    let source = json!({ "type": "text", "media_type": "text/plain", "data": "1. Pay." });
    let expected = json!({ "type": "document", "source": source, "title": "terms.txt" });
    assert_eq!(body["messages"][0]["content"][1], expected);
    let body = sent(&protocol("openai"), &request, ALL).await;
    assert_eq!(body["messages"][0]["content"][1]["file"]["filename"], "terms.txt");
}

#[tokio::test]
async fn what_a_model_or_its_protocol_does_not_take_is_refused_before_anything_is_sent() {
    let not_accepted = "the engine does not accept";
    let no_place = "the protocol of this provider has no place for it";
    let request = |media: Media| ModelRequest::new("Look: ").append_media(media);
    for (name, accepted, media, reason) in [
        ("anthropic::tiny", Some(AcceptedMedia::NONE), image(), not_accepted),
        ("gemini::tiny", Some(AcceptedMedia::IMAGES), document(), not_accepted),
        ("openai::tiny", None, image(), not_accepted),
        ("tiny", None, image(), not_accepted),
        ("openai::tiny", Some(AcceptedMedia::ALL), document_address(), no_place),
        ("tiny", Some(AcceptedMedia::ALL), document_address(), no_place),
        ("ollama_cloud::tiny", Some(AcceptedMedia::ALL), document(), no_place),
        ("ollama_cloud::tiny", Some(AcceptedMedia::ALL), image_address(), no_place),
        ("cohere::tiny", Some(AcceptedMedia::ALL), image(), no_place),
    ] {
        let server = Server::start([Answer::completion("{}")]).await;
        let mut builder = builder(name, &server.base_url);
        if let Some(accepted) = accepted {
            builder = builder.accepts(accepted);
        }
        let error = builder.build().unwrap().reply(&request(media)).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Media, "{name}: {error}");
        let message = error.to_string();
        assert!(message.contains(reason) && !message.contains("s3cret"), "{name}: {message}");
        assert!(server.asked().is_empty(), "{name}");
    }
}

#[test]
fn providers_accept_media_where_all_their_models_do() {
    for (name, base_url, accepted) in [
        ("claude-haiku-4-5", None, AcceptedMedia::ALL),
        ("gemini-2.5-flash", None, AcceptedMedia::ALL),
        ("openai::gpt-4o-mini", None, AcceptedMedia::ALL),
        ("openai::tiny", Some("http://127.0.0.1:1/v1/"), AcceptedMedia::NONE),
        ("llama3.2", None, AcceptedMedia::NONE),
        ("deepseek-chat", None, AcceptedMedia::NONE),
    ] {
        let mut builder = cot_providers::GenAi::builder(name).key(crate::KEY);
        if let Some(base_url) = base_url {
            builder = builder.base_url(base_url);
        }
        assert_eq!(builder.clone().build().unwrap().accepted_media(), accepted, "{name}");
        let images = builder.accepts(AcceptedMedia::IMAGES).build().unwrap();
        assert_eq!(images.accepted_media(), AcceptedMedia::IMAGES);
    }
}

#[tokio::test]
async fn anthropic_gets_marks_at_the_ends_of_the_stable_zones() {
    let mark = |text: &str| json!([{ "type": "text", "text": text, "cache_control": { "type": "ephemeral" } }]);
    let said = |content: Value| json!({ "role": "user", "content": content });
    let body = sent(&protocol("anthropic"), &zones(), |builder| builder).await;
    assert_eq!(body["system"], mark("Be brief."));
    let expected = json!([
        said(mark("Intro. ")),
        said(mark("Goal. ")),
        said(json!("History. State. Format.")),
    ]);
    assert_eq!(body["messages"], expected);

    let mut request = ModelRequest::new("Now?");
    request.turns = vec![Turn::user("Hi."), Turn::assistant("Hello.")];
    let body = sent(&protocol("anthropic"), &request, |builder| builder).await;
    assert_eq!(body["messages"][1], json!({ "role": "assistant", "content": mark("Hello.") }));
    assert_eq!(body.to_string().matches("cache_control").count(), 1);
}

#[tokio::test]
async fn only_anthropic_gets_marks_and_openai_keeps_its_automatic_cache() {
    for protocol in protocols().iter().filter(|protocol| protocol.name != "anthropic") {
        let body = sent(protocol, &zones(), |builder| builder).await.to_string();
        assert!(!body.contains("cache"), "{}: {body}", protocol.name);
    }
    let model =
        |name, send| move |url: &str| builder(name, url).cache_breakpoints(send).build().unwrap();
    for (send, expected) in [(true, Value::Null), (false, json!({ "mode": "explicit" }))] {
        let server = Server::start([Answer::completion("{}")]).await;
        let model = model("openai::gpt-6", send)(&server.base_url);
        model.reply(&zones()).await.unwrap();
        assert_eq!(server.asked()[0].body["prompt_cache_options"], expected);
    }
}
