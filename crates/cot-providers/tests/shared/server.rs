//! Test servers: one with prepared answers, and one for bytes that HTTP libraries refuse to send.

use std::{
    future::Future,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, Response},
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A prepared answer.
#[derive(Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

/// A request as the server received it.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into() }
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::new(status, body.to_string()).with("content-type", "application/json")
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn into_response(self) -> Response<Body> {
        let mut response = Response::builder().status(self.status);
        for (name, value) in self.headers {
            response = response.header(name, value);
        }
        response.body(self.body.into()).unwrap()
    }
}

/// A server that sends its answers in turn, and the last one repeatedly.
pub(crate) struct Server {
    pub(crate) base_url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers: Arc<[Answer]> = answers.into_iter().collect();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&asked);
        let handler = move |request: Request| {
            let (answers, record) = (Arc::clone(&answers), Arc::clone(&record));
            async move {
                let asked = read(request).await;
                let number = {
                    let mut record = record.lock().unwrap();
                    record.push(asked);
                    record.len()
                };
                answers[number.min(answers.len()) - 1].clone().into_response()
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = base_url(&listener);
        let serving = axum::serve(listener, Router::new().fallback(handler));
        tokio::spawn(serving.into_future());
        Self { base_url, asked }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn read(request: Request) -> Asked {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    Asked {
        method: parts.method.to_string(),
        target: parts.uri.to_string(),
        headers: parts.headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    }
}

fn base_url(listener: &TcpListener) -> String {
    format!("http://{}/v1", listener.local_addr().unwrap())
}

/// A server that reads each request and passes the connection to a function. Returns the base URL.
pub(crate) async fn raw<F>(answer: impl Fn(TcpStream) -> F + Send + 'static) -> String
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = base_url(&listener);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            read_request(&mut stream).await;
            tokio::spawn(answer(stream));
        }
    });
    base_url
}

// A request is complete when its body is complete JSON.
async fn read_request(stream: &mut TcpStream) {
    let mut request = Vec::new();
    let mut part = [0; 4096];
    while !is_whole(&request) {
        match stream.read(&mut part).await {
            Ok(count) if count > 0 => request.extend_from_slice(&part[..count]),
            _ => return,
        }
    }
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).into_owned();
    text.split_once("\r\n\r\n").is_some_and(|(_, body)| serde_json::from_str::<Value>(body).is_ok())
}

/// A server that sends a stream of events in pieces of this size. Returns the base URL.
pub(crate) async fn in_pieces(events: Vec<u8>, bytes: usize) -> String {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    raw(move |mut stream: TcpStream| {
        let events = events.clone();
        async move {
            stream.set_nodelay(true).unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            for piece in events.chunks(bytes) {
                stream.write_all(piece).await.unwrap();
                stream.flush().await.unwrap();
            }
        }
    })
    .await
}
