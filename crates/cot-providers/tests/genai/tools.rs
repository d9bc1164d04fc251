//! Tools in requests to each provider, calls in its replies, and results in the next request.

use std::sync::Arc;

use cot_model::{
    FinishReason, LanguageModel, ModelErrorKind, ModelReply, ModelRequest, ReplySchema, Tool,
    ToolCall, ToolResult, ToolRound,
};
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::{
    builder,
    protocols::response,
    server::{Answer, Server},
};

pub(crate) fn tool(name: &str, schema: Value) -> Tool {
    let schema = ReplySchema { name: name.to_owned(), json: schema };
    Tool::new(format!("Does {name}."), Arc::new(schema))
}

pub(crate) fn city() -> Value {
    json!({ "type": "object", "properties": { "city": { "type": "string" }, "days": { "type": "integer" } },
            "required": ["city"] })
}

pub(crate) fn request() -> ModelRequest {
    crate::request().with_tools([tool("weather", city()), tool("now", json!({ "type": "object" }))])
}

/// A call: id, name, arguments.
pub(crate) type Called<'a> = (&'a str, &'a str, &'a str);

pub(crate) const TWO: [Called<'_>; 2] =
    [("a", "weather", r#"{"city":"Paris"}"#), ("b", "now", "{}")];

pub(crate) fn calls(reply: &ModelReply) -> Vec<Called<'_>> {
    let calls = reply.tool_calls.iter();
    calls.map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str())).collect()
}

fn parsed(arguments: &str) -> Value {
    serde_json::from_str(arguments).unwrap()
}

