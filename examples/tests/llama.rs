//! The examples on a real inference server: llama.cpp with a tiny model of random weights.
//!
//! Runs only where `COT_LLAMA_URL` names one (`tests/llama/server.sh start PORT` starts it and prints
//! the URL). Sampling is random, so what is asserted is what holds of every run.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

#[path = "../data_source.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod ds_builder;
#[path = "../triage.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod triage;

use std::sync::{Arc, Mutex};

use cot_core::{
    Attempt, Halt, HaltReason,
    model::{
        Delta, DeltaSink, Effort, FinishReason, LanguageModel, ModelRequest, ModelSettings,
        OpenAiCompatible, ReplySchema, ResponseFormat, Tool, ToolResult, ToolRound, Turn,
    },
    prelude::*,
};
use tokio::task::JoinSet;

use ds_builder::{BuilderState, DsBuilder, DsBuilderOutcome, DsBuilderTask};
use triage::{Category, Desk, Triage, TriageOutcome, TriageTask};

/// Runs of each kind.
const RUNS: usize = 30;
/// Runs at once; the server has as many slots.
const AT_ONCE: usize = 4;

/// The server, where there is one.
fn model(format: ResponseFormat) -> Option<Arc<OpenAiCompatible>> {
    let Ok(url) = std::env::var("COT_LLAMA_URL") else {
        skip();
        return None;
    };
    let base_url = format!("{}/v1", url.trim_end_matches('/'));
    let model = OpenAiCompatible::builder(base_url, "random").response_format(format);
    Some(Arc::new(model.build().unwrap()))
}

#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
fn skip() {
    eprintln!("SKIPPED: COT_LLAMA_URL is not set; see tests/llama/server.sh");
}

type Failed<P> = (<P as cot_core::ProcessTypes>::Task, Attempt);

/// Runs a process many times, a few at once. Gives the runs and all attempts that failed.
async fn runs<P: Process<Context = ()>>(
    model: Arc<OpenAiCompatible>,
    runner: Runner<P>,
    state: impl Fn(usize) -> P::State,
) -> (Vec<RunReport<P>>, Vec<Failed<P>>) {
    let failed = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&failed);
    let runner = runner.model(model).observe(move |event, _| {
        if let RunEvent::AttemptFailed { task, attempt, .. } = event {
            seen.lock().unwrap().push((*task, attempt.clone()));
        }
    });
    let mut done = Vec::new();
    let mut under_way = JoinSet::<Result<RunReport<P>, RunError>>::new();
    for number in 0..RUNS {
        if under_way.len() == AT_ONCE {
            done.push(under_way.join_next().await.unwrap().unwrap().unwrap());
        }
        under_way.spawn(runner.report(state(number)));
    }
    done.extend(under_way.join_all().await.into_iter().map(Result::unwrap));
    assert_eq!(done.len(), RUNS);
    assert!(done.iter().all(|run| run.usage.output_tokens > 0), "the server says what it cost");
    (done, std::mem::take(&mut *failed.lock().unwrap()))
}

fn builder_state() -> BuilderState {
    ds_builder::orders()
}

