//! Tools of stored conversations: changed, gone, made once, and approved.

use std::{
    future,
    sync::atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    Approval,
    store::{MemoryStore, RunId, Status, Store},
    tools::Tool,
};
use futures_util::FutureExt;
use serde_json::json;

use super::*;

const ECHO: &str = "act { call ↦ { tool ↦ echo • text ↦ hello • id ↦ e1 } }";

/// A session with a tool `echo`.
fn with_echo(model: &Arc<ScriptedModel>, echo: Tool) -> SessionBuilder {
    Session::builder(Arc::clone(model)).system("S").tools(ToolSet::new().add(echo))
}

fn counting(calls: &Arc<AtomicUsize>, ends: bool) -> Tool {
    let calls = Arc::clone(calls);
    Tool::new("echo", "Says it", move |said: Said| {
        calls.fetch_add(1, Ordering::SeqCst);
        async move {
            if !ends {
                future::pending::<()>().await;
            }
            Ok::<_, Infallible>(said.text)
        }
    })
}

fn result(session: &Session) -> String {
    let blocks = &session.trace().blocks;
    let result = blocks.iter().find(|block| block.kind == BlockKind::ToolResult);
    result.unwrap().content.to_plain_json().to_string()
}

#[tokio::test]
async fn a_tool_that_is_gone_is_answered_and_nothing_is_lost() {
    let store = MemoryStore::default();
    let model = scripted([
        format!("{PLAN}{ECHO}"),
        ANSWER.to_owned(),
        format!("{PLAN}{ECHO}"),
        ANSWER.to_owned(),
    ]);
    let calls = Arc::new(AtomicUsize::new(0));
    let mut first =
        with_echo(&model, counting(&calls, false)).open(store.clone(), "talk").await.unwrap();
    assert_eq!(first.user("Q").finish().now_or_never(), None);
    drop(first);

    let shout = Tool::new("shout", "Shouts", async |said: Said| Ok::<_, Infallible>(said.text));
    let builder =
        with_echo(&model, shout).limits(SessionLimits { retries: 0, ..SessionLimits::default() });
    let mut second = builder.open(store.clone(), "talk").await.unwrap();
    let (added, gone) = ("shout".to_owned(), "echo".to_owned());
    let changes = [ToolChange::Added { tool: added }, ToolChange::Removed { tool: gone }];
    assert_eq!(second.tool_changes(), changes);
    let events = events(second.continue_turn().unwrap()).await;
    assert!(matches!(events.last(), Some(SessionEvent::Ended(Ok(_)))), "{events:?}");
    assert!(result(&second).contains("error"), "{}", result(&second));
    assert_eq!(kinds(&second), ["system", "user", "plan", "act", "result", "response"]);
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    // The trace stays valid: it says of the tool that it is gone.
    assert_sound(&second);
    let trace = second.trace().to_string();
    assert!(trace.contains("No longer available") && trace.contains("name ↦ shout"), "{trace}");
    assert!(prompts(&model)[1].contains("No longer available"));
    // A call of it is refused.
    let error = second.user("Again").await.unwrap_err();
    assert!(error.to_string().contains("no tool `echo`"), "{error}");

    // With the tool, the conversation is as before.
    let builder = with_echo(&model, counting(&calls, true));
    let mut third = builder.open(store, "talk").await.unwrap();
    assert_eq!(third.tool_changes().len(), 2, "{:?}", third.tool_changes());
    third.continue_turn().unwrap().await.unwrap();
    assert!(third.trace().to_string().contains("Says it"));
    assert_sound(&third);
}

#[tokio::test]
async fn a_call_that_is_made_once_is_not_repeated() {
    let store = MemoryStore::default();
    let model = scripted([format!("{PLAN}{ECHO}"), ANSWER.to_owned()]);
    let calls = Arc::new(AtomicUsize::new(0));
    let open = |ends| with_echo(&model, counting(&calls, ends).once()).open(store.clone(), "talk");
    let mut first = open(false).await.unwrap();
    assert_eq!(first.user("Q").finish().now_or_never(), None);
    drop(first);
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let mut second = open(true).await.unwrap();
    assert_eq!(second.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
    assert!(result(&second).contains("not known whether it took effect"), "{}", result(&second));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    assert_sound(&second);
}

#[tokio::test]
async fn calls_are_approved_by_the_program_or_by_a_person() {
    let calls = Arc::new(AtomicUsize::new(0));
    let tool = || counting(&calls, true).approved();
    let replies = [format!("{PLAN}{ECHO}"), ANSWER.to_owned()];
    let told = |session: &Session| result(session);

    // Nobody is there to ask.
    let mut session = with_echo(&scripted(replies.clone()), tool()).build().unwrap();
    session.user("Q").await.unwrap();
    assert!(told(&session).contains("nobody can be asked"), "{}", told(&session));
    assert_eq!(calls.load(Ordering::SeqCst), 0);

    // The program decides.
    let builder = with_echo(&scripted(replies.clone()), tool());
    let builder = builder.approve(async |question| {
        assert!(question.text.contains("echo"), "{}", question.text);
        Approval::approve()
    });
    let mut session = builder.build().unwrap();
    session.user("Q").await.unwrap();
    assert_eq!((told(&session).as_str(), calls.load(Ordering::SeqCst)), (r#"{"data":"hello"}"#, 1));

    // A person decides, while no program runs.
    let store = MemoryStore::default();
    let model = scripted(replies);
    let mut session = with_echo(&model, tool()).open(store.clone(), "talk").await.unwrap();
    assert_eq!(session.user("Q").finish().now_or_never(), None);
    let run: RunId = "talk".parse().unwrap();
    let status = store.run(&run).await.unwrap().unwrap().status;
    let Status::Asking { key, .. } = status else { panic!("{status:?}") };
    store.put_answer(&run, &key, json!({ "approved": false, "reason": "too loud" })).await.unwrap();
    assert_eq!(session.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
    assert!(told(&session).contains("too loud"), "{}", told(&session));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn results_of_a_killed_round_are_kept() {
    let store = MemoryStore::default();
    let act = "act { call ↦ [ { tool ↦ echo • text ↦ a • id ↦ a } • { tool ↦ slow • text ↦ b • id ↦ b } ] }";
    let model = scripted([format!("{PLAN}{act}"), ANSWER.to_owned()]);
    let calls = Arc::new(AtomicUsize::new(0));
    let open = |ends: bool| {
        let slow = Tool::new("slow", "Waits", move |said: Said| async move {
            if !ends {
                future::pending::<()>().await;
            }
            Ok::<_, Infallible>(said.text)
        });
        let tools = ToolSet::new().add(counting(&calls, true)).add(slow);
        Session::builder(Arc::clone(&model)).tools(tools).open(store.clone(), "talk")
    };
    let mut first = open(false).await.unwrap();
    let mut turn = first.user("Q");
    while !matches!(turn.next().await, Some(SessionEvent::Called { .. })) {}
    drop(turn);
    assert_eq!(kinds(&first), ["system", "user", "plan", "act", "result"]);
    drop(first);
    let mut second = open(true).await.unwrap();
    assert_eq!(second.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let expected = ["system", "user", "plan", "act", "result", "result", "response"];
    assert_eq!(kinds(&second), expected);
    assert_sound(&second);
}
