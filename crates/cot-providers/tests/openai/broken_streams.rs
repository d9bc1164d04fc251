//! Streams that fail: interrupted, ended with an error, silent, endless.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_model::{LanguageModel, ModelErrorKind, ModelReply, Usage};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
};

use crate::{
    KEY, builder, model, request,
    server::{Answer, Server, raw},
    sink::recording_sink,
    status,
    streams::{end, piece, stream, text},
};

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n";

#[tokio::test]
async fn a_stream_that_breaks_off_begins_again() {
    let cut = format!("data: {}\n\ndata: {}\n\ndata: {{\"cho", text("Lon"), text("do"));
    let unmarked = format!("{HEAD}connection: close\r\n\r\n{cut}");
    let announced = format!("{HEAD}content-length: 100000\r\n\r\n{cut}");
    let chunked = format!("{HEAD}transfer-encoding: chunked\r\n\r\n{:x}\r\n{cut}\r\n", cut.len());
    for first in [unmarked, announced, chunked.clone(), chunked + "0\r\n\r\n"] {
        let whole =
            format!("{HEAD}connection: close\r\n\r\n{}", events(&[text("Paris"), end("stop")]));
        let (base_url, tries) = in_turn([first.clone(), whole]).await;
        let (reply, record) = stream(&model(&base_url)).await;
        assert_eq!(reply.unwrap(), uncounted("Paris"), "{first}");
        assert_eq!(record.pieces(), ["Lon", "do", "<restart>", "Paris"], "{first}");
        assert_eq!(tries.load(Ordering::Relaxed), 2);
    }
}

#[tokio::test]
async fn a_stream_that_always_breaks_off_is_tried_as_often_as_any_call() {
    // Some servers send "" until the reply ends.
    let unended = piece(json!({ "content": "a" }), Some(""));
    let cut = format!("{HEAD}connection: close\r\n\r\n{}", events(&[unended]));
    for (retries, tried) in [(0, ""), (2, " (tried 3 times)")] {
        let (base_url, tries) = in_turn([cut.clone()]).await;
        let model = builder(&base_url).max_retries(retries).build().unwrap();
        let (reply, record) = stream(&model).await;
        let error = reply.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Connection);
        let message = "the connection to the server broke: the stream ended before the reply did";
        assert_eq!(error.to_string(), format!("{message}{tried}"));
        let expected = ["a", "<restart>"].repeat(retries as usize + 1);
        assert_eq!(record.pieces(), expected);
        assert_eq!(tries.load(Ordering::Relaxed), retries as usize + 1);
    }
}

#[tokio::test]
async fn a_stream_that_is_reset_is_a_broken_connection() {
    let base_url = raw(async |mut stream| {
        send(&mut stream, &format!("{HEAD}transfer-encoding: chunked\r\n\r\n")).await;
        stream.set_zero_linger().unwrap();
    });
    let error = stream(&model(&base_url.await)).await.0.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Connection);
    assert!(std::error::Error::source(&error).is_some());
    assert!(error.to_string().ends_with(" (tried 4 times)"), "{error}");
}

