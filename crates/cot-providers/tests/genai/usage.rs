//! The usage of calls: cached tokens, thoughts, and odd counts.

use cot_model::{LanguageModel, Usage};
use serde_json::{Value, json};

use crate::{
    builder,
    completions::{chunk, data},
    protocols::{event, gemini_content, response},
    request,
    server::{Answer, Server},
    sink::recording_sink,
};

async fn whole(name: &str, body: &Value) -> Usage {
    let server = Server::start([Answer::json(200, body)]).await;
    let model = builder(name, &server.base_url).build().unwrap();
    model.reply(&request()).await.unwrap().usage
}

async fn streamed(name: &str, body: String) -> Usage {
    let answer = Answer::new(200, body).with("content-type", "text/event-stream");
    let server = Server::start([answer]).await;
    let (sink, _) = recording_sink();
    let model = builder(name, &server.base_url).build().unwrap();
    model.stream(&request(), &sink).await.unwrap().usage
}

/// The usage of a chat completion in one piece and in a stream.
async fn chat(name: &str, usage: &Value) -> Usage {
    let choice = json!({ "message": { "content": "a" }, "finish_reason": "stop" });
    let read = whole(name, &json!({ "choices": [choice], "usage": usage })).await;
    let (text, stop) = (chunk(&json!({ "content": "a" }), None), chunk(&json!({}), Some("stop")));
    let counted = data(&json!({ "choices": [], "usage": usage }));
    let body = format!("{text}{stop}{counted}data: [DONE]\n\n");
    assert_eq!(streamed(name, body).await, read, "{name} {usage}");
    read
}

#[tokio::test]
async fn cached_tokens_and_thoughts_of_chat_completions_are_read() {
    let details = json!({ "prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150,
        "prompt_tokens_details": { "cached_tokens": 64, "cache_write_tokens": 20 },
        "completion_tokens_details": { "reasoning_tokens": 30 } });
    let hits = json!({ "prompt_tokens": 100, "completion_tokens": 50, "prompt_cache_hit_tokens": 64,
        "prompt_cache_miss_tokens": 36 });
    for name in ["openai::tiny", "tiny", "deepseek::tiny"] {
        let expected = Usage::for_call(100, 50).cached(64, 20).reasoning(30);
        assert_eq!(chat(name, &details).await, expected, "{name}");
        assert_eq!(chat(name, &hits).await, Usage::for_call(100, 50).cached(64, 0), "{name}");
    }
}

#[tokio::test]
async fn odd_usage_of_chat_completions_is_bounded_and_never_an_error() {
    let odd = |value: Value| {
        json!({ "prompt_tokens": 10, "completion_tokens": 5,
            "prompt_tokens_details": { "cached_tokens": value },
            "completion_tokens_details": { "reasoning_tokens": value } })
    };
    for value in [Value::Null, json!("7"), json!(-7), json!(1.5), json!([7])] {
        assert_eq!(chat("openai::tiny", &odd(value)).await, Usage::for_call(10, 5));
    }
    let bounded = Usage::for_call(10, 5).cached(10, 0).reasoning(5);
    for value in [json!(11), json!(u64::MAX)] {
        assert_eq!(chat("openai::tiny", &odd(value)).await, bounded);
    }
    for usage in [json!("much"), json!([1]), json!({ "prompt_tokens": "10" }), Value::Null] {
        assert_eq!(chat("openai::tiny", &usage).await, Usage::uncounted_call());
    }
}

#[tokio::test]
async fn cached_tokens_and_thoughts_of_anthropic_are_read() {
    let usage = json!({ "input_tokens": 1, "cache_read_input_tokens": 4,
        "cache_creation_input_tokens": 6, "output_tokens": 7,
        "output_tokens_details": { "thinking_tokens": 3 } });
    let content = json!([{ "type": "text", "text": "a" }]);
    let body = json!({ "content": content, "stop_reason": "end_turn", "usage": usage });
    let expected = Usage::for_call(11, 7).cached(4, 6);
    assert_eq!(whole("anthropic::tiny", &body).await, expected.reasoning(3));

    let message = json!({ "content": [], "usage": usage });
    let text = json!({ "index": 0, "delta": { "type": "text_delta", "text": "a" } });
    let end = json!({ "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 7 } });
    let body = event("message_start", json!({ "message": message }))
        + &event("content_block_start", json!({ "content_block": { "type": "text", "text": "" } }))
        + &event("content_block_delta", text)
        + &event("message_delta", end)
        + &event("message_stop", json!({}));
    assert_eq!(streamed("anthropic::tiny", body).await, expected);

    for odd in [json!(-4), json!("4"), Value::Null] {
        let mut body = body_with(&content, &json!({ "input_tokens": 1, "output_tokens": 7 }));
        body["usage"]["cache_read_input_tokens"] = odd;
        assert!(whole("anthropic::tiny", &body).await.cached_tokens <= 1);
    }
}

fn body_with(content: &Value, usage: &Value) -> Value {
    json!({ "content": content, "stop_reason": "end_turn", "usage": usage })
}

#[tokio::test]
async fn cached_tokens_and_thoughts_of_gemini_and_responses_are_read() {
    let mut body = gemini_content("a", Some("STOP"));
    body["usageMetadata"]["thoughtsTokenCount"] = 5.into();
    body["usageMetadata"]["cachedContentTokenCount"] = 8.into();
    let expected = Usage::for_call(11, 12).cached(8, 0).reasoning(5);
    assert_eq!(whole("gemini::tiny", &body).await, expected);
    assert_eq!(streamed("gemini::tiny", data(&body)).await, expected);
    // The model used all its tokens to think.
    body["usageMetadata"].as_object_mut().unwrap().remove("candidatesTokenCount");
    let expected = Usage::for_call(11, 5).cached(8, 0).reasoning(5);
    assert_eq!(whole("gemini::tiny", &body).await, expected);
    body["usageMetadata"]["cachedContentTokenCount"] = 12.into();
    assert_eq!(whole("gemini::tiny", &body).await.cached_tokens, 11);

    let content = json!([{ "type": "output_text", "text": "a" }]);
    let output = json!([{ "type": "message", "role": "assistant", "content": content }]);
    let mut body = response("completed", output);
    body["usage"]["input_tokens_details"] = json!({ "cached_tokens": 8, "cache_write_tokens": 2 });
    body["usage"]["output_tokens_details"] = json!({ "reasoning_tokens": 5 });
    let expected = Usage::for_call(11, 7).cached(8, 2).reasoning(5);
    assert_eq!(whole("openai_resp::tiny", &body).await, expected);
}
