//! Connections that fail: refused, reset, cut, silent, endless.

use std::{future::pending, sync::Arc, time::Duration};

use cot_model::{ModelError, ModelErrorKind, Usage};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    sync::mpsc,
};

use crate::{ask, builder, model, server::raw};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

#[tokio::test]
async fn a_refused_connection_is_tried_again() {
    // Bound but not listening: the port refuses connections, and no other program can use it.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let base_url = format!("http://{}/v1", socket.local_addr().unwrap());
    let error = ask(&model(&base_url)).await.unwrap_err();
    assert_fault(&error, ModelErrorKind::Connection, "the server could not be reached: ");
}

#[tokio::test]
async fn a_reset_connection_is_tried_again() {
    let base_url = raw(async |stream| stream.set_zero_linger().unwrap()).await;
    let error = ask(&model(&base_url)).await.unwrap_err();
    assert_fault(&error, ModelErrorKind::Connection, "the connection to the server broke: ");
}

#[tokio::test]
async fn a_connection_closed_without_an_answer_is_tried_again() {
    let base_url = raw(async |stream| drop(stream)).await;
    let error = ask(&model(&base_url)).await.unwrap_err();
    assert_fault(&error, ModelErrorKind::Connection, "the connection to the server broke: ");
}

#[tokio::test]
async fn a_truncated_body_is_tried_again() {
    for rest in [
        "content-length: 1000\r\n\r\n{\"choices\": [",
        "transfer-encoding: chunked\r\n\r\n5\r\n{\"cho",
    ] {
        let base_url = raw(async move |mut stream| {
            send(&mut stream, HEAD).await;
            send(&mut stream, rest.as_bytes()).await;
        });
        let error = ask(&model(&base_url.await)).await.unwrap_err();
        assert_fault(&error, ModelErrorKind::Connection, "the connection to the server broke: ");
    }
}

#[tokio::test]
async fn a_server_that_is_no_http_server_is_a_broken_connection() {
    let base_url = raw(async |mut stream| send(&mut stream, b"220 mail ready\r\n").await).await;
    let error = ask(&model(&base_url)).await.unwrap_err();
    assert_fault(&error, ModelErrorKind::Connection, "the connection to the server broke: ");
}

#[tokio::test]
async fn silence_ends_with_a_time_out() {
    let limit = Duration::from_millis(20);
    for said in ["", "HTTP/1.1 200 OK\r\n"] {
        let base_url = silent_after(said).await;
        let model = builder(&base_url).timeout(limit).build().unwrap();
        let error = ask(&model).await.unwrap_err();
        assert_fault(&error, ModelErrorKind::Timeout, "the server did not answer in time: ");
        let model = builder(&base_url).first_piece_timeout(limit).build().unwrap();
        let error = ask(&model).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Timeout);
        assert_eq!(error.to_string(), "the server did not answer in time (tried 4 times)");
    }
}

#[tokio::test]
async fn a_reply_that_stops_in_the_middle_is_not_paid_again() {
    let limit = Duration::from_millis(20);
    let base_url = silent_after("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{").await;
    let model = builder(&base_url).piece_timeout(limit).build().unwrap();
    let error = ask(&model).await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (&ModelErrorKind::Unfinished, false));
    assert_eq!(error.usage(), Some(Usage::uncounted_call()));
    let message = "the server began its answer and did not complete it in time";
    assert_eq!(error.to_string(), message);
}

#[tokio::test]
async fn a_failure_whose_text_does_not_end_is_told() {
    let base_url = silent_after("HTTP/1.1 400 Bad\r\ncontent-length: 9\r\n\r\nno").await;
    let model = builder(&base_url).piece_timeout(Duration::from_millis(20));
    let error = ask(&model.build().unwrap()).await.unwrap_err();
    assert_eq!(error.to_string(), "the server answered 400 Bad Request: no");
}

#[tokio::test]
async fn a_dropped_future_drops_the_call() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let base_url = raw(move |mut stream| {
        let tell = tell.clone();
        async move {
            tell.send("asked").unwrap();
            let rest = stream.read(&mut [0; 16]).await;
            tell.send(if matches!(rest, Ok(0) | Err(_)) { "closed" } else { "more" }).unwrap();
        }
    });
    let model = model(&base_url.await);
    let call = tokio::spawn(async move { ask(&model).await });
    assert_eq!(told.recv().await, Some("asked"));
    call.abort();
    assert_eq!(told.recv().await, Some("closed"));
}

#[tokio::test]
async fn an_endless_body_is_read_no_further_than_the_limit() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let base_url = raw(move |mut stream| {
        let tell = tell.clone();
        async move {
            send(&mut stream, HEAD).await;
            send(&mut stream, b"transfer-encoding: chunked\r\n\r\n").await;
            tell.send(send_100_megabytes(&mut stream).await).unwrap();
        }
    });
    let model = builder(&base_url.await).max_body_bytes(1 << 20).build().unwrap();
    let error = ask(&model).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::TooLarge);
    let message = "the server's answer is larger than the limit of 1048576 bytes";
    assert_eq!(error.to_string(), message);
    assert_cut_early(told.recv().await);
}

#[tokio::test]
async fn an_announced_large_body_is_not_waited_for() {
    let base_url = raw(async |mut stream| {
        send(&mut stream, HEAD).await;
        send(&mut stream, b"content-length: 104857600\r\n\r\n").await;
        pending::<()>().await;
    });
    let error = ask(&model(&base_url.await)).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::TooLarge);
}

#[tokio::test]
async fn an_endless_failure_is_read_no_further_than_is_quoted() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let base_url = raw(move |mut stream| {
        let tell = tell.clone();
        async move {
            send(&mut stream, b"HTTP/1.1 400 Bad\r\ntransfer-encoding: chunked\r\n\r\n").await;
            tell.send(send_100_megabytes(&mut stream).await).unwrap();
        }
    });
    let error = ask(&model(&base_url.await)).await.unwrap_err();
    assert!(error.to_string().len() < 500);
    assert_cut_early(told.recv().await);
}

/// A server that falls silent after these bytes.
async fn silent_after(said: &'static str) -> String {
    raw(async move |mut stream| {
        send(&mut stream, said.as_bytes()).await;
        pending::<()>().await;
    })
    .await
}

/// Asserts that there were four attempts, the default, and this error.
fn assert_fault(error: &ModelError, kind: ModelErrorKind, message: &str) {
    assert_eq!(error.kind(), &kind, "{error:?}");
    assert!(error.to_string().starts_with(message), "{error}");
    assert!(error.to_string().ends_with(" (tried 4 times)"), "{error}");
    assert!(std::error::Error::source(error).is_some());
}

// Some of the tests close the client early.
async fn send(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes).await;
}

/// Sends chunks of a megabyte until the client disconnects. Returns how many were sent.
async fn send_100_megabytes(stream: &mut TcpStream) -> usize {
    let chunk: Arc<[u8]> = [&b"100000\r\n"[..], &[b' '; 1 << 20], b"\r\n"].concat().into();
    for sent in 0..100 {
        if stream.write_all(&chunk).await.is_err() {
            return sent;
        }
    }
    100
}

/// The client reads a megabyte; two socket buffers hold the rest.
fn assert_cut_early(sent: Option<usize>) {
    assert!(sent.is_some_and(|megabytes| megabytes < 50), "{sent:?} MB were taken");
}
