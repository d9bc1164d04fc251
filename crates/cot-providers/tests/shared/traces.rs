//! The trace context that clients send, and the names in replies.

use cot_model::{LanguageModel, ModelRequest, TraceContext};
use serde_json::json;

use crate::server::{Answer, Server};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[tokio::test]
async fn the_current_trace_context_is_sent() {
    let server = Server::start([Answer::completion("hi")]).await;
    let model = crate::any_model(&server.base_url);
    let request = ModelRequest::new("Hi.");
    let context = TraceContext::from_headers(PARENT, Some("a=1, b=2")).unwrap();
    model.reply(&request).await.unwrap();
    context.in_scope(model.reply(&request)).await.unwrap();
    model.reply(&request).await.unwrap();
    let asked = server.asked();
    let header = |number: usize, name: &str| {
        asked[number].headers.get(name).map(|value| value.to_str().unwrap().to_owned())
    };
    for number in [0, 2] {
        assert_eq!((header(number, "traceparent"), header(number, "tracestate")), (None, None));
    }
    assert_eq!(header(1, "traceparent").as_deref(), Some(PARENT));
    assert_eq!(header(1, "tracestate").as_deref(), Some("a=1,b=2"));
}

#[tokio::test]
async fn replies_have_the_names_that_the_server_gives() {
    let choice = json!({
        "index": 0, "message": { "role": "assistant", "content": "hi" }, "finish_reason": "stop",
    });
    let said = json!({ "id": "chat-1", "model": "tiny-2026", "choices": [choice] });
    let server = Server::start([Answer::json(200, &said)]).await;
    let model = crate::any_model(&server.base_url);
    let reply = model.reply(&ModelRequest::new("Hi.")).await.unwrap();
    assert_eq!((reply.id.as_deref(), reply.model.as_deref()), (Some("chat-1"), Some("tiny-2026")));
    assert_eq!(model.info().provider, Some("openai"));
}
