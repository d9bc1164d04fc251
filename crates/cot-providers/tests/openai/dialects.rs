//! Schemas are sent in the dialect of the server.

use std::sync::Arc;

use cot_model::{LanguageModel, ModelErrorKind, ReplySchema};
use cot_providers::ResponseFormat;
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::{
    builder, request,
    server::{Answer, Server},
};

fn schema(value: Value) -> Arc<ReplySchema> {
    let json = json!({ "type": "object", "properties": { "value": value } });
    Arc::new(ReplySchema { name: "reply".to_owned(), json })
}

#[tokio::test]
async fn strict_servers_are_told_so_and_get_their_own_dialect() {
    let server = Server::start([Answer::completion("{}")]).await;
    let mut request = request();
    request.schema = Some(schema(json!({ "type": "string", "maxLength": 3 })));
    for (dialect, strict) in [(Dialect::OpenAiStrict, true), (Dialect::LlamaCpp, false)] {
        let model = builder(&server.base_url).dialect(dialect).build().unwrap();
        model.reply(&request).await.unwrap();
        let sent = &server.asked().pop().unwrap().body["response_format"]["json_schema"];
        assert_eq!(sent["strict"], strict);
        let schema = request.schema.as_ref().unwrap();
        assert_eq!(sent["schema"], dialect.rewrite(&schema.json).unwrap());
        assert_ne!(sent["schema"], schema.json);
    }
}

#[tokio::test]
async fn what_the_dialect_can_not_express_is_not_sent() {
    let server = Server::start([Answer::completion("{}")]).await;
    let mut request = request();
    request.schema = Some(schema(json!(true)));
    let strict = builder(&server.base_url).dialect(Dialect::OpenAiStrict);
    let error = strict.clone().build().unwrap().reply(&request).await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (&ModelErrorKind::Schema, false));
    let message = "the engine does not support the schema: `$.properties.value` may be any value, and \
                   OpenAI has to know its type";
    assert_eq!(error.to_string(), message);
    assert!(server.asked().is_empty());

    let explained = strict.response_format(ResponseFormat::PromptOnly).build().unwrap();
    explained.reply(&request).await.unwrap();
}
