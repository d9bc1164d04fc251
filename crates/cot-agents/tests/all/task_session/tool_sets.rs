//! Sets of tools in sessions, and their limits.
#![expect(clippy::disallowed_methods, reason = "tests limit the time of calls that never end")]

use std::{future, time::Duration};

use cot_core::{ToolSource, tools::Tool};

use super::*;

fn call(tool: &str, id: &str) -> String {
    format!("call ↦ {{ tool ↦ {tool} • text ↦ {id} • id ↦ {id} }}")
}

fn hanging(name: &str) -> Tool {
    Tool::new(name, "Never ends", |_: Said| future::pending::<Result<(), Infallible>>())
}

fn result(session: &Session) -> String {
    let blocks = &session.trace().blocks;
    let result = blocks.iter().find(|block| block.kind == BlockKind::ToolResult);
    result.unwrap().content.to_plain_json().to_string()
}

#[tokio::test(start_paused = true)]
async fn the_limits_of_a_set_apply() {
    let act = format!("{PLAN}act {{ {} }}", call("hang", "a"));
    let set = ToolSet::new().add(hanging("hang")).timeout(Duration::from_secs(3));
    let model = scripted([act.clone(), ANSWER.to_owned()]);
    let mut session = Session::builder(model).tools(set).build().unwrap();
    session.user("Q").await.unwrap();
    assert_eq!(result(&session), r#"{"error":"it took longer than 3s"}"#);

    let long = |_: Said| async { Ok::<_, Infallible>("x".repeat(100)) };
    let set = ToolSet::new().tool("hang", "Is long", long).max_result_bytes(10);
    let mut session =
        Session::builder(scripted([act, ANSWER.to_owned()])).tools(set).build().unwrap();
    session.user("Q").await.unwrap();
    assert_eq!(result(&session), r#"{"data":"xxxxxxxxxx… (90 bytes more)"}"#);
}

#[tokio::test(start_paused = true)]
async fn sessions_of_one_builder_do_not_wait_for_each_other() {
    let hang: Vec<String> = (0..8).map(|id| call("hang", &format!("c{id}"))).collect();
    let replies = [format!("{PLAN}act {{ {} }}", hang.join(" • "))];
    let set = ToolSet::new()
        .add(hanging("hang"))
        .tool("echo", "Says it", async |said: Said| Ok::<_, Infallible>(said.text));
    let model = Arc::new(ScriptedModel::from_fn(move |request: &ModelRequest| {
        match (request.prompt().contains("hang them"), request.prompt().contains("data ↦")) {
            (true, _) => replies[0].clone(),
            (_, true) => ANSWER.to_owned(),
            _ => format!("{PLAN}act {{ {} }}", call("echo", "e")),
        }
    }));
    let builder = Session::builder(model).tools(set);
    let mut first = builder.clone().build().unwrap();
    let mut second = builder.build().unwrap();
    let mut hangs = Box::pin(first.user("hang them").finish());
    tokio::time::timeout(Duration::from_secs(1), &mut hangs).await.unwrap_err();
    let answer = tokio::time::timeout(Duration::from_secs(60), second.user("Q").finish()).await;
    assert_eq!(answer.unwrap().unwrap(), "It is 68 °F.");
}

#[tokio::test]
async fn long_arguments_are_rejected_and_long_results_truncated() {
    let act = |text: &str| {
        format!("{PLAN}act {{ call ↦ {{ tool ↦ echo • text ↦ \"{text}\" • id ↦ a }} }}")
    };
    let model = scripted([act(&"x".repeat(70_000)), act("short"), ANSWER.to_owned()]);
    let echo =
        async |said: Said| Ok::<_, Infallible>(format!("{} {}", said.text, "y".repeat(100_000)));
    let set = ToolSet::new().tool("echo", "Says it", echo).max_result_bytes(200_000);
    let mut session = Session::builder(model).tools(set).build().unwrap();
    let events = events(session.user("Q")).await;
    let refused = refused(&events);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0].0, Code::OverLimit);
    assert!(refused[0].1.contains("bytes as JSON, and may have 65536"), "{refused:?}");
    let result = result(&session);
    assert!(result.starts_with(r#"{"data":"short yyy"#) && result.contains("bytes more)"));
    assert!(result.len() > 65_000, "{}", result.len());
    assert_sound(&session);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_made_once_waits_for_no_others() {
    let set = ToolSet::new().add(hanging("hang")).max_concurrency(1);
    let pay = async |said: Said| Ok::<_, Infallible>(said.text);
    let set = set.add(Tool::new("pay", "Pays", pay).once());
    let arguments = serde_json::json!({ "text": "a" });
    let mut hangs = Box::pin(set.call("hang", arguments.clone(), "k"));
    tokio::time::timeout(Duration::from_secs(1), &mut hangs).await.unwrap_err();
    let paid = tokio::time::timeout(Duration::from_secs(1), set.call("pay", arguments, "k"));
    assert_eq!(paid.await.unwrap().unwrap(), "a");
}

#[tokio::test]
async fn the_usage_of_a_run_that_ended_counts() {
    let reply = format!("{PLAN}{ANSWER}");
    let model = scripted([reply.clone(), reply.clone(), reply]);
    let budget = cot_core::Budget { calls: Some(1), ..cot_core::Budget::default() };
    let builder = Session::builder(model).configure(move |runner| runner.budget(budget));
    let mut session = builder.build().unwrap();
    session.user("1").await.unwrap();
    assert!(matches!(session.user("2").await, Err(SessionError::Budget(_))));
    // The run ends.
    assert!(matches!(session.continue_turn().unwrap().await, Err(SessionError::Budget(_))));
    assert_eq!(session.usage().calls, 1);
    session.abandon();
    session.user("3").await.unwrap();
    assert_eq!(session.usage().calls, 2);
}