fn anthropic(calls: &[Called<'_>]) -> Answer {
    let thinking = json!({ "type": "thinking", "thinking": "Hm.", "signature": "s" });
    let text = json!({ "type": "text", "text": "I look." });
    let blocks = calls.iter().map(|(id, name, arguments)| {
        json!({ "type": "tool_use", "id": id, "name": name, "input": parsed(arguments) })
    });
    let content: Vec<Value> = [thinking, text].into_iter().chain(blocks).collect();
    let usage = json!({ "input_tokens": 11, "output_tokens": 7 });
    Answer::json(
        200,
        &json!({ "id": "m", "type": "message", "role": "assistant", "model": "tiny",
        "content": content, "stop_reason": "tool_use", "usage": usage }),
    )
}

fn gemini(calls: &[Called<'_>]) -> Answer {
    let parts = calls.iter().map(|(id, name, arguments)| {
        let call = json!({ "id": id, "name": name, "args": parsed(arguments) });
        json!({ "functionCall": call, "thoughtSignature": format!("s{id}") })
    });
    let text = json!({ "text": "I look." });
    let content =
        json!({ "role": "model", "parts": Vec::from_iter([text].into_iter().chain(parts)) });
    let candidate = json!({ "content": content, "index": 0, "finishReason": "STOP" });
    let usage = json!({ "promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18 });
    Answer::json(
        200,
        &json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": "tiny" }),
    )
}

fn chat(calls: &[Called<'_>]) -> Answer {
    let calls = calls.iter().map(|(id, name, arguments)| {
        json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
    });
    let message = json!({ "content": "I look.", "reasoning_content": "Hm.", "tool_calls": calls.collect::<Vec<_>>() });
    Answer::choice(message, "tool_calls")
}

fn responses(calls: &[Called<'_>]) -> Answer {
    let content = json!([{ "type": "output_text", "text": "I look." }]);
    let message = json!({ "type": "message", "role": "assistant", "content": content });
    let calls = calls.iter().map(|(id, name, arguments)| {
        json!({ "type": "function_call", "id": "fc", "call_id": id, "name": name, "arguments": arguments })
    });
    let output: Vec<Value> = [message].into_iter().chain(calls).collect();
    Answer::json(200, &response("completed", json!(output)))
}

/// A provider's name of a model, and a reply with calls.
pub(crate) type Provider = (&'static str, fn(&[Called<'_>]) -> Answer);

pub(crate) const PROVIDERS: [Provider; 5] = [
    ("anthropic::tiny", anthropic),
    ("gemini::tiny", gemini),
    ("openai::tiny", chat),
    ("tiny", chat),
    ("openai_resp::tiny", responses),
];

/// Sends a request, and then one with the results of the calls in its reply. Returns the reply and the bodies of
/// the requests.
async fn conversation((name, answer): Provider, said: &[Called<'_>]) -> (ModelReply, [Value; 2]) {
    let server = Server::start([answer(said)]).await;
    let model = builder(name, &server.base_url).build().unwrap();
    assert!(model.calls_tools(), "{name}");
    let reply = model.reply(&request()).await.unwrap();
    let json = serde_json::to_string(&reply.tool_calls).unwrap();
    let kept: Vec<ToolCall> = serde_json::from_str(&json).unwrap();
    let results = [ToolResult::ok(r#""rain""#), ToolResult::error("broken")];
    let calls = kept.into_iter().zip(results).collect();
    model.reply(&request().with_rounds([ToolRound::new(&*reply.text, calls)])).await.unwrap();
    let bodies = server.asked().into_iter().map(|asked| asked.body).collect::<Vec<_>>();
    (reply, bodies.try_into().unwrap())
}

#[tokio::test]
async fn calls_are_read_beside_text() {
    for provider in PROVIDERS {
        let (reply, _) = conversation(provider, &TWO).await;
        assert_eq!(calls(&reply), TWO, "{}", provider.0);
        assert_eq!(
            (reply.text.as_str(), &reply.finish),
            ("I look.", &FinishReason::Stop),
            "{}",
            provider.0
        );
        assert_eq!(reply.usage.output_tokens, 7, "{}", provider.0);
    }
}

#[tokio::test]
async fn anthropic_gets_tools_blocks_and_its_thoughts() {
    let (_, [first, second]) = conversation(PROVIDERS[0], &TWO).await;
    let bare = json!({ "type": "object", "properties": {} });
    let tools = json!([
        { "name": "weather", "input_schema": city(), "description": "Does weather." },
        { "name": "now", "input_schema": bare, "description": "Does now." },
    ]);
    assert_eq!(first["tools"], tools);
    assert_eq!(first["output_config"]["format"]["type"], "json_schema");
    let call = |id: &str, name: &str, input: Value| json!({ "type": "tool_use", "id": id, "name": name, "input": input });
    let said = json!([
        { "type": "thinking", "thinking": "Hm.", "signature": "s" },
        { "type": "text", "text": "I look." },
        call("a", "weather", json!({ "city": "Paris" })),
        call("b", "now", json!({})),
    ]);
    let mark = json!({ "type": "ephemeral" });
    let results = json!([
        { "type": "tool_result", "content": "\"rain\"", "tool_use_id": "a" },
        { "type": "tool_result", "content": "Error: broken", "tool_use_id": "b", "cache_control": mark },
    ]);
    let messages = second["messages"].as_array().unwrap();
    assert_eq!(messages[1], json!({ "role": "assistant", "content": said }));
    assert_eq!(messages[2], json!({ "role": "user", "content": results }));
    // The next request continues behind the prompt.
    assert_eq!(first["messages"][0]["content"][0]["cache_control"], mark);
    assert_eq!(messages[0]["content"][0]["cache_control"], mark);
}

#[tokio::test]
async fn gemini_gets_declarations_and_its_signatures() {
    let (_, [first, second]) = conversation(PROVIDERS[1], &TWO).await;
    let declared = &first["tools"][0]["functionDeclarations"];
    let schema = Dialect::Gemini.rewrite(&city()).unwrap();
    assert_eq!(
        (&declared[0]["name"], &declared[0]["parametersJsonSchema"]),
        (&json!("weather"), &schema)
    );
    let call = |id: &str, name: &str, args: Value| json!({ "functionCall": { "id": id, "name": name, "args": args }, "thoughtSignature": format!("s{id}") });
    let said = json!([{ "text": "I look." }, call("a", "weather", json!({ "city": "Paris" })), call("b", "now", json!({}))]);
    let result = |id: &str, name: &str, content: &str| json!({ "functionResponse": { "id": id, "name": name, "response": { "name": name, "content": content } } });
    let results = json!([result("a", "weather", "\"rain\""), result("b", "now", "Error: broken")]);
    let contents = second["contents"].as_array().unwrap();
    assert_eq!(contents[1], json!({ "role": "model", "parts": said }));
    assert_eq!(contents[2], json!({ "role": "user", "parts": results }));
}

#[tokio::test]
async fn calls_of_gemini_without_ids_have_none_in_the_next_request() {
    let (reply, [_, second]) = conversation(PROVIDERS[1], &TWO).await;
    assert_eq!(reply.tool_calls[0].id, "a");
    assert_eq!(second["contents"][1]["parts"][1]["functionCall"]["id"], "a");
    let server = Server::start([{
        let call = json!({ "functionCall": { "name": "now", "args": {} } });
        let content = json!({ "role": "model", "parts": [call, call] });
        Answer::json(
            200,
            &json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] }),
        )
    }])
    .await;
    let model = builder("gemini::tiny", &server.base_url).build().unwrap();
    let reply = model.reply(&request()).await.unwrap();
    assert_eq!(calls(&reply), [("", "now", "{}"), ("", "now", "{}")]);
    let calls = reply.tool_calls.into_iter().map(|call| (call, ToolResult::ok("1"))).collect();
    model.reply(&request().with_rounds([ToolRound::new("", calls)])).await.unwrap();
    let parts = &server.asked()[1].body["contents"][2]["parts"];
    let result = json!({ "functionResponse": { "name": "now", "response": { "name": "now", "content": "1" } } });
    assert_eq!(parts, &json!([result, result]));
}

#[tokio::test]
async fn chat_completions_get_functions_and_messages_of_tools() {
    for provider in [PROVIDERS[2], PROVIDERS[3]] {
        let (_, [first, second]) = conversation(provider, &TWO).await;
        let function = &first["tools"][0]["function"];
        let strict = provider.0 == "openai::tiny";
        let schema = if strict { Dialect::OpenAiStrict.rewrite(&city()).unwrap() } else { city() };
        assert_eq!(
            (&function["name"], &function["parameters"]),
            (&json!("weather"), &schema),
            "{}",
            provider.0
        );
        assert_eq!(function["strict"], strict, "{}", provider.0);
        // A grammar would let the model call nothing.
        assert_eq!(first.get("response_format").is_some(), strict, "{}", provider.0);
        let messages = second["messages"].as_array().unwrap();
        let call = |(id, name, arguments): Called<'_>| json!({ "type": "function", "id": id, "function": { "name": name, "arguments": arguments } });
        let said = json!({ "role": "assistant", "content": "I look.", "reasoning_content": "Hm.", "tool_calls": TWO.map(call) });
        assert_eq!(messages[1], said, "{}", provider.0);
        let result = |id: &str, content: &str| json!({ "role": "tool", "content": content, "tool_call_id": id });
        assert_eq!(
            messages[2..],
            [result("a", "\"rain\""), result("b", "Error: broken")],
            "{}",
            provider.0
        );
    }
}

#[tokio::test]
async fn the_responses_api_gets_items() {
    let (_, [first, second]) = conversation(PROVIDERS[4], &TWO).await;
    assert_eq!(
        (&first["tools"][0]["type"], &first["tools"][0]["strict"]),
        (&json!("function"), &json!(true))
    );
    assert_eq!(first["tools"][0]["parameters"], Dialect::OpenAiStrict.rewrite(&city()).unwrap());
    let input = second["input"].as_array().unwrap();
    let call = |(id, name, arguments): Called<'_>| json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments });
    assert_eq!(input[2..4], TWO.map(call));
    let result = |id: &str, output: &str| json!({ "type": "function_call_output", "call_id": id, "output": output });
    assert_eq!(input[4..], [result("a", "\"rain\""), result("b", "Error: broken")]);
}

#[tokio::test]
async fn schemas_that_the_dialect_can_not_express_are_sent_as_they_are() {
    let any = json!({ "type": "object", "properties": { "value": true }, "required": ["value"] });
    for (name, place, strict) in [
        ("openai::tiny", "/tools/0/function/parameters", "/tools/0/function/strict"),
        ("openai_resp::tiny", "/tools/0/parameters", "/tools/0/strict"),
    ] {
        let answer = PROVIDERS.into_iter().find(|(other, _)| *other == name).unwrap().1;
        let server = Server::start([answer(&[])]).await;
        let model = builder(name, &server.base_url).build().unwrap();
        model.reply(&ModelRequest::new("a").with_tools([tool("any", any.clone())])).await.unwrap();
        let body = &server.asked()[0].body;
        assert_eq!(
            (body.pointer(place), body.pointer(strict)),
            (Some(&any), Some(&json!(false))),
            "{name}"
        );
    }
}

#[tokio::test]
async fn mistakes_of_the_model_are_for_the_caller_to_answer() {
    let odd = json!({ "content": null, "tool_calls": [
        { "id": "a", "type": "function", "function": { "name": "weather", "arguments": "{\"city\": " } },
        { "function": { "name": "now", "arguments": {} } },
    ] });
    for name in ["openai::tiny", "tiny"] {
        let server = Server::start([Answer::choice(odd.clone(), "tool_calls")]).await;
        let model = builder(name, &server.base_url).build().unwrap();
        let reply = model.reply(&request()).await.unwrap();
        assert_eq!(calls(&reply), [("a", "weather", "{\"city\": "), ("", "now", "{}")], "{name}");
        assert_eq!((reply.finish, reply.usage.output_tokens), (FinishReason::Stop, 7));
        let calls =
            reply.tool_calls.into_iter().map(|call| (call, ToolResult::error("no JSON"))).collect();
        model.reply(&request().with_rounds([ToolRound::new("", calls)])).await.unwrap();
        let sent = &server.asked()[1].body["messages"][1]["tool_calls"];
        assert_eq!(
            sent[0]["function"]["arguments"],
            json!({ "arguments": "{\"city\": " }).to_string()
        );
        assert_eq!(sent[1]["id"], "call00002");
    }
}

#[tokio::test]
async fn ids_of_other_servers_are_changed_for_anthropic() {
    let server = Server::start([anthropic(&[])]).await;
    let model = builder("anthropic::tiny", &server.base_url).build().unwrap();
    let call = ToolCall::new("now", "{}").with_id("functions.now:0");
    model
        .reply(&request().with_rounds([ToolRound::new("", vec![(call, ToolResult::ok("1"))])]))
        .await
        .unwrap();
    let messages = &server.asked()[0].body["messages"];
    assert_eq!(messages[1]["content"][0]["id"], "functions_now_0");
    assert_eq!(messages[2]["content"][0]["tool_use_id"], "functions_now_0");
}

#[tokio::test]
async fn tools_with_the_names_of_the_providers_own_are_no_others() {
    let tools = ["web_search", "googleSearch"].map(|name| tool(name, city()));
    for (provider, places) in [
        (PROVIDERS[0], ["/tools/0/name", "/tools/0/input_schema/type"]),
        (
            PROVIDERS[1],
            [
                "/tools/0/functionDeclarations/1/name",
                "/tools/0/functionDeclarations/1/parametersJsonSchema/type",
            ],
        ),
        (PROVIDERS[4], ["/tools/0/name", "/tools/0/parameters/type"]),
    ] {
        let said = [("a", "web_search_", "{}"), ("b", "weather_", "{}")];
        let server = Server::start([provider.1(&said)]).await;
        let model = builder(provider.0, &server.base_url).build().unwrap();
        let request = ModelRequest::new("a").with_tools(tools.clone());
        let reply = model.reply(&request).await.unwrap();
        let names: Vec<_> = reply.tool_calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["web_search", "weather_"], "{}", provider.0);
        let body = &server.asked()[0].body;
        let name = body.pointer(places[0]).unwrap().as_str().unwrap();
        assert!(["web_search_", "googleSearch_"].contains(&name), "{}: {body}", provider.0);
        assert_eq!(body.pointer(places[1]), Some(&json!("object")), "{}", provider.0);
    }
}

#[tokio::test]
async fn calls_without_tools_and_large_ones_are_no_reply() {
    for provider in PROVIDERS {
        let server = Server::start([provider.1(&TWO)]).await;
        let model = builder(provider.0, &server.base_url).max_reply_bytes(20).build().unwrap();
        let reply = model.reply(&crate::request()).await;
        let error = model.reply(&request()).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::TooLarge, "{}", provider.0);
        // Whether the calls count that nobody asked for does not matter.
        assert!(reply.is_err() || reply.unwrap().tool_calls.is_empty(), "{}", provider.0);
        let roomy = builder(provider.0, &server.base_url).build().unwrap();
        assert_eq!(calls(&roomy.reply(&crate::request()).await.unwrap()), [], "{}", provider.0);
    }
}
