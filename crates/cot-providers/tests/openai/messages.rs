//! The messages of requests: roles, images, documents, and the marks of prompt caches.

use cot_model::{
    AcceptedMedia, LanguageModel, Media, ModelError, ModelErrorKind, ModelRequest, Stability, Turn,
    internal::RequestText,
};
use cot_providers::OpenAiBuilder;
use serde_json::{Value, json};

use crate::{
    builder,
    parts::{
        ADDRESS, PDF_BASE64, PNG_BASE64, document, document_address, image, image_address,
        media_request, message_text, prompt, zones,
    },
    server::{Answer, Server},
    sink::recording_sink,
};

/// Sends a request. Returns the messages that the server received.
async fn sent(request: &ModelRequest, with: fn(OpenAiBuilder) -> OpenAiBuilder) -> Value {
    let server = Server::start([Answer::completion("{}")]).await;
    with(builder(&server.base_url)).build().unwrap().reply(request).await.unwrap();
    server.asked()[0].body["messages"].clone()
}

/// Sends a request that is refused. Returns the error of both ways to send it, and asserts that the server
/// received nothing.
async fn refused(request: &ModelRequest, accepted: Option<AcceptedMedia>) -> ModelError {
    let server = Server::start([Answer::completion("{}")]).await;
    let mut builder = builder(&server.base_url);
    if let Some(accepted) = accepted {
        builder = builder.accepts(accepted);
    }
    let model = builder.build().unwrap();
    let (sink, record) = recording_sink();
    let error = model.reply(request).await.unwrap_err();
    assert_eq!(model.stream(request, &sink).await.unwrap_err(), error);
    assert!(record.pieces().is_empty());
    assert!(server.asked().is_empty());
    error
}

fn marked(text: &str) -> Value {
    json!({ "type": "text", "text": text, "cache_control": { "type": "ephemeral" } })
}

fn unmarked(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

#[tokio::test]
async fn turns_are_messages_with_roles() {
    let mut request = ModelRequest::new("And of Peru?").with_system("Be brief.");
    request.turns = vec![
        Turn::user("What is the capital of France?"),
        Turn::assistant("Paris."),
        Turn::user(""),
    ];
    let expected = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "What is the capital of France?" },
        { "role": "assistant", "content": "Paris." },
        { "role": "user", "content": "And of Peru?" },
    ]);
    assert_eq!(sent(&request, |builder| builder).await, expected);
}

#[tokio::test]
async fn texts_of_all_stabilities_are_one_string() {
    let expected = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "Intro. Goal. History. State. Format." },
    ]);
    assert_eq!(sent(&zones(), |builder| builder).await, expected);
    assert_eq!(sent(&zones(), |builder| builder.cache_breakpoints(false)).await, expected);
}

#[tokio::test]
async fn images_and_documents_are_parts_of_the_prompt() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image_part = |url: &str| json!({ "type": "image_url", "image_url": { "url": url } });
    let file_data = format!("data:application/pdf;base64,{PDF_BASE64}");
    let file = json!({ "filename": "document.pdf", "file_data": file_data });
    let file = json!({ "type": "file", "file": file });
    let data = format!("data:image/png;base64,{PNG_BASE64}");
    for (image, url) in [(image(), data.as_str()), (image_address(), ADDRESS)] {
        let request = media_request(image, document());
        let content = json!([text("Compare: "), image_part(url), text(" and "), file]);
        let expected = json!([{ "role": "user", "content": content }]);
        let messages = sent(&request, |builder| builder.accepts(AcceptedMedia::ALL)).await;
        assert_eq!(messages, expected);
    }
    let alone = ModelRequest::new("").append_media(image());
    let expected = json!([{ "role": "user", "content": [image_part(&data)] }]);
    assert_eq!(sent(&alone, |builder| builder.accepts(AcceptedMedia::IMAGES)).await, expected);
}

