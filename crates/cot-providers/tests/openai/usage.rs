//! The usage of calls, in one piece and in streams: cached tokens, thoughts, and odd counts.

use cot_model::{LanguageModel, Usage};
use serde_json::{Value, json};

use crate::{
    ask, model, request,
    server::{Answer, Server},
    sink::recording_sink,
    streams::{end, text},
};

/// The usage of a reply in one piece and of a stream with this usage.
async fn read(usage: &Value) -> Usage {
    let choices = json!([{ "message": { "content": "a" }, "finish_reason": "stop" }]);
    let server =
        Server::start([Answer::json(200, &json!({ "choices": choices, "usage": usage }))]).await;
    let whole = ask(&model(&server.base_url)).await.unwrap().usage;
    let counted = json!({ "choices": [], "usage": usage }).to_string();
    let events = Answer::events([text("a"), end("stop"), counted, "[DONE]".to_owned()]);
    let server = Server::start([events]).await;
    let (sink, _) = recording_sink();
    let streamed = model(&server.base_url).stream(&request(), &sink).await.unwrap().usage;
    assert_eq!(whole, streamed, "{usage}");
    whole
}

#[tokio::test]
async fn cached_tokens_and_thoughts_are_read_from_all_sorts_of_servers() {
    let cached = |read, written| Usage::for_call(100, 50).cached(read, written);
    for (details, expected) in [
        // OpenAI, vLLM, llama.cpp
        (json!({ "prompt_tokens_details": { "cached_tokens": 64 } }), cached(64, 0)),
        // OpenRouter
        (
            json!({ "prompt_tokens_details": { "cached_tokens": 64, "cache_write_tokens": 20 } }),
            cached(64, 20),
        ),
        // LiteLLM, with the names of Anthropic
        (
            json!({ "cache_read_input_tokens": 64, "cache_creation_input_tokens": 20,
                "prompt_tokens_details": { "cached_tokens": 64, "cache_creation_tokens": 20 } }),
            cached(64, 20),
        ),
        (json!({ "cache_creation_input_tokens": 20 }), cached(0, 20)),
        // DeepSeek
        (json!({ "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36 }), cached(64, 0)),
        // Moonshot
        (json!({ "cached_tokens": 64 }), cached(64, 0)),
        (
            json!({ "completion_tokens_details": { "reasoning_tokens": 30 } }),
            cached(0, 0).reasoning(30),
        ),
        // xAI: the thoughts are not included in the output, but in the total.
        (
            json!({ "completion_tokens_details": { "reasoning_tokens": 30 }, "total_tokens": 180 }),
            Usage::for_call(100, 80).reasoning(30),
        ),
    ] {
        let mut usage =
            json!({ "prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150 });
        for (name, value) in details.as_object().unwrap() {
            usage[name] = value.clone();
        }
        assert_eq!(read(&usage).await, expected, "{usage}");
    }
}

#[tokio::test]
async fn odd_usage_is_bounded_and_never_an_error() {
    let odd_details = |value: Value| {
        json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": value,
            "prompt_tokens_details": { "cached_tokens": value, "cache_write_tokens": value },
            "completion_tokens_details": { "reasoning_tokens": value } })
    };
    for value in [Value::Null, json!("7"), json!(-7), json!(1.5), json!([7]), json!({ "a": 7 })] {
        assert_eq!(read(&odd_details(value)).await, Usage::for_call(10, 5));
    }
    for value in [json!(11), json!(u64::MAX)] {
        let usage = read(&odd_details(value)).await;
        assert_eq!(
            (usage.cached_tokens, usage.cache_write_tokens, usage.reasoning_tokens),
            (10, 0, 5)
        );
    }
    for details in [Value::Null, json!([]), json!("all"), json!(3)] {
        let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5,
            "prompt_tokens_details": details, "completion_tokens_details": details });
        assert_eq!(read(&usage).await, Usage::for_call(10, 5));
    }
    for usage in [json!([1]), json!("much"), json!(7), json!({ "prompt_tokens": "10" })] {
        assert_eq!(read(&usage).await, Usage::uncounted_call());
    }
}

#[tokio::test]
async fn usage_that_is_not_told_is_not_counted_as_zero() {
    let choices = json!([{ "message": { "content": "a" }, "finish_reason": "stop" }]);
    for (usage, expected) in [
        (Value::Null, Usage::uncounted_call()),
        (json!({ "prompt_tokens": null }), Usage::uncounted_call()),
        (json!({ "prompt_tokens": 3, "completion_tokens": -1 }), Usage::for_call(3, 0)),
    ] {
        let body = json!({ "choices": choices, "usage": usage });
        let server = Server::start([Answer::json(200, &body)]).await;
        assert_eq!(ask(&model(&server.base_url)).await.unwrap().usage, expected);
    }
    let server = Server::start([Answer::json(200, &json!({ "choices": choices }))]).await;
    assert_eq!(ask(&model(&server.base_url)).await.unwrap().usage, Usage::uncounted_call());
}
