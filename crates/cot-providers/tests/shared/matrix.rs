//! Stream faults on every client and protocol of the test.
//!
//! Whatever a server does, the result is a correct and complete reply or a descriptive error, and the
//! pieces since the last restart make up the reply.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_model::{FinishReason, LanguageModel, ModelError, ModelErrorKind, ModelReply, Usage};
use tokio::{io::AsyncWriteExt, net::TcpStream, task::yield_now};

use crate::{
    request,
    server::{Answer, Server, raw},
    sink::recording_sink,
    wire::{Limits, Wire},
    wires,
};

const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// Requests a stream and checks its pieces against the result.
async fn stream(
    model: &dyn LanguageModel,
    what: &str,
) -> (Result<ModelReply, ModelError>, Vec<String>) {
    let (sink, record) = recording_sink();
    let reply = model.stream(&request(), &sink).await;
    let pieces = record.pieces();
    let since = pieces.iter().rposition(|piece| piece == "<restart>").map_or(0, |at| at + 1);
    let handed_on = pieces[since..].concat();
    let expected = reply.as_ref().map(|reply| reply.text.as_str()).unwrap_or_default();
    assert_eq!(handed_on, expected, "{what}: {pieces:?}, {reply:?}");
    // Not all of them tell the id and the model.
    let reply = reply.map(|mut reply| {
        (reply.id, reply.model) = (None, None);
        reply
    });
    (reply, pieces)
}

/// The result of a stream with these bytes, after which the connection is closed.
async fn closed_after(wire: &Wire, body: &str) -> (Result<ModelReply, ModelError>, Vec<String>) {
    let answer = format!("{HEAD}{body}");
    let base_url = raw(move |stream| send_all(stream, answer.clone())).await;
    stream(&*(wire.model)(&base_url, Limits::default()), wire.name).await
}

fn paris() -> ModelReply {
    ModelReply::new("Paris, né é€😀").usage(Usage::for_call(11, 7))
}

const PIECES: [&str; 3] = ["Pa", "ris, né ", "é€😀"];

#[tokio::test]
async fn streams_are_handed_on_and_read() {
    for wire in wires() {
        let (reply, pieces) = closed_after(&wire, &wire.stream(&PIECES)).await;
        assert_eq!(reply.unwrap(), paris(), "{}", wire.name);
        assert_eq!(pieces, PIECES, "{}", wire.name);
    }
}

#[tokio::test]
async fn text_is_handed_on_before_the_reply_is_whole() {
    for wire in wires() {
        let start = format!("{}{}", wire.start, (wire.text)("Pa"));
        let base_url = endless(start, String::new()).await;
        let model = (wire.model)(&base_url, Limits::default());
        let (sink, record) = recording_sink();
        let call = tokio::spawn(async move { model.stream(&request(), &sink).await });
        record.came().await;
        assert_eq!(record.pieces(), ["Pa"], "{}", wire.name);
        call.abort();
    }
}

#[tokio::test]
async fn line_ends_of_all_sorts_are_read() {
    for wire in wires() {
        let body = wire.stream(&PIECES).replace('\n', "\r\n");
        let (reply, pieces) = closed_after(&wire, &body).await;
        assert_eq!(reply.unwrap(), paris(), "{}", wire.name);
        assert_eq!(pieces, PIECES, "{}", wire.name);
    }
}

#[tokio::test]
async fn what_keeps_a_connection_alive_is_no_part_of_a_reply() {
    for wire in wires() {
        let calm = |piece: &&str| format!("{0}{1}{0}{0}", wire.keep_alive, (wire.text)(piece));
        let pieces: String = PIECES.iter().map(calm).collect();
        let body = format!("{0}{1}{pieces}{2}{0}", wire.keep_alive, wire.start, wire.end);
        let (reply, _) = closed_after(&wire, &body).await;
        assert_eq!(reply.unwrap(), paris(), "{}", wire.name);
    }
}

#[tokio::test]
async fn a_stream_in_single_bytes_is_the_same() {
    for wire in wires() {
        let body = wire.stream(&PIECES);
        let base_url = raw(move |mut stream: TcpStream| {
            let body = body.clone();
            async move {
                stream.set_nodelay(true).unwrap();
                send(&mut stream, HEAD.as_bytes()).await;
                for byte in body.bytes() {
                    send(&mut stream, &[byte]).await;
                    yield_now().await;
                }
            }
        });
        let model = (wire.model)(&base_url.await, Limits::default());
        let (reply, pieces) = stream(&*model, wire.name).await;
        assert_eq!(reply.unwrap(), paris(), "{}", wire.name);
        assert_eq!(pieces, PIECES, "{}", wire.name);
    }
}

