//! TLS, by the provider that the features name.

use cot_model::LanguageModel;
use cot_providers::OpenAiCompatible;
use tokio::{io::AsyncReadExt, net::TcpListener};

use crate::{builder, request};

/// Returns what a client sends first to a server at a URL with `https`.
async fn first_record(model: &OpenAiCompatible, listener: TcpListener) -> Vec<u8> {
    // With the listener, so that further attempts are refused.
    let accepted = async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut record = vec![0; 4096];
        let read = stream.read(&mut record).await.unwrap();
        record.truncate(read);
        record
    };
    let request = request();
    let (record, reply) = tokio::join!(accepted, model.reply(&request));
    assert!(reply.is_err(), "the server says nothing");
    record
}

#[tokio::test]
async fn a_server_at_https_is_greeted_with_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/v1", listener.local_addr().unwrap().port());
    let model = builder(&url).build().unwrap();
    let record = first_record(&model, listener).await;
    // A handshake, in which the client says the host and the protocols that it speaks.
    assert_eq!(record.first(), Some(&22));
    let says = |text: &[u8]| record.windows(text.len()).any(|window| window == text);
    assert!(says(b"localhost") && says(b"http/1.1"));
    assert!(!says(b"sk-very-secret"));
}
