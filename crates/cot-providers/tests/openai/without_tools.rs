//! Servers that have no tools, or no response format beside them.

use cot_model::{LanguageModel, ToolCall, ToolResult, ToolRound};

use crate::{
    builder, model,
    server::{Answer, Server},
    status,
    tools::request,
};

#[tokio::test]
async fn a_server_without_tools_gets_them_in_the_prompt_from_then_on() {
    for (code, refusal) in [
        (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (
            400,
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
        ),
        (500, "tools param requires --jinja flag"),
        (404, "No endpoints found that support tool use. It is not supported"),
    ] {
        let call = r#"{"tool": "now", "arguments": {}}"#;
        let server =
            Server::start([Answer::failure(code, refusal), Answer::completion(call)]).await;
        let model = model(&server.base_url);
        assert!(model.calls_tools());
        let reply = model.reply(&request()).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.tool_calls.len()), (call, 0), "{refusal}");
        assert!(!model.calls_tools());
        let (clone, round) = (model.clone(), (ToolCall::new("now", "{}"), ToolResult::ok("12")));
        clone.reply(&request().with_rounds([ToolRound::new("", vec![round])])).await.unwrap();
        let asked = server.asked();
        assert_eq!(asked.len(), 3, "{refusal}");
        assert_eq!(asked[0].body["tools"].as_array().unwrap().len(), 2);
        for asked in &asked[1..] {
            assert_eq!(asked.body.get("tools"), None);
            let prompt = asked.body["messages"][0]["content"].as_str().unwrap();
            assert!(
                prompt.starts_with("Add a field.") && prompt.contains("- `weather`: Does weather."),
                "{prompt}"
            );
            let schema = &asked.body["response_format"]["json_schema"]["schema"];
            assert_eq!(schema["anyOf"].as_array().unwrap().len(), 3, "{schema}");
        }
        let roles: Vec<_> =
            (0..3).map(|at| asked[2].body["messages"][at]["role"].clone()).collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
    }
}

#[tokio::test]
async fn a_rejection_that_is_not_about_tools_is_reported_and_nothing_is_remembered() {
    for refusal in [
        "Invalid schema for function 'weather': 'format' is not permitted",
        "parallel_tool_calls is not supported with this model",
        "the model is busy",
    ] {
        let server = Server::start([Answer::failure(400, refusal)]).await;
        let model = model(&server.base_url);
        let error = model.reply(&request()).await.unwrap_err();
        assert!(status(&error) == Some(400) && error.to_string().contains(refusal), "{error}");
        assert_eq!(server.asked().len(), 1);
        assert!(model.calls_tools());
    }
    // A server that fails in both forms may have tools.
    let server = Server::start([Answer::failure(400, "this model does not support tools")]).await;
    let model = model(&server.base_url);
    assert_eq!(status(&model.reply(&request()).await.unwrap_err()), Some(400));
    assert!(model.calls_tools() && server.asked().len() == 2);
}

#[tokio::test]
async fn a_server_without_a_format_beside_tools_keeps_it_without_them() {
    let refusal = "response_format `json_schema` cannot be combined with tool/function calling";
    let server = Server::start([Answer::failure(400, refusal), Answer::completion("{}")]).await;
    let model = builder(&server.base_url).format_with_tools(true).build().unwrap();
    for request in [request(), request(), crate::request()] {
        model.reply(&request).await.unwrap();
    }
    let asked = server.asked();
    let formats: Vec<bool> =
        asked.iter().map(|asked| asked.body.get("response_format").is_some()).collect();
    assert_eq!(formats, [true, false, false, true]);
    let tools: Vec<bool> = asked.iter().map(|asked| asked.body.get("tools").is_some()).collect();
    assert_eq!(tools, [true, true, true, false]);
    let prompt = asked[1].body["messages"][0]["content"].as_str().unwrap();
    assert_eq!(prompt, "Add a field.\n\nAnswer in JSON.");
}

#[tokio::test]
async fn tools_can_be_kept_from_a_server() {
    let server = Server::start([Answer::completion("{}")]).await;
    let model = builder(&server.base_url).tool_calls(false).build().unwrap();
    assert!(!model.calls_tools());
    model.reply(&request()).await.unwrap();
    assert_eq!(server.asked()[0].body.get("tools"), None);
}
