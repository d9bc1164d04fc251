//! Calls to the real services, for a few tokens each. They cost money, so they are ignored by default:
//!
//! ```sh
//! OPENAI_API_KEY=… ANTHROPIC_API_KEY=… GEMINI_API_KEY=… \
//!     cargo test -p cot-providers --features genai --test genai live -- --ignored
//! ```
//!
//! Services without a key are skipped. `COT_LIVE_OPENAI`, `COT_LIVE_ANTHROPIC` and `COT_LIVE_GEMINI`
//! select other models.

use std::{env, sync::Arc};

use cot_model::{FinishReason, LanguageModel, ModelReply, ModelRequest, ReplySchema};
use cot_providers::{GenAi, OpenAiCompatible};
use serde_json::{Value, json};

use crate::sink::recording_sink;

fn model(key: &str, name: &str, default: &str) -> Option<GenAi> {
    env::var_os(key)?;
    let name = env::var(name).unwrap_or_else(|_| default.to_owned());
    Some(GenAi::new(name).unwrap())
}

fn request() -> ModelRequest {
    let mut request = ModelRequest::new("What is the capital of France?");
    let schema = json!({
        "type": "object",
        "properties": { "city": { "type": "string" } },
        "required": ["city"],
        "additionalProperties": false,
    });
    request.schema = Some(ReplySchema { name: "capital".into(), json: schema }.into());
    Arc::make_mut(&mut request.settings).max_tokens = Some(1000);
    request
}

fn check(reply: &ModelReply) {
    let said: Value = serde_json::from_str(&reply.text).unwrap();
    assert!(said["city"].as_str().unwrap().contains("Paris"), "{said}");
    assert_eq!(reply.finish, FinishReason::Stop);
    assert!(reply.usage.input_tokens > 0 && reply.usage.output_tokens > 0, "{:?}", reply.usage);
}

async fn ask_both_ways(model: &dyn LanguageModel) {
    check(&model.reply(&request()).await.unwrap());
    let (sink, record) = recording_sink();
    let reply = model.stream(&request(), &sink).await.unwrap();
    check(&reply);
    assert_eq!(record.pieces().concat(), reply.text);

    let mut short = ModelRequest::new("Count from one to a hundred, in words.");
    Arc::make_mut(&mut short.settings).max_tokens = Some(16);
    assert_eq!(model.reply(&short).await.unwrap().finish, FinishReason::Length);
}

#[tokio::test]
#[ignore = "asks a service that costs money"]
async fn openai() {
    let Some(model) = model("OPENAI_API_KEY", "COT_LIVE_OPENAI", "gpt-4o-mini") else { return };
    ask_both_ways(&model).await;
    let key = env::var("OPENAI_API_KEY").unwrap();
    let model = OpenAiCompatible::builder("https://api.openai.com/v1", "gpt-4o-mini").key(key);
    ask_both_ways(&model.build().unwrap()).await;
}

#[tokio::test]
#[ignore = "asks a service that costs money"]
async fn anthropic() {
    let model = model("ANTHROPIC_API_KEY", "COT_LIVE_ANTHROPIC", "claude-haiku-4-5");
    let Some(model) = model else { return };
    ask_both_ways(&model).await;
}

#[tokio::test]
#[ignore = "asks a service that costs money"]
async fn gemini() {
    let Some(model) = model("GEMINI_API_KEY", "COT_LIVE_GEMINI", "gemini-2.5-flash-lite") else {
        return;
    };
    ask_both_ways(&model).await;
}