#[tokio::test]
async fn a_stream_cut_anywhere_is_an_error_or_whole() {
    for wire in wires() {
        let body = wire.stream(&["Pa", "ris"]);
        let cuts = Arc::new(AtomicUsize::new(0));
        let (at, whole) = (Arc::clone(&cuts), body.clone());
        let base_url = raw(move |stream| {
            let cut = at.load(Ordering::Relaxed);
            send_all(stream, format!("{HEAD}{}", &whole[..cut]))
        });
        let model = (wire.model)(&base_url.await, Limits::default());
        let mut failed = 0;
        for cut in (0..body.len()).step_by(3) {
            cuts.store(cut, Ordering::Relaxed);
            let what = format!("{} after {:?}", wire.name, &body[cut.saturating_sub(60)..cut]);
            match stream(&*model, &what).await.0 {
                Ok(reply) => {
                    assert_eq!(
                        (&*reply.text, reply.finish),
                        ("Paris", FinishReason::Stop),
                        "{what}"
                    );
                }
                Err(error) => {
                    assert_eq!(error.kind(), &ModelErrorKind::Connection, "{what}: {error}");
                    failed += 1;
                }
            }
        }
        assert!(failed * 3 >= body.len() - wire.end.len(), "{}: {failed} failed", wire.name);
    }
}

#[tokio::test]
async fn a_stream_that_is_reset_in_the_middle_begins_again() {
    for wire in wires() {
        let tries = Arc::new(AtomicUsize::new(0));
        let (count, whole) = (Arc::clone(&tries), wire.stream(&["Paris"]));
        let half = format!("{}{}", wire.start, (wire.text)("Lond"));
        let base_url = raw(move |mut stream: TcpStream| {
            let is_first = count.fetch_add(1, Ordering::Relaxed) == 0;
            let (half, whole) = (half.clone(), whole.clone());
            async move {
                if is_first {
                    send(&mut stream, format!("{HEAD}{half}").as_bytes()).await;
                    stream.set_zero_linger().unwrap();
                } else {
                    send_all(stream, format!("{HEAD}{whole}")).await;
                }
            }
        });
        let limits = Limits { retries: 1, ..Limits::default() };
        let model = (wire.model)(&base_url.await, limits);
        let (reply, _) = stream(&*model, wire.name).await;
        assert_eq!(reply.unwrap().text, "Paris", "{}", wire.name);
        assert_eq!(tries.load(Ordering::Relaxed), 2, "{}", wire.name);
    }
}

#[tokio::test]
async fn an_error_in_a_stream_is_told_and_tried_again() {
    for wire in wires() {
        let half = format!("{}{}{}", wire.start, (wire.text)("Lond"), wire.error);
        let typed = |body: String| Answer::new(200, body).with("content-type", "text/event-stream");
        let whole = typed(wire.stream(&["Paris"]));
        let server = Server::start([typed(half.clone()), whole]).await;
        let again = (wire.model)(&server.base_url, Limits { retries: 1, ..Limits::default() });
        let (reply, pieces) = stream(&*again, wire.name).await;
        assert_eq!(reply.unwrap().text, "Paris", "{}", wire.name);
        assert_eq!(pieces, ["Lond", "<restart>", "Paris"], "{}", wire.name);

        let error = closed_after(&wire, &half).await.0.unwrap_err();
        let is_passing = matches!(error.kind(), ModelErrorKind::Status { code: 500..=599, .. });
        assert!(is_passing, "{}: {error:?}", wire.name);
        let message = "the server aborted the reply: no room";
        assert!(error.to_string().starts_with(message), "{}: {error}", wire.name);
    }
}

#[tokio::test]
async fn what_is_no_event_of_the_protocol_is_an_error_that_shows_it() {
    for wire in wires() {
        let pieces = format!("{}{}", (wire.text)("Pa"), wire.garbage);
        let body = format!("{}{pieces}{}{}", wire.start, (wire.text)("ris"), wire.end);
        let error = closed_after(&wire, &body).await.0.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Protocol, "{}: {error}", wire.name);
        assert!(error.to_string().ends_with("got: oops"), "{}: {error}", wire.name);
    }
}

