//! What the errors of requests say of their effects.

use cot_core::{EffectError, request_error};
use cot_providers::internal::client_builder;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// Sends a request and returns what its error says of the effect.
async fn outcome(url: &str) -> EffectError {
    // A program's own client has the TLS that the program names; this one needs none.
    let client = client_builder(&"http://localhost".parse().unwrap()).unwrap().build().unwrap();
    let sent = client.post(url).body("5").send().await;
    let error = sent.and_then(reqwest::Response::error_for_status).unwrap_err();
    let error = request_error(error);
    assert!(!error.to_string().contains("secret"), "{error}");
    error.outcome()
}

/// Returns the address of a server that reads one request and answers with these bytes.
async fn server(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _ = connection.read(&mut request).await.unwrap();
        connection.write_all(answer.as_bytes()).await.unwrap();
    });
    format!("http://{address}/pay?key=secret")
}

/// Returns an address at which nothing listens.
async fn nowhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}/?key=secret", listener.local_addr().unwrap())
}

#[tokio::test]
async fn a_request_that_was_not_sent_has_done_nothing() {
    assert_eq!(outcome(&nowhere().await).await, EffectError::NotDone);
    assert_eq!(outcome("no address").await, EffectError::NotDone);
}

#[tokio::test]
async fn it_is_not_known_what_became_of_a_request_that_was_sent() {
    let lost = server(String::new()).await;
    assert_eq!(outcome(&lost).await, EffectError::Unknown);
    let failed = "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    assert_eq!(outcome(&server(failed.to_owned()).await).await, EffectError::Unknown);
}