#[tokio::test]
async fn blank_texts_between_images_are_not_sent() {
    let two =
        ModelRequest::new(" \n").append_media(image()).append_format("\n").append_media(image());
    let url = format!("data:image/png;base64,{PNG_BASE64}");
    let part = json!({ "type": "image_url", "image_url": { "url": url } });
    let messages = sent(&two, |builder| builder.accepts(AcceptedMedia::IMAGES)).await;
    assert_eq!(messages[0]["content"], json!([part, part]));
}

#[tokio::test]
async fn what_a_model_does_not_accept_is_refused_before_anything_is_sent() {
    let request = |media: Media| ModelRequest::new("Look: ").append_media(media);
    let hint = "the builder's `accepts` sets what the model takes";
    let no_image = format!(
        "the request contains an image (image/png), but the engine does not accept images; {hint}"
    );
    let no_document = format!(
        "the request contains a document (application/pdf), but the engine does not accept \
         documents; {hint}"
    );
    for (media, accepted, message) in [
        (image(), None, &no_image),
        (image_address(), Some(AcceptedMedia::NONE), &no_image),
        (document(), None, &no_document),
        (document_address(), Some(AcceptedMedia::IMAGES), &no_document),
    ] {
        let error = refused(&request(media), accepted).await;
        assert_eq!((error.kind(), error.is_retryable()), (&ModelErrorKind::Media, false));
        assert_eq!(&error.to_string(), message);
    }
}

#[tokio::test]
async fn addresses_of_documents_are_refused_before_anything_is_sent() {
    let request = media_request(image(), document_address());
    let error = refused(&request, Some(AcceptedMedia::ALL)).await;
    assert_eq!(error.kind(), &ModelErrorKind::Media);
    let message = "the request contains a document (application/pdf), but the protocol takes bytes of \
                   documents, not addresses";
    assert_eq!(error.to_string(), message);
}

#[tokio::test]
async fn the_ends_of_the_stable_zones_are_marked_if_asked_for() {
    let expected = json!([
        { "role": "system", "content": [marked("Be brief.")] },
        { "role": "user", "content": [
            marked("Intro. "), marked("Goal. "), unmarked("History. State. Format."),
        ] },
    ]);
    assert_eq!(sent(&zones(), |builder| builder.cache_breakpoints(true)).await, expected);
}

#[tokio::test]
async fn a_zone_ends_at_its_last_text_and_before_what_is_less_stable() {
    use Stability::{Fixed, Growing, PerRun, Volatile};
    for (texts, expected) in [
        (&[("a", Volatile), ("b", Fixed), ("c", Growing)][..], json!("abc")),
        (&[("a", Fixed), ("b", Volatile), ("c", PerRun)], json!([marked("a"), unmarked("bc")])),
        (&[("a", PerRun), ("b", Fixed), ("c", Volatile)], json!([marked("ab"), unmarked("c")])),
        (&[("a", Fixed), ("b", PerRun)], json!([marked("a"), marked("b")])),
        // Of a short text that grows, no block recurs in the next request.
        (&[("a", Fixed), ("b", Growing)], json!([marked("a"), unmarked("b")])),
        // Blank texts are not marked, and belong to the text before them.
        (&[("a", Fixed), ("\n", PerRun), ("b", Volatile)], json!([marked("a\n"), unmarked("b")])),
        (&[(" ", Fixed), ("a", PerRun), ("b", Volatile)], json!([marked(" a"), unmarked("b")])),
        (&[("\n", Fixed), ("b", Volatile)], json!("\nb")),
    ] {
        let messages = sent(&prompt(texts), |builder| builder.cache_breakpoints(true)).await;
        assert_eq!(messages[0]["content"], expected, "{texts:?}");
    }
}

