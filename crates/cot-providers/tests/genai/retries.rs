//! Error statuses and failed connections, for replies in one piece and for streams.

use std::{future::pending, time::Duration};

use cot_model::{LanguageModel, ModelError, ModelErrorKind, ModelReply};
use cot_providers::GenAi;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    sync::mpsc,
};

use crate::{
    KEY, builder,
    protocols::{Protocol, protocols, wires},
    request,
    server::{Answer, Server, raw},
    sink::recording_sink,
};

/// The way in which a reply is requested.
#[derive(Debug, Clone, Copy)]
enum Way {
    Whole,
    Streamed,
}

const WAYS: [Way; 2] = [Way::Whole, Way::Streamed];

async fn ask(model: &GenAi, way: Way) -> Result<ModelReply, ModelError> {
    match way {
        Way::Whole => model.reply(&request()).await,
        Way::Streamed => {
            let (sink, record) = recording_sink();
            let reply = model.stream(&request(), &sink).await;
            let expected = reply.as_ref().map(|reply| reply.text.clone()).unwrap_or_default();
            assert_eq!(record.pieces().concat(), expected, "nothing came before the failure");
            reply
        }
    }
}

/// A successful answer of a provider.
fn fine(protocol: &Protocol, way: Way) -> Answer {
    let wire = wires().into_iter().find(|wire| wire.name == protocol.name).unwrap();
    match way {
        Way::Whole => (protocol.whole)("fine", protocol.stop),
        Way::Streamed => Answer::new(200, wire.stream(&["fine"])),
    }
}

fn model(protocol: &Protocol, base_url: &str) -> GenAi {
    builder(protocol.model, base_url).build().unwrap()
}

fn cases() -> impl Iterator<Item = (Protocol, Way)> {
    WAYS.into_iter().flat_map(|way| protocols().into_iter().map(move |protocol| (protocol, way)))
}

fn status(error: &ModelError) -> Option<u16> {
    match error.kind() {
        ModelErrorKind::Status { code, .. } => Some(*code),
        _ => None,
    }
}

#[tokio::test]
async fn client_errors_are_not_tried_again_and_show_what_the_server_says() {
    for (protocol, way) in cases() {
        for code in [400, 404, 413, 422] {
            let server = Server::start([Answer::failure(code, &format!("bad key {KEY}"))]).await;
            let error = ask(&model(&protocol, &server.base_url), way).await.unwrap_err();
            assert_eq!((status(&error), error.is_retryable()), (Some(code), false));
            let shown = error.to_string();
            assert!(shown.starts_with(&format!("the server answered {code} ")), "{shown}");
            assert!(shown.ends_with(": bad key [secret] (some_code)"), "{shown}");
            assert_eq!(server.asked().len(), 1, "{} {way:?}", protocol.name);
        }
    }
}

#[tokio::test]
async fn failures_of_the_account_are_not_tried_again() {
    for (protocol, way) in cases() {
        for code in [401, 402, 403] {
            let server = Server::start([Answer::failure(code, "bad key")]).await;
            let error = ask(&model(&protocol, &server.base_url), way).await.unwrap_err();
            assert_eq!(error.kind(), &ModelErrorKind::Account, "{error}");
            assert_eq!(server.asked().len(), 1, "{} {way:?}", protocol.name);
        }
    }
}

#[tokio::test]
async fn passing_failures_are_tried_again() {
    for (protocol, way) in cases() {
        for code in [408, 429, 500, 503, 529] {
            let busy = || Answer::failure(code, "busy");
            let server = Server::start([busy(), busy(), fine(&protocol, way)]).await;
            let reply = ask(&model(&protocol, &server.base_url), way).await.unwrap();
            assert_eq!(reply.text, "fine", "{} {way:?}", protocol.name);
            let asked = server.asked();
            assert_eq!((asked.len(), &asked[0].body), (3, &asked[2].body));
        }
    }
}

#[tokio::test]
async fn a_server_that_fails_for_ever_is_tried_as_often_as_told() {
    for (protocol, way) in cases() {
        let server = Server::start([Answer::new(500, "boom")]).await;
        let error = ask(&model(&protocol, &server.base_url), way).await.unwrap_err();
        let message = "the server answered 500 Internal Server Error: boom (tried 4 times)";
        assert_eq!(error.to_string(), message);
        assert_eq!(server.asked().len(), 4, "{} {way:?}", protocol.name);
    }
}

#[tokio::test]
async fn as_long_as_a_server_asks_is_waited_or_the_call_is_given_up() {
    for (protocol, way) in cases() {
        let busy = |wait: &str| Answer::failure(429, "slow down").with("retry-after", wait);
        let server = Server::start([busy("0.002"), fine(&protocol, way)]).await;
        assert_eq!(ask(&model(&protocol, &server.base_url), way).await.unwrap().text, "fine");

        let server = Server::start([busy("61"), fine(&protocol, way)]).await;
        let error = ask(&model(&protocol, &server.base_url), way).await.unwrap_err();
        let retry_after = Some(Duration::from_secs(61));
        assert_eq!(error.kind(), &ModelErrorKind::Status { code: 429, retry_after });
        assert!(error.to_string().ends_with("slow down (some_code); it asks to wait 61 s"));
        assert_eq!(server.asked().len(), 1, "{} {way:?}", protocol.name);
    }
}