fn desk(number: usize) -> Desk {
    let ticket = format!("Order {number} came with a cracked screen, and I would like a new one.");
    Desk { ticket, ..Desk::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ds_builder_runs_to_its_end_on_constrained_replies() {
    let Some(model) = model(ResponseFormat::JsonSchema) else { return };
    let before = builder_state().current_ds.fields.len();
    let (runs, failed) = runs(model, DsBuilder::runner(), |_| builder_state()).await;
    for (task, attempt) in &failed {
        assert_eq!(*task, DsBuilderTask::AddField, "choices are enforced: {attempt:?}");
        assert!(attempt.issues.iter().all(is_not_enforced), "{attempt:?}");
    }
    for run in &runs {
        assert!(matches!(run.outcome, DsBuilderOutcome::Done), "{:?}", run.outcome);
        let fields = &run.state.current_ds.fields;
        assert!(fields.iter().skip(before).all(|field| is_name(&field.name)));
        let newest = run.state.last_created.as_ref().map(|created| &created.name);
        let added = fields.get(before..).unwrap().last().map(|field| &field.name);
        assert_eq!(newest.filter(|_| added.is_some()), added);
    }
    let added = |run: &RunReport<DsBuilder>| run.state.current_ds.fields.len() - before;
    assert!(runs.iter().map(added).sum::<usize>() > 0, "some runs add a field");
}

/// llama.cpp ignores `maxLength` beside a `pattern`; that a name is new is the process's own check.
fn is_not_enforced(issue: &Issue) -> bool {
    issue.path == "$.name" && (issue.message.contains("40") || issue.message.contains("is taken"))
}

fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() <= 40
        && bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_alphanumeric())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn triage_runs_to_its_end_on_constrained_replies() {
    let Some(model) = model(ResponseFormat::JsonSchema) else { return };
    let (runs, failed) = runs(model, Triage::runner(), desk).await;
    assert!(failed.is_empty(), "the server enforces all that triage asks for: {failed:?}");
    for run in &runs {
        let desk = &run.state;
        let classification = desk.classification.as_ref().unwrap();
        assert!(classification.missing.len() <= 5 && desk.revisions <= 3);
        assert!(desk.mail.iter().all(|mail| !mail.subject.is_empty() && !mail.body.is_empty()));
        match &run.outcome {
            TriageOutcome::Asked => assert!(!classification.missing.is_empty()),
            TriageOutcome::Send => assert!(desk.mail.is_some()),
            TriageOutcome::Escalate(why) => assert!(why.contains("revisions"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    let of = |category| {
        let classified = runs.iter().filter_map(|run| run.state.classification.as_ref());
        classified.filter(|it| it.category == category).count()
    };
    let categories = [Category::Billing, Category::Delivery, Category::Defect, Category::Other];
    assert!(categories.iter().filter(|category| of(**category) > 0).count() > 1, "replies differ");
}

/// What holds of every run on a model that says nothing sensible.
fn assert_gave_up<T: TaskId>(halt: &Halt<T>, first: T) {
    assert_eq!(halt.task, first);
    let attempts = &halt.attempts;
    match &halt.reason {
        HaltReason::Exhausted => assert_eq!(attempts.len(), 3),
        HaltReason::Truncated => assert!((1..=3).contains(&attempts.len())),
        other => panic!("{other}"),
    }
    for (attempt, number) in attempts.iter().zip(1..) {
        assert_eq!(attempt.number, number);
        assert!(!attempt.issues.is_empty() && attempt.usage.calls == 1);
        assert!(!attempt.elapsed.is_zero() && attempt.usage.output_tokens > 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ds_builder_gives_up_on_garbage() {
    let Some(model) = model(ResponseFormat::PromptOnly) else { return };
    let (runs, failed) = runs(model, DsBuilder::runner(), |_| builder_state()).await;
    let before = serde_json::to_value(builder_state()).unwrap();
    let mut attempts = 0;
    for run in &runs {
        let halt = run.outcome.halt().unwrap();
        assert_gave_up(halt, DsBuilderTask::Decide);
        assert_eq!(serde_json::to_value(&run.state).unwrap(), before, "nothing was committed");
        assert!(run.history.is_empty());
        assert_eq!(run.usage.calls, halt.attempts.len() as u64);
        attempts += halt.attempts.len();
    }
    assert_eq!(failed.len(), attempts, "every attempt is reported");
    let exhausted = |run: &&RunReport<DsBuilder>| {
        run.outcome.halt().is_some_and(|halt| matches!(halt.reason, HaltReason::Exhausted))
    };
    assert!(runs.iter().filter(exhausted).count() > 0, "some garbage ends by itself");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn triage_gives_up_on_garbage() {
    let Some(model) = model(ResponseFormat::PromptOnly) else { return };
    let (runs, _) = runs(model, Triage::runner(), desk).await;
    for run in &runs {
        assert_gave_up(run.outcome.halt().unwrap(), TriageTask::Classify);
        assert!(run.state.classification.is_none() && run.state.mail.is_none());
    }
}

#[tokio::test]
async fn constrained_replies_stream_and_are_counted() {
    let Some(model) = model(ResponseFormat::JsonSchema) else { return };
    let note = serde_json::json!({ "type": "string", "minLength": 4, "maxLength": 40 });
    let schema = serde_json::json!({
        "type": "object", "properties": { "note": note }, "required": ["note"],
        "additionalProperties": false,
    });
    let mut request = ModelRequest::new("Write a note.");
    request.schema = Some(Arc::new(ReplySchema { name: "note".into(), json: schema }));
    for (max_tokens, finish) in [(None, FinishReason::Stop), (Some(3), FinishReason::Length)] {
        Arc::make_mut(&mut request.settings).max_tokens = max_tokens;
        let pieces = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&pieces);
        let sink = DeltaSink::new(move |delta| match delta {
            Delta::Text(text) => kept.lock().unwrap().push(text.to_owned()),
            Delta::Thought(_) => panic!("the model is no reasoning model"),
            Delta::Restart => panic!("nothing went wrong"),
        });
        let reply = model.stream(&request, &sink).await.unwrap();
        let pieces = pieces.lock().unwrap();
        assert_eq!(pieces.concat(), reply.text);
        assert_eq!(reply.finish, finish, "{reply:?}");
        assert!(reply.usage.input_tokens > 0 && reply.usage.output_tokens > 1, "{reply:?}");
        let is_whole = serde_json::from_str::<serde_json::Value>(&reply.text).is_ok();
        assert_eq!(is_whole, finish == FinishReason::Stop, "{reply:?}");
        assert!(pieces.len() > 1 || !is_whole, "{pieces:?}");
    }
}

#[tokio::test]
async fn turns_and_settings_are_taken_and_cached_tokens_are_counted() {
    let Some(model) = model(ResponseFormat::PromptOnly) else { return };
    let mut request = ModelRequest::new("Count. ".repeat(40)).with_system("Be brief.");
    request.turns = vec![Turn::user("Count."), Turn::assistant("One, two.")];
    let extra = serde_json::json!({ "cache_prompt": true, "top_k": 5 });
    request.settings = Arc::new(ModelSettings {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(2),
        stop: vec!["END".to_owned()],
        seed: Some(7),
        effort: Some(Effort::Low),
        extra: serde_json::from_value(extra).unwrap(),
    });
    let mut cached = 0;
    // The other tests use the slots of the server, too.
    for _ in 0..10 {
        let usage = model.reply(&request).await.unwrap().usage;
        assert!(usage.cached_tokens <= usage.input_tokens && usage.output_tokens <= 2, "{usage:?}");
        cached = cached.max(usage.cached_tokens * 100 / usage.input_tokens);
    }
    assert!(cached > 80, "{cached} % of the prompt were cached at most");
}

/// A request with a tool, with settings with which the model calls it: the bias is for the character with which
/// calls begin.
fn with_tool() -> ModelRequest {
    let city = serde_json::json!({ "type": "string", "maxLength": 10 });
    let json = serde_json::json!({
        "type": "object", "properties": { "city": city }, "required": ["city"], "additionalProperties": false,
    });
    let schema = Arc::new(ReplySchema { name: "weather".to_owned(), json });
    let tool = Tool::new("Looks up the weather", schema);
    let mut request = ModelRequest::new("Is it raining in Paris?").with_tools([tool]);
    let note = serde_json::json!({ "type": "string", "maxLength": 20 });
    request.schema = Some(Arc::new(ReplySchema { name: "note".to_owned(), json: note }));
    let extra = serde_json::json!({ "tool_choice": "required", "logit_bias": [[96, 8]] });
    Arc::make_mut(&mut request.settings).extra = serde_json::from_value(extra).unwrap();
    Arc::make_mut(&mut request.settings).max_tokens = Some(200);
    request
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct City {
    city: String,
}

#[tokio::test]
async fn the_server_calls_tools_whole_and_streamed() {
    let Some(model) = model(ResponseFormat::JsonSchema) else { return };
    let request = with_tool();
    for streams in [false, true] {
        let sink = DeltaSink::new(|_| {});
        let reply = match streams {
            true => model.stream(&request, &sink).await.unwrap(),
            false => model.reply(&request).await.unwrap(),
        };
        let (last, whole) = reply.tool_calls.split_last().unwrap();
        let whole: Vec<_> =
            whole.iter().chain((reply.finish == FinishReason::Stop).then_some(last)).collect();
        for call in &whole {
            assert_eq!(call.name, "weather");
            assert!(!call.id.is_empty());
            let city: City = serde_json::from_str(&call.arguments).unwrap();
            assert!(city.city.chars().count() <= 10, "{call}");
        }
        assert!(!whole.is_empty(), "{reply:?}");
        let calls = whole.into_iter().map(|call| (call.clone(), ToolResult::ok("\"rain\"")));
        let next = request.clone().with_rounds([ToolRound::new(&*reply.text, calls.collect())]);
        let answered = model.reply(&next).await.unwrap();
        assert!(answered.usage.input_tokens > reply.usage.input_tokens + 20, "{answered:?}");
    }
}

#[tokio::test]
async fn with_tools_in_the_prompt_the_server_enforces_a_reply_or_a_call() {
    let Some(model) = model(ResponseFormat::JsonSchema) else { return };
    let mut request = with_tool().with_tools_in_prompt();
    request.settings = Arc::default();
    for _ in 0..10 {
        let reply = model.reply(&request).await.unwrap();
        let json: serde_json::Value = serde_json::from_str(&reply.text).unwrap();
        let is_call = json["tool"] == "weather" && json["arguments"]["city"].is_string();
        assert!(json.is_string() || is_call, "{json}");
    }
}