#[tokio::test]
async fn no_more_than_four_texts_are_marked() {
    use Stability::{Fixed, Growing, PerRun, Volatile};
    let system = message_text(&[("a", Fixed), ("b", PerRun), ("c", Growing)]);
    let prompt = message_text(&[("d", PerRun), ("e", Volatile)]);
    let mut request = ModelRequest::from_texts(system, prompt, false);
    request.turns = vec![Turn::user("Hi.")];
    let messages = sent(&request, |builder| builder.cache_breakpoints(true)).await;
    let expected = json!([unmarked("a"), marked("b"), marked("c")]);
    let joined = json!([marked("ab"), marked("c")]);
    assert_ne!(messages[0]["content"], expected, "unmarked texts are joined");
    assert_eq!(messages[0]["content"], joined);
    assert_eq!(messages[1]["content"], json!([marked("Hi.")]));
    assert_eq!(messages[2]["content"], json!([marked("d"), unmarked("e")]));
}

#[tokio::test]
async fn blocks_of_a_text_that_grows_recur_in_the_next_request() {
    use Stability::{Fixed, Growing, Volatile};
    let mut blocks: Vec<Vec<Value>> = Vec::new();
    for size in [5000, 5100, 6200] {
        let grown = "é".repeat(size / 2);
        let request = prompt(&[("Rules. ", Fixed), (&grown, Growing), ("Now?", Volatile)]);
        let messages = sent(&request, |builder| builder.cache_breakpoints(true)).await;
        let sent = messages[0]["content"].as_array().unwrap().clone();
        let texts: String = sent.iter().map(|block| block["text"].as_str().unwrap()).collect();
        assert_eq!(texts, format!("Rules. {grown}Now?"));
        blocks.push(sent);
    }
    // The last whole block is marked, and the next request has a block that ends at the same place.
    let is_marked = |block: &Value| block.get("cache_control").is_some();
    for (sent, whole) in blocks.iter().zip([2, 2, 3]) {
        assert!(is_marked(&sent[0]) && is_marked(&sent[whole]), "{sent:?}");
        assert_eq!(sent.iter().filter(|block| is_marked(block)).count(), 2);
        assert_eq!(sent[1]["text"].as_str().unwrap().len(), 2048);
    }
    for (now, next) in blocks.iter().zip(&blocks[1..]) {
        assert_eq!(now[1]["text"], next[1]["text"]);
        assert_eq!(now[2]["text"], next[2]["text"]);
    }
}

#[tokio::test]
async fn the_last_turn_is_marked_and_images_belong_to_zones() {
    let send: fn(OpenAiBuilder) -> OpenAiBuilder =
        |builder| builder.cache_breakpoints(true).accepts(AcceptedMedia::ALL);
    let mut request = zones();
    request.turns = vec![Turn::user("Hi."), Turn::assistant("Hello.")];
    let messages = sent(&request, send).await;
    assert_eq!(messages[0]["content"], json!([marked("Be brief.")]));
    assert_eq!(messages[1]["content"], json!("Hi."));
    assert_eq!(messages[2]["content"], json!([marked("Hello.")]));
    let expected = json!([marked("Intro. Goal. "), unmarked("History. State. Format.")]);
    assert_eq!(messages[3]["content"], expected);

    let mut request = ModelRequest::new("Now?");
    request.turns = vec![Turn::user("Hi."), Turn::assistant("Hello.")];
    let messages = sent(&request, send).await;
    assert_eq!(messages[1]["content"], json!([marked("Hello.")]));
    assert_eq!(messages.to_string().matches("cache_control").count(), 1, "{messages}");

    let texts = [("Compare ", Stability::Fixed)];
    let request = prompt(&texts).append_media(image()).append_format(" with the last one.");
    let content = &sent(&request, send).await[0]["content"];
    assert_eq!((&content[0], &content[2]), (&marked("Compare "), &unmarked(" with the last one.")));

    let mut text = message_text(&[("Look: ", Stability::Fixed), ("[image]", Stability::PerRun)]);
    text.pieces.to_mut()[1].is_media = true;
    text.media.push(image());
    let request = ModelRequest::from_texts(RequestText::default(), text, false);
    let content = &sent(&request.append_format(" Say."), send).await[0]["content"];
    assert_eq!((&content[0], &content[2]), (&marked("Look: "), &marked(" Say.")));
}