#[tokio::test]
async fn garbled_streams_are_read_or_refused_and_always_end() {
    for wire in wires() {
        let whole = wire.stream(&["Paris"]).into_bytes();
        let tries = Arc::new(AtomicUsize::new(0));
        let (count, sent) = (Arc::clone(&tries), whole.clone());
        let base_url = raw(move |mut stream: TcpStream| {
            let bytes = garbled(&sent, count.fetch_add(1, Ordering::Relaxed));
            async move { send(&mut stream, &bytes).await }
        });
        let model = (wire.model)(&base_url.await, Limits::default());
        for _ in 0..200 {
            let _ = stream(&*model, wire.name).await;
        }
        assert_eq!(tries.load(Ordering::Relaxed), 200, "{}", wire.name);
    }
}

/// An answer with one byte changed.
fn garbled(body: &[u8], number: usize) -> Vec<u8> {
    const BYTES: [u8; 10] = *b"\0\xff\xc3{}[\",\n0";
    let mut bytes = [HEAD.as_bytes(), body].concat();
    bytes[HEAD.len() + number * 7919 % body.len()] = BYTES[number % BYTES.len()];
    bytes
}

#[tokio::test]
async fn streams_without_a_reply_are_errors() {
    for wire in wires() {
        for body in ["", "\n", "\n\n\n", wire.keep_alive, &wire.start] {
            let error = closed_after(&wire, body).await.0.unwrap_err();
            assert_eq!(error.kind(), &ModelErrorKind::Connection, "{}: {error}", wire.name);
        }
        let page = Answer::new(200, "<html>\n<p>no</p>\n</html>").with("content-type", "text/html");
        let server = Server::start([page]).await;
        let model = (wire.model)(&server.base_url, Limits::default());
        stream(&*model, wire.name).await.0.unwrap_err();
    }
}

#[tokio::test]
async fn a_large_event_is_read_up_to_the_limit() {
    for wire in wires() {
        let text = "é".repeat(1 << 18);
        let body = wire.stream(&[&text]);
        assert_eq!(closed_after(&wire, &body).await.0.unwrap().text, text, "{}", wire.name);

        let answer = Answer::new(200, body).with("content-type", "text/event-stream");
        let server = Server::start([answer]).await;
        let limits = Limits { max_bytes: 1 << 18, ..Limits::default() };
        let error =
            stream(&*(wire.model)(&server.base_url, limits), wire.name).await.0.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::TooLarge, "{}: {error}", wire.name);
    }
}

#[tokio::test]
async fn endless_text_is_read_no_further_than_the_limit() {
    for wire in wires() {
        let (start, piece) = (wire.start.clone(), (wire.text)(&"x".repeat(1 << 12)));
        let base_url = endless(start, piece).await;
        let limits = Limits { max_bytes: 1 << 18, ..Limits::default() };
        let error = stream(&*(wire.model)(&base_url, limits), wire.name).await.0.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::TooLarge, "{}: {error}", wire.name);
    }
}

#[tokio::test]
async fn a_stream_that_never_ends_ends_with_a_time_out() {
    for wire in wires() {
        for repeated in [String::new(), wire.keep_alive.to_owned()] {
            let start = format!("{}{}", wire.start, (wire.text)("Pa"));
            let base_url = endless(start, repeated).await;
            let limits = Limits { timeout: Duration::from_millis(40), ..Limits::default() };
            let error = stream(&*(wire.model)(&base_url, limits), wire.name).await.0.unwrap_err();
            // The limit may pass before the first piece.
            let is_late =
                matches!(error.kind(), ModelErrorKind::Timeout | ModelErrorKind::Unfinished);
            assert!(is_late, "{}: {error}", wire.name);
        }
    }
}

/// A server that repeats its bytes until the client disconnects; without bytes it is silent.
async fn endless(start: String, repeated: String) -> String {
    raw(move |mut stream: TcpStream| {
        let (start, repeated) = (start.clone(), repeated.clone());
        async move {
            send(&mut stream, format!("{HEAD}{start}").as_bytes()).await;
            if repeated.is_empty() {
                std::future::pending::<()>().await;
            }
            while stream.write_all(repeated.as_bytes()).await.is_ok() {
                yield_now().await;
            }
        }
    })
    .await
}

async fn send_all(mut stream: TcpStream, bytes: String) {
    send(&mut stream, bytes.as_bytes()).await;
}

// Some of the tests close the client early.
async fn send(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes).await;
}