/// Asserts that there were two attempts and this error.
fn assert_fault(error: &ModelError, kind: ModelErrorKind, message: &str) {
    assert_eq!(error.kind(), &kind, "{error:?}");
    assert!(error.to_string().starts_with(message), "{error}");
    assert!(error.to_string().ends_with(" (tried 2 times)"), "{error}");
    assert!(std::error::Error::source(error).is_some());
}

#[tokio::test]
async fn a_refused_connection_is_tried_again() {
    // Bound but not listening: the port refuses connections, and no other program can use it.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let base_url = format!("http://{}/v1", socket.local_addr().unwrap());
    for (protocol, way) in cases() {
        let model = builder(protocol.model, &base_url).max_retries(1).build().unwrap();
        let error = ask(&model, way).await.unwrap_err();
        assert_fault(&error, ModelErrorKind::Connection, "the server could not be reached: ");
    }
}

#[tokio::test]
async fn connections_that_break_are_tried_again() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    for (protocol, way) in cases() {
        for said in [
            String::new(),
            "220 mail ready\r\n".to_owned(),
            head.to_owned(),
            format!("{head}content-length: 1000\r\n\r\n{{\"con"),
            format!("{head}transfer-encoding: chunked\r\n\r\n5\r\n{{\"con"),
        ] {
            let base_url = raw(move |mut stream: TcpStream| {
                let said = said.clone();
                async move {
                    let _ = stream.write_all(said.as_bytes()).await;
                }
            });
            let builder = builder(protocol.model, &base_url.await).max_retries(1);
            let error = ask(&builder.build().unwrap(), way).await.unwrap_err();
            let message = "the connection to the server broke: ";
            assert_fault(&error, ModelErrorKind::Connection, message);
        }
    }
}

#[tokio::test]
async fn silence_ends_with_a_time_out() {
    for (protocol, way) in cases() {
        for said in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\n{"] {
            let base_url = raw(async move |mut stream: TcpStream| {
                let _ = stream.write_all(said.as_bytes()).await;
                pending::<()>().await;
            });
            let builder = builder(protocol.model, &base_url.await).max_retries(0);
            let model = builder.timeout(Duration::from_millis(20)).build().unwrap();
            let error = ask(&model, way).await.unwrap_err();
            let is_told = matches!(error.kind(), ModelErrorKind::Timeout)
                || status(&error) == Some(500) && said.contains("500");
            assert!(is_told, "{} {way:?}: {error:?}", protocol.name);
        }
    }
}

#[tokio::test]
async fn a_dropped_future_drops_the_call() {
    for (protocol, way) in cases() {
        let (tell, mut told) = mpsc::unbounded_channel();
        let base_url = raw(move |mut stream: TcpStream| {
            let tell = tell.clone();
            async move {
                tell.send("asked").unwrap();
                let rest = stream.read(&mut [0; 16]).await;
                tell.send(if matches!(rest, Ok(0) | Err(_)) { "closed" } else { "more" }).unwrap();
            }
        });
        let model = model(&protocol, &base_url.await);
        let call = tokio::spawn(async move { ask(&model, way).await });
        assert_eq!(told.recv().await, Some("asked"));
        call.abort();
        assert_eq!(told.recv().await, Some("closed"));
    }
}

#[tokio::test]
async fn a_redirection_to_another_server_is_not_followed() {
    for (protocol, way) in cases() {
        let other = Server::start([fine(&protocol, way)]).await;
        let to = format!("{}/x?token=t0ken", other.base_url);
        let server = Server::start([Answer::new(307, "").with("location", to)]).await;
        let error = ask(&model(&protocol, &server.base_url), way).await.unwrap_err();
        assert_eq!(status(&error), Some(307));
        assert!(error.to_string().contains("a redirection to http://127.0.0.1:"), "{error}");
        assert!(!format!("{error:?}").contains("t0ken"));
        assert_eq!(other.asked().len(), 0);
    }
}

#[tokio::test]
async fn errors_in_streams_stand_for_statuses() {
    for (name, event, code) in [
        ("anthropic::tiny", json!({ "error": { "type": "rate_limit_error" } }), Some(429)),
        ("anthropic::tiny", json!({ "error": { "type": "api_error" } }), Some(500)),
        ("anthropic::tiny", json!({ "error": { "type": "invalid_request_error" } }), Some(400)),
        ("anthropic::tiny", json!({ "error": { "type": "odd_error" } }), None),
        (
            "gemini::tiny",
            json!({ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED" } }),
            Some(429),
        ),
        ("openai::tiny", json!({ "error": { "code": 400 } }), Some(400)),
        (
            "openai_resp::tiny",
            json!({ "type": "response.failed", "response": {
            "id": "r", "status": "failed", "model": "tiny",
            "error": { "code": "server_error", "message": "no" } } }),
            Some(500),
        ),
    ] {
        let server = Server::start([Answer::events([event.to_string()])]).await;
        let model = builder(name, &server.base_url).max_retries(0).build().unwrap();
        let error = ask(&model, Way::Streamed).await.unwrap_err();
        assert_eq!(status(&error), code, "{name}: {error}");
        assert_eq!(code.is_none(), error.kind() == &ModelErrorKind::Aborted, "{name}: {error}");
    }
}
