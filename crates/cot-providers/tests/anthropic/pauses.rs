//! Replies that the server pauses while its own tools run.

use cot_model::{LanguageModel, ModelErrorKind, ModelRequest};
use serde_json::{Value, json};

use crate::{
    answer, block, builder, end, model,
    server::{Answer, Server},
    sink::recording_sink,
    start, streamed, text,
};

fn searched(id: &str) -> [Value; 2] {
    [
        json!({ "type": "server_tool_use", "id": id, "name": "web_search", "input": { "query": "rain" } }),
        json!({ "type": "web_search_tool_result", "tool_use_id": id, "content": [] }),
    ]
}

/// A part of a reply: a text, and a search after it.
fn part(said: &str, id: &str) -> Value {
    let [used, found] = searched(id);
    json!([text(said), used, found])
}

#[tokio::test]
async fn a_paused_reply_is_continued_with_its_content_so_far() {
    let last = answer(&json!([text("It rains.")]), "end_turn");
    let answers = [
        answer(&part("I look. ", "a"), "pause_turn"),
        answer(&part("Again. ", "b"), "pause_turn"),
        last,
    ];
    let server = Server::start(answers).await;
    let reply = model(&server.base_url).reply(&ModelRequest::new("Does it rain?")).await.unwrap();
    assert_eq!(reply.text, "I look. Again. It rains.");
    // Each part is paid for, and all are one call.
    assert_eq!(
        (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens),
        (1, 33, 21)
    );
    let bodies: Vec<Value> = server.asked().into_iter().map(|asked| asked.body).collect();
    let mut expected = bodies[0].clone();
    let first = part("I look. ", "a");
    let turn = |content: Value| json!({ "role": "assistant", "content": content });
    expected["messages"].as_array_mut().unwrap().push(turn(first.clone()));
    assert_eq!(bodies[1], expected);
    let both =
        [first.as_array().unwrap().as_slice(), part("Again. ", "b").as_array().unwrap()].concat();
    expected["messages"][1] = turn(both.into());
    assert_eq!(bodies[2], expected);
}

#[tokio::test]
async fn a_failure_repeats_only_the_part_that_failed() {
    let failed = Answer::json(
        529,
        &json!({ "type": "error", "error": { "type": "overloaded_error", "message": "no room" } }),
    );
    let last = answer(&json!([text("It rains.")]), "end_turn");
    let server = Server::start([answer(&part("I look. ", "a"), "pause_turn"), failed, last]).await;
    let reply = model(&server.base_url).reply(&ModelRequest::new("Does it rain?")).await.unwrap();
    assert_eq!((&*reply.text, reply.usage.input_tokens), ("I look. It rains.", 22));
    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[1].body, asked[2].body);
}

#[tokio::test]
async fn a_paused_stream_keeps_what_was_handed_on() {
    let piece = |said: &str| [json!({ "type": "text_delta", "text": said })];
    let [used, found] = searched("a");
    let paused = [
        start(),
        block(0, text(""), &piece("I look. ")),
        block(1, used, &[]),
        block(2, found, &[]),
        end("pause_turn"),
    ];
    let cut = [start(), block(0, text(""), &piece("It sn"))];
    let last = [start(), block(0, text(""), &piece("It rains.")), end("end_turn")];
    let whole = answer(&json!([text("It rains.")]), "end_turn");
    for last in [streamed(&last), whole] {
        let server = Server::start([streamed(&paused), streamed(&cut), last]).await;
        let (sink, record) = recording_sink();
        let reply = model(&server.base_url).stream(&ModelRequest::new("a"), &sink).await.unwrap();
        assert_eq!(reply.text, "I look. It rains.");
        assert_eq!(record.pieces(), ["I look. ", "It sn", "<restart>", "I look. ", "It rains."]);
        assert_eq!(server.asked()[2].body["messages"][1]["content"], part("I look. ", "a"));
    }
}

#[tokio::test]
async fn a_reply_that_never_continues_is_an_error() {
    let server = Server::start([answer(&part("I look. ", "a"), "pause_turn")]).await;
    let (sink, record) = recording_sink();
    let error = model(&server.base_url).stream(&ModelRequest::new("a"), &sink).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Aborted);
    assert!(error.to_string().starts_with("the server paused the reply"), "{error}");
    assert_eq!((server.asked().len(), error.usage().unwrap().input_tokens), (11, 121));
    assert_eq!(record.pieces().last().unwrap(), "<restart>");
}

#[tokio::test]
async fn a_pause_with_nothing_before_it_is_a_failure_that_passes() {
    let server = Server::start([answer(&json!([]), "pause_turn")]).await;
    let model = builder(&server.base_url).max_retries(1).build().unwrap();
    let error = model.reply(&ModelRequest::new("a")).await.unwrap_err();
    assert_eq!((error.kind(), server.asked().len()), (&ModelErrorKind::Aborted, 2));
}