#[tokio::test]
async fn a_whole_reply_survives_what_breaks_after_it() {
    let body = events(&[text("a"), end("stop")]);
    let (base_url, tries) = in_turn([format!("{HEAD}content-length: 100000\r\n\r\n{body}")]).await;
    let (reply, record) = stream(&model(&base_url)).await;
    assert_eq!((reply.unwrap(), record.pieces()), (uncounted("a"), vec!["a".to_owned()]));
    assert_eq!(tries.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn what_comes_after_the_end_is_not_waited_for() {
    let base_url = raw(async |mut stream| {
        let body = events(&[text("a"), end("stop"), "[DONE]".to_owned()]);
        send(&mut stream, &format!("{HEAD}content-length: 100000\r\n\r\n{body}")).await;
        pending::<()>().await;
    });
    assert_eq!(stream(&model(&base_url.await)).await.0.unwrap(), uncounted("a"));
}

#[tokio::test]
async fn an_error_in_a_stream_counts_as_the_status_that_it_stands_for() {
    for (error, code, tries) in [
        (json!({ "message": "no", "code": 502 }), Some(502), 4),
        (json!({ "message": "no", "type": "overloaded_error" }), Some(503), 4),
        (json!({ "message": "no", "code": 400 }), Some(400), 1),
        (json!({ "message": "no", "type": "insufficient_quota" }), None, 1),
        (json!("no"), None, 4),
    ] {
        let broken = json!({ "error": error, "choices": [] }).to_string();
        let server = Server::start([Answer::events([text("a"), broken])]).await;
        let (reply, record) = stream(&model(&server.base_url)).await;
        let failure = reply.unwrap_err();
        assert_eq!((status(&failure), server.asked().len()), (code, tries), "{failure}");
        assert!(failure.to_string().starts_with("the server aborted the reply: no"), "{failure}");
        assert_eq!(record.pieces(), ["a", "<restart>"].repeat(tries));
    }
}

#[tokio::test]
async fn an_error_in_a_stream_shows_no_key() {
    let error: Value = json!({ "error": { "message": format!("bad key {KEY}"), "code": KEY } });
    let server = Server::start([Answer::events([error.to_string()])]).await;
    let error = stream(&model(&server.base_url)).await.0.unwrap_err();
    assert!(error.to_string().contains("bad key [secret] ([secret])"), "{error}");
    assert!(!format!("{error:?}").contains(KEY));
}

#[tokio::test]
async fn failures_before_a_stream_are_tried_again_without_a_restart() {
    let whole = Answer::events([text("a"), end("stop")]);
    let server = Server::start([Answer::failure(503, "busy"), whole]).await;
    let (reply, record) = stream(&model(&server.base_url)).await;
    assert_eq!((reply.unwrap(), record.pieces()), (uncounted("a"), vec!["a".to_owned()]));
    let asked = server.asked();
    assert_eq!((asked.len(), &asked[0].body), (2, &asked[1].body));
}

#[tokio::test]
async fn a_stream_that_falls_silent_ends_with_a_time_out() {
    let base_url = raw(async |mut stream| {
        let body = events(&[text("a")]);
        send(&mut stream, &format!("{HEAD}content-length: 100000\r\n\r\n{body}")).await;
        pending::<()>().await;
    });
    let model = builder(&base_url.await).piece_timeout(Duration::from_millis(20));
    let error = stream(&model.build().unwrap()).await.0.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Unfinished, "{error}");
    assert!(!error.to_string().contains("tried"), "{error}");
    assert_eq!(error.usage(), Some(Usage::uncounted_call()));
}

#[tokio::test]
async fn text_is_handed_on_before_the_reply_is_whole_and_a_dropped_stream_drops_the_call() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let base_url = raw(move |mut stream| {
        let tell = tell.clone();
        async move {
            let body = events(&[text("a")]);
            send(&mut stream, &format!("{HEAD}content-length: 100000\r\n\r\n{body}")).await;
            let rest = stream.read(&mut [0; 16]).await;
            tell.send(matches!(rest, Ok(0) | Err(_))).unwrap();
        }
    });
    let model = model(&base_url.await);
    let (sink, record) = recording_sink();
    let call = tokio::spawn(async move { model.stream(&request(), &sink).await });
    record.came().await;
    assert_eq!(record.pieces(), ["a"]);
    call.abort();
    assert_eq!(told.recv().await, Some(true));
}

#[tokio::test]
async fn an_endless_stream_is_read_no_further_than_the_limit() {
    let text = text(&"x".repeat(1 << 16));
    let line = "x".repeat(1 << 16);
    for repeated in [format!("data: {text}\n\n"), line.clone(), format!("data: {line}\n")] {
        let base_url = raw(move |mut stream| {
            let repeated = repeated.clone();
            async move {
                send(&mut stream, &format!("{HEAD}connection: close\r\n\r\n")).await;
                while stream.write_all(repeated.as_bytes()).await.is_ok() {}
            }
        });
        let model = builder(&base_url.await).max_body_bytes(1 << 20).build().unwrap();
        let error = stream(&model).await.0.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::TooLarge);
        let message = "the server's answer is larger than the limit of 1048576 bytes";
        assert_eq!(error.to_string(), message);
    }
}

#[tokio::test]
async fn what_surrounds_the_text_does_not_count_towards_the_limit() {
    let pieces: Vec<String> = (0..100).map(|_| text("x")).chain([end("stop")]).collect();
    let server = Server::start([Answer::events(&pieces)]).await;
    let limit = pieces[0].len() * 2;
    let model = builder(&server.base_url).max_body_bytes(limit).build().unwrap();
    assert_eq!(stream(&model).await.0.unwrap().text, "x".repeat(100));
}

/// A reply whose tokens the server did not count.
fn uncounted(text: &str) -> ModelReply {
    ModelReply::new(text).id("chat-1").usage(Usage::uncounted_call())
}

/// A stream of these events.
fn events(data: &[String]) -> String {
    data.iter().map(|data| format!("data: {data}\n\n")).collect()
}

/// A server that sends these bytes in turn, the last ones repeatedly, and closes the connection each
/// time. Also counts the requests.
async fn in_turn<const N: usize>(answers: [String; N]) -> (String, Arc<AtomicUsize>) {
    let tries = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&tries);
    let base_url = raw(move |mut stream| {
        let number = count.fetch_add(1, Ordering::Relaxed).min(N - 1);
        let answer = answers[number].clone();
        async move { send(&mut stream, &answer).await }
    });
    (base_url.await, tries)
}

// Some of the tests close the client early.
async fn send(stream: &mut TcpStream, text: &str) {
    let _ = stream.write_all(text.as_bytes()).await;
}
