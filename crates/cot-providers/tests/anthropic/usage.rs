//! The tokens of replies.

use cot_model::{LanguageModel, ModelRequest, Usage};
use serde_json::{Value, json};

use crate::{
    block, end, event, model, said,
    server::{Answer, Server},
    sink::recording_sink,
    start, streamed, text,
};

async fn counted(usage: Value) -> Usage {
    let mut body = said(&json!([text("hi")]), "end_turn");
    body["usage"] = usage;
    let server = Server::start([Answer::json(200, &body)]).await;
    model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap().usage
}

#[tokio::test]
async fn what_the_cache_holds_and_what_the_model_thinks_is_counted() {
    for (usage, expected) in [
        (json!({ "input_tokens": 5, "output_tokens": 7 }), Usage::for_call(5, 7)),
        (
            json!({ "input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 100,
                    "cache_creation_input_tokens": 20, "output_tokens_details": { "thinking_tokens": 4 } }),
            Usage::for_call(125, 7).cached(100, 20).reasoning(4),
        ),
        (
            json!({ "input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": null }),
            Usage::for_call(5, 7),
        ),
        // A summary of the context, and the model of an adviser.
        (
            json!({ "input_tokens": 5, "output_tokens": 7, "iterations": [
                { "type": "compaction", "input_tokens": 1000, "output_tokens": 60, "cache_read_input_tokens": 1 },
                { "type": "message", "input_tokens": 5, "output_tokens": 7 },
                { "type": "advisor_message", "model": "claude-large", "input_tokens": 30, "output_tokens": 2 },
            ] }),
            Usage::for_call(1036, 69).cached(1, 0),
        ),
        (json!(null), Usage::uncounted_call()),
        (json!({ "input_tokens": "many" }), Usage::uncounted_call()),
    ] {
        assert_eq!(counted(usage.clone()).await, expected, "{usage}");
    }
}

#[tokio::test]
async fn the_last_counts_of_a_stream_are_those_of_the_reply() {
    let usage = json!({ "input_tokens": 40, "output_tokens": 9, "cache_read_input_tokens": 2 });
    let delta = json!({ "delta": { "stop_reason": "end_turn" }, "usage": usage });
    let last = event("message_delta", delta);
    for (last, expected) in
        [(end("end_turn"), Usage::for_call(11, 7)), (last, Usage::for_call(42, 9).cached(2, 0))]
    {
        let server = Server::start([streamed(&[start(), block(0, text("hi"), &[]), last])]).await;
        let (sink, _) = recording_sink();
        let reply = model(&server.base_url).stream(&ModelRequest::new("a"), &sink).await.unwrap();
        assert_eq!(reply.usage, expected);
    }
}
