//! Tools with models that call them, and with models that do not.

use std::sync::Arc;

use cot_core::{
    LanguageModel,
    model::{
        BoxFuture, DeltaSink, Dialect, ModelError, ModelExt, ModelReply, ModelRequest, Price,
        RateLimit, ScriptedModel, ToolCall,
    },
    prelude::*,
    replay::Capture,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct City {
    city: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Answer {
    text: String,
}

cot_process! {
    process Weather {
        state: { answer: Answer },
        tools: { weather: weather "Looks up the weather in a city" },

        task answer -> Answer {
            prompt: "Is it raining in Paris?",
            tools: [weather],
            update: answer,
            next: done,
        }

        task done { end }
    }
}

async fn weather(city: &City) -> Result<String, String> {
    match city.city.as_str() {
        "Paris" => Ok("rain".to_owned()),
        other => Err(format!("there is no {other}")),
    }
}

/// A model whose engine has no tool calls.
struct WithoutTools(ScriptedModel);

/// A model that calls tools with schemas in a dialect.
struct WithDialect(bool);

impl LanguageModel for WithDialect {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Ok("a".into()) })
    }

    fn calls_tools(&self) -> bool {
        self.0
    }

    fn tool_dialect(&self) -> Dialect {
        Dialect::Gemini
    }
}

impl LanguageModel for WithoutTools {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.0.reply(request)
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.0.stream(request, sink)
    }
}

fn call(city: &str) -> ToolCall {
    ToolCall::new("weather", json!({ "city": city }))
}

fn calling() -> ScriptedModel {
    ScriptedModel::new([
        ModelReply::calling([call("Rome").with_id("a"), call("Paris").with_id("b")]),
        json!({ "text": "Yes." }).into(),
    ])
}

#[tokio::test]
async fn a_model_that_calls_tools_gets_them_and_the_results_beside_the_prompt() {
    let model = Arc::new(calling());
    let runner = Weather::runner().model(Arc::clone(&model));
    let report = runner.run(WeatherState::default()).await.unwrap();
    assert_eq!(report.state.answer.unwrap().text, "Yes.");
    let requests = model.requests();
    let prompt = requests[0].prompt();
    for request in &requests {
        assert_eq!((request.prompt(), request.tools[0].name()), (prompt, "weather"));
    }
    assert!(!prompt.contains("weather"), "{prompt}");
    let results: Vec<String> =
        requests[1].rounds[0].calls.iter().map(|(_, result)| result.to_string()).collect();
    assert_eq!(results.len(), 2);
    assert!(results[0].starts_with("error: ") && results[0].contains("there is no Rome"));
    assert_eq!(results[1], "\"rain\"");
}

#[tokio::test]
async fn a_model_that_does_not_gets_them_in_the_prompt() {
    for streams in [false, true] {
        let answers =
            [r#"{"tool": "weather", "arguments": {"city": "Paris"}}"#, r#"{"text": "Yes."}"#];
        let model = Arc::new(WithoutTools(ScriptedModel::new(answers).streaming(4)));
        let runner = Weather::runner().model(Arc::clone(&model));
        let runner = runner.token_deltas(streams).observe(|_, _| {});
        let report = runner.run(WeatherState::default()).await.unwrap();
        assert_eq!(report.state.answer.unwrap().text, "Yes.");
        let requests = model.0.requests();
        for request in &requests {
            assert!(request.tools.is_empty() && request.rounds.is_empty());
            let tool = "- `weather`: Looks up the weather in a city";
            assert!(request.prompt().contains(tool), "{}", request.prompt());
            assert_eq!(request.schema.as_ref().unwrap().json["anyOf"][1]["required"][0], "tool");
        }
        let turns: Vec<String> = requests[1].follow_ups.iter().map(ToString::to_string).collect();
        assert_eq!(turns.len(), 2);
        assert!(turns[0].starts_with("assistant: ") && turns[0].contains("Paris"), "{turns:?}");
        assert_eq!(turns[1], "user: The result of `weather`:\n\"rain\"");
    }
}

#[test]
fn wrappers_call_tools_if_their_model_does() {
    let limit = RateLimit::per_minute().requests(1);
    let price = Price::per_million(1.0, 1.0);
    let calls = |model: &dyn LanguageModel| {
        assert_eq!(model.tool_dialect(), Dialect::Gemini);
        model.calls_tools()
    };
    let (with, without) = (
        WithDialect(true).limited(1).priced(price).rate_limited(limit),
        WithDialect(false).limited(1).priced(price).rate_limited(limit),
    );
    assert!(calls(&with) && !calls(&without));
    let (with, without): (Arc<dyn LanguageModel>, Box<dyn LanguageModel>) =
        (Arc::new(with), Box::new(without));
    assert!(calls(&with) && !calls(&without));
}

#[tokio::test]
async fn a_capture_replays_calls_whatever_the_form_of_the_model() {
    let (capture, captured) = Capture::to_memory();
    let runner = Weather::runner().model(calling()).capture(capture.clone());
    let first = runner.run(WeatherState::default()).await.unwrap();
    capture.finish().unwrap();
    let replay = captured.replay().unwrap();
    let again = Weather::runner().replay(replay).run(WeatherState::default()).await.unwrap();
    assert_eq!(first.state.answer, again.state.answer);
}
