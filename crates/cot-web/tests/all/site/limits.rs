//! What clients without access can't use up.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use axum::{body::Body, http::Request};
use cot_web::{Access, HeaderName, Site};
use futures_util::stream::pending;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use super::world::{ended, post, put, send, some_runs};

/// A time that passes at once where the clock is paused.
const HOUR: Duration = Duration::from_secs(3_600);

/// Serves a site that asks a proxy for its visitors.
async fn serve(site: Site) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let site = site.access(Access::header(HeaderName::from_static("x-user")));
    tokio::spawn(async move { site.serve(listener, std::future::pending()).await });
    address
}

async fn connect(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server that has closed the connection takes nothing more.
    _ = stream.write_all(text.as_bytes()).await;
    stream
}

/// Reads until the server closes the connection.
async fn read_to_end(mut stream: TcpStream) -> String {
    let mut received = Vec::new();
    _ = stream.read_to_end(&mut received).await;
    String::from_utf8(received).unwrap()
}

/// Reads until a text was received.
async fn read_until(stream: &mut TcpStream, text: &str) {
    let mut received = String::new();
    while !received.contains(text) {
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).await.unwrap();
        assert_ne!(length, 0, "the stream ended without {text:?}: {received}");
        received.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
}

#[tokio::test]
async fn half_sent_requests_make_room_for_others() {
    let store = some_runs().await;
    let address = serve(Site::new(store.clone()).max_connections(8)).await;
    let live = "GET /live HTTP/1.1\r\nhost: a\r\nx-user: ann\r\n\r\n";
    let mut page = connect(address, live).await;
    read_until(&mut page, "event: changed").await;
    let mut strangers = Vec::new();
    for text in ["", "GET / HTTP/1.1\r\nhost:", "POST /login HTTP/1.1\r\ncontent-length: 9\r\n\r\n"]
        .iter()
        .cycle()
        .take(60)
    {
        strangers.push(connect(address, text).await);
    }
    let request = "GET /people HTTP/1.1\r\nhost: a\r\nx-user: ann\r\nconnection: close\r\n\r\n";
    let answer = read_to_end(connect(address, request).await).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("letter-1"), "{answer}");
    assert_eq!(read_to_end(strangers.remove(0)).await, "", "the oldest is closed");
    // A page that follows the store stays open.
    put(&*store, "letter-10", "Letters", 100, ended("end", "")).await;
    read_until(&mut page, "event: changed").await;
}

#[tokio::test]
async fn connections_of_visitors_make_no_room() {
    let address = serve(Site::new(some_runs().await).max_connections(2)).await;
    let live = "GET /live HTTP/1.1\r\nhost: a\r\nx-user: ann\r\n\r\n";
    let mut pages = [connect(address, live).await, connect(address, live).await];
    for page in &mut pages {
        read_until(page, "event: changed").await;
    }
    assert_eq!(read_to_end(connect(address, live).await).await, "");
    drop(pages);
}

#[tokio::test(start_paused = true)]
async fn a_connection_waits_for_a_head_for_a_while() {
    let address = serve(Site::new(some_runs().await)).await;
    for text in ["", "GET / HTTP/1.1\r\nhost: a\r\nx-user: ann\r\n"] {
        let stream = connect(address, text).await;
        let answer = timeout(HOUR, read_to_end(stream)).await.unwrap();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    // So does one that has sent a request before.
    let stream = connect(address, "GET / HTTP/1.1\r\nhost: a\r\nx-user: ann\r\n\r\n").await;
    let answer = timeout(HOUR, read_to_end(stream)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_form_arrives_within_a_while() {
    let router = Site::new(some_runs().await).access(Access::password("right")).router();
    let body = Body::from_stream(pending::<Result<Vec<u8>, Infallible>>());
    let request = Request::post("/login").body(body).unwrap();
    let answer = timeout(HOUR, send(&router, request)).await.unwrap();
    assert_eq!(answer.status, 408, "{}", answer.text);
}

#[tokio::test]
async fn a_visitor_without_access_sends_small_forms() {
    let router = Site::new(some_runs().await).access(Access::password("right")).router();
    let long = format!("password=right&to=/{}", "a".repeat(4 * 1024));
    for path in ["/login", "/assets/style.css"] {
        assert_eq!(post(&router, path, &long, &[]).await.status, 413, "{path}");
    }
    assert_eq!(post(&router, "/login", "password=right", &[]).await.status, 303);
}
