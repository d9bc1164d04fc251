//! Tools in runs: what a runner checks first, whom it asks, and what it streams.

use std::sync::{Arc, Mutex};

use cot_core::{
    Approval, MockMode, RunError, RunEvent, SourceTool, StartError,
    model::{
        BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest, ScriptedModel, ToolCall,
    },
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shop::{Answer, App, Cart, Files, Shop, answer, open, words};

fn paying() -> ScriptedModel {
    ScriptedModel::new([
        ModelReply::calling([
            ToolCall::new("search", words("a")),
            ToolCall::new("pay", json!({ "cents": 5 })),
        ]),
        answer("paid").into(),
    ])
}

#[tokio::test]
async fn a_run_asks_the_responder_and_streams_its_calls() {
    let app = Arc::new(App::default());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let questions = Arc::clone(&asked);
    let runner = Shop::runner(Arc::clone(&app)).model(paying()).person(move |question| {
        questions.lock().unwrap().push(question.text.clone());
        async { Approval::approve() }
    });
    let mut run = runner.start(open()).unwrap();
    let mut lines = Vec::new();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::ToolCalled { .. } | RunEvent::ToolReturned { .. }) {
            lines.push(event.to_string());
        }
    }
    assert_eq!(
        lines,
        [
            r#"answer: call 1 of search with {"words":["a"]}"#,
            r#"answer: call 2 of pay with {"cents":5}"#,
            r#"answer: call 1 of search returned ["a found"]"#,
            "answer: call 2 of pay returned 5",
        ]
    );
    assert_eq!(asked.lock().unwrap().len(), 1);
    let log = app.log.lock().unwrap().clone();
    assert!(log[1].ends_with("/answer#1+tool-2 paid 5"), "{log:?}");
}

#[tokio::test]
async fn a_tool_that_needs_approval_needs_somebody_who_approves() {
    let error = Shop::runner(App::default()).model(paying()).run(open()).await.unwrap_err();
    assert!(matches!(&error, RunError::NobodyAnswers { tasks } if tasks == &["answer"]), "{error}");
}

#[tokio::test]
async fn a_source_must_have_the_tools_that_the_process_names() {
    let read = SourceTool::new("read_files", "Reads", json!({ "type": "object" }));
    let app = App { files: Files::new(vec![read]), ..App::default() };
    let model = Arc::new(paying());
    let runner =
        Shop::runner(app).model(Arc::clone(&model)).person(|_| async { Approval::approve() });
    let error = runner.run(open()).await.unwrap_err();
    assert!(matches!(error, RunError::Start(StartError::MissingTool { .. })), "{error:?}");
    assert!(
        error.to_string().ends_with(
            "the source of tools `files` has no tool `read_file`: did you mean `read_files`?"
        ),
        "{error}"
    );
    assert!(model.requests().is_empty());
}

/// A model behind an engine without tool calls.
struct Plain(ScriptedModel);

impl LanguageModel for Plain {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.0.reply(request)
    }
}

#[tokio::test]
async fn an_engine_without_calls_gets_the_tools_in_its_prompt() {
    let model = Arc::new(Plain(ScriptedModel::new([
        json!({ "tool": "search", "arguments": { "words": ["a"] } }),
        answer("found"),
    ])));
    let runner = Shop::runner(App::default()).model(Arc::clone(&model));
    let runner = runner.person(|_| async { Approval::approve() });
    let run = runner.run(Cart::default()).await.unwrap();
    assert_eq!(run.state.answers[0].text, "found");
    let requests = model.0.requests();
    assert!(requests.iter().all(|request| request.tools.is_empty() && request.rounds.is_empty()));
    assert!(requests[0].prompt().contains("Searches the catalogue"));
    let turns: Vec<_> = requests[1].follow_ups.iter().map(|turn| turn.text.clone()).collect();
    assert!(turns[1].contains("a found"), "{turns:?}");
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct City {
    name: String,
}

async fn weather(_: &City) -> Result<String, std::io::Error> {
    panic!("there is no server in a test")
}

fn sunny(city: &City) -> String {
    format!("sunny in {}", city.name)
}

async fn post(_: &City, _: &Cart) -> Result<(), std::io::Error> {
    panic!("there is no server in a test")
}

cot_process! {
    process Forecast {
        state: Cart,
        history: { tools: names },
        tools: {
            weather: weather "Says how the weather is" {
                effect: once,
                approve: person,
                mock: sunny,
            },
            post: post "Posts a city",
        },

        task answer -> Answer {
            prompt: "Answer.",
            mock_mode: false,
            tools: [weather, post],
            update: answers[],
            on: { interrupted => done },
            next: done,
        }

        task done { end }
    }
}

fn forecasting() -> ScriptedModel {
    let calls = [ToolCall::new("weather", json!({ "name": "Oslo" }))];
    ScriptedModel::new([ModelReply::calling(calls), answer("sunny").into()])
}

#[tokio::test]
async fn a_mock_answers_in_place_of_a_tool_and_nobody_approves_it() {
    for mode in [MockMode::All, MockMode::Only(vec!["weather".to_owned()])] {
        let mut options = cot_core::MachineOptions::default();
        options.mock_mode = Some(mode);
        let mut machine = Forecast::machine().options(options);
        machine.start(Cart::default()).unwrap();
        let runner = Forecast::runner().model(forecasting());
        let runner = runner.person(|_| async { panic!("nobody is asked") as Approval });
        let run = runner.run_machine(machine).await.unwrap();
        assert_eq!(run.state.answers[0].text, "sunny");
        assert_eq!(
            serde_json::to_value(&run.history).unwrap()[0],
            json!({ "task": "answer", "tools": ["weather"] })
        );
    }
    let runner = Forecast::runner().model(forecasting()).mock_mode(true);
    assert_eq!(runner.run(Cart::default()).await.unwrap().outcome, ForecastOutcome::Done);

    let mut options = cot_core::MachineOptions::default();
    options.mock_mode = Some(MockMode::Only(vec!["post".to_owned()]));
    let mut machine = Forecast::machine().options(options);
    let error = machine.start(Cart::default()).unwrap_err();
    assert!(matches!(&error, StartError::NoMock { tasks } if tasks == &["post"]), "{error}");
}
