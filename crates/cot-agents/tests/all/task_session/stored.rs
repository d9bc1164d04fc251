//! Conversations that outlive their programs.

use std::future;

use cot_core::store::{MemoryStore, RunId, Status, Store};
use cot_model::{BoxFuture, ModelError};
use futures_util::FutureExt;
use serde_json::json;

use super::*;

/// A model that never answers after so many replies.
struct Stuck(Arc<ScriptedModel>, usize);

impl LanguageModel for Stuck {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        match self.0.requests().len() < self.1 {
            true => self.0.reply(request),
            false => Box::pin(future::pending()),
        }
    }
}

fn stuck(model: &Arc<ScriptedModel>, replies: usize) -> SessionBuilder {
    let weather = async |place: Place| Ok::<_, Infallible>(format!("68 °F in {}", place.zip_code));
    Session::builder(Stuck(Arc::clone(model), replies))
        .system("You know the weather.")
        .tools(ToolSet::new().tool("get_weather", "The weather at a place", weather))
}

/// Answers the question that a run waits at, as `cot runs answer` does.
async fn answer(store: &MemoryStore, answer: serde_json::Value) {
    let run: RunId = "talk".parse().unwrap();
    let status = store.run(&run).await.unwrap().unwrap().status;
    let Status::Asking { key, .. } = status else { panic!("{status:?}") };
    store.put_answer(&run, &key, answer).await.unwrap();
}

async fn question(store: &MemoryStore) -> (String, String) {
    let run = store.run(&"talk".parse().unwrap()).await.unwrap().unwrap();
    let Status::Asking { task, question, .. } = run.status else { panic!("{:?}", run.status) };
    (task, question)
}

#[tokio::test]
async fn a_conversation_goes_on_in_another_program() {
    let store = MemoryStore::default();
    let model = scripted([format!("{PLAN}{CALL}"), ANSWER.into(), format!("{PLAN}{ANSWER}")]);
    let mut first = builder(&model).open(store.clone(), "talk").await.unwrap();
    assert_eq!(first.user("Weather?").await.unwrap(), "It is 68 °F.");
    let trace = first.trace().clone();
    drop(first);
    assert_eq!(question(&store).await, ("user".to_owned(), "It is 68 °F.".to_owned()));

    let mut second = builder(&model).system("Another.").open(store.clone(), "talk").await.unwrap();
    assert_eq!((second.trace(), second.usage().calls), (&trace, 2));
    assert!(second.tool_changes().is_empty() && !second.is_unfinished());
    assert_eq!(second.user("And now?").await.unwrap(), "It is 68 °F.");
    assert_eq!(second.usage().calls, 3);
    assert_sound(&second);
    let prompts = prompts(&model);
    assert!(prompts[2].starts_with(&trace.to_string()), "{}", prompts[2]);
    // A view that is behind sees what the other program did.
    let mut third = builder(&model).open(store, "talk").await.unwrap();
    assert_eq!(third.trace(), second.trace());
    third.user("More?").await.unwrap_err();
    assert_eq!(kinds(&third).iter().filter(|kind| **kind == "user").count(), 3);
}

#[tokio::test]
async fn a_program_can_die_at_any_call_of_the_model() {
    let store = MemoryStore::default();
    let replies = [PLAN, CALL, "act { think ↦ \"A sweater.\" }", ANSWER].map(str::to_owned);
    let script = scripted(replies.clone());
    let mut first = stuck(&script, 0).open(store.clone(), "talk").await.unwrap();
    assert_eq!(first.user("Weather?").finish().now_or_never(), None);
    drop(first);
    for count in 1..replies.len() {
        let mut session = stuck(&script, count).open(store.clone(), "talk").await.unwrap();
        assert!(session.is_unfinished());
        assert_eq!(session.user("Q").await, Err(SessionError::Unfinished));
        assert_eq!(session.continue_turn().unwrap().finish().now_or_never(), None);
        assert_eq!(script.requests().len(), count);
    }
    let mut last = stuck(&script, 9).open(store.clone(), "talk").await.unwrap();
    assert_eq!(last.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
    // Each reply was asked for once.
    assert_eq!(script.requests().len(), replies.len());
    let whole = session(replies).0.clone_after("Weather?").await;
    assert_eq!(last.trace().to_string(), whole_without_other_tools(&whole));
    assert_sound(&last);
}

/// The trace with the only tool of [`stuck`].
fn whole_without_other_tools(session: &Session) -> String {
    let mut trace = session.trace().clone();
    trace
        .blocks
        .retain(|block| block.kind != BlockKind::Tool || block.to_string().contains("get_weather"));
    trace.to_string()
}

trait After {
    async fn clone_after(self, message: &str) -> Session;
}

impl After for Session {
    async fn clone_after(mut self, message: &str) -> Session {
        self.user(message).await.unwrap();
        self
    }
}

#[tokio::test]
async fn people_and_workers_continue_a_conversation() {
    let store = MemoryStore::default();
    let script = [
        format!("{PLAN}{CALL}"),
        ANSWER.into(),
        format!("{PLAN}{ANSWER}"),
        format!("{PLAN}response「Bye.」"),
    ];
    let model = scripted(script);
    let mut session = builder(&model).open(store.clone(), "talk").await.unwrap();
    session.user("Weather?").await.unwrap();

    // The answer of a person, and a program that drives all runs.
    answer(&store, json!({ "text": "And tomorrow?" })).await;
    let (runner, _) = builder(&model).runner().unwrap();
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!(question(&store).await.0, "user");
    assert_eq!(model.requests().len(), 3);

    // The session continues behind it.
    assert_eq!(session.user("Thanks.").await.unwrap(), "Bye.");
    let users = session.trace().blocks.iter().filter(|block| block.kind == BlockKind::User);
    let said: Vec<&str> = users.filter_map(|block| block.content.as_text()).collect();
    assert_eq!(said, ["Weather?", "And tomorrow?", "Thanks."]);
    assert_sound(&session);
}

#[tokio::test]
async fn an_answer_that_waits_in_the_store_is_taken_first() {
    let store = MemoryStore::default();
    let reply = |text: &str| format!("{PLAN}response「{text}」");
    let model = scripted([reply("one"), reply("two"), reply("three")]);
    let mut session = builder(&model).open(store.clone(), "talk").await.unwrap();
    session.user("1").await.unwrap();
    answer(&store, json!({ "text": "2" })).await;
    assert_eq!(session.user("3").await.unwrap(), "three");
    let expected = [
        "system", "user", "plan", "response", "user", "plan", "response", "user", "plan",
        "response",
    ];
    assert_eq!(kinds(&session), expected);
    assert_sound(&session);
}

#[tokio::test]
async fn a_turn_that_stopped_is_decided_on_later() {
    let store = MemoryStore::default();
    let model = scripted([PLAN, PLAN, "no", "No.", "never"].map(str::to_owned));
    let open = || {
        builder(&model)
            .limits(SessionLimits { rounds: 2, ..SessionLimits::default() })
            .open(store.clone(), "talk")
    };
    let mut first = open().await.unwrap();
    assert_eq!(first.user("Q").await, Err(SessionError::RoundLimit { limit: 2 }));
    drop(first);
    let asked = "The turn stopped: the model gave no response within 2 rounds".to_owned();
    assert_eq!(question(&store).await, ("stopped".to_owned(), asked));

    let mut second = open().await.unwrap();
    assert_eq!(kinds(&second), ["system", "user", "plan", "plan"]);
    let error = second.continue_turn().unwrap().await.unwrap_err();
    assert!(matches!(error, SessionError::Refused { attempts: 3, .. }), "{error}");
    // The model fails: the script is over.
    let error = second.continue_turn().unwrap().await.unwrap_err();
    assert!(matches!(error, SessionError::Model(_)), "{error}");
    assert_eq!(question(&store).await.0, "stopped");
    // Somebody else removes the turn.
    answer(&store, json!("abandon")).await;
    let model = scripted([format!("{PLAN}{ANSWER}")]);
    let mut third = builder(&model).open(store.clone(), "talk").await.unwrap();
    assert!(third.is_unfinished());
    assert_eq!(third.continue_turn().unwrap().await.unwrap(), "");
    assert_eq!(kinds(&third), ["system"]);
    assert_eq!(third.user("Again").await.unwrap(), "It is 68 °F.");
}

#[tokio::test]
async fn an_unfinished_turn_of_a_dead_program_can_be_abandoned() {
    for replies in [0, 1] {
        let store = MemoryStore::default();
        let script = scripted([format!("{PLAN}{CALL}")]);
        let mut first = stuck(&script, replies).open(store.clone(), "talk").await.unwrap();
        assert_eq!(first.user("Weather?").finish().now_or_never(), None);
        drop(first);

        let model = scripted([format!("{PLAN}response「Hello.」")]);
        let mut second = builder(&model).open(store.clone(), "talk").await.unwrap();
        second.abandon();
        assert_eq!(kinds(&second), ["system"]);
        assert_eq!(second.user("Hello?").await.unwrap(), "Hello.");
        assert_eq!(kinds(&second), ["system", "user", "plan", "response"]);
        assert_sound(&second);
        let stored = builder(&model).open(store, "talk").await.unwrap();
        assert_eq!(stored.trace(), second.trace());
        assert!(!prompts(&model)[0].contains("Weather"));
    }
}

#[tokio::test]
async fn a_message_that_was_not_sent_is_sent_later() {
    let store = MemoryStore::default();
    let model = scripted([format!("{PLAN}{ANSWER}")]);
    let mut session = builder(&model).open(store.clone(), "talk").await.unwrap();
    drop(session.user("Weather?"));
    assert!(
        session.is_unfinished() && store.run(&"talk".parse().unwrap()).await.unwrap().is_none()
    );
    assert_eq!(session.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
    assert_eq!(kinds(&session), ["system", "user", "plan", "response"]);
}

#[tokio::test]
async fn one_program_drives_a_conversation_at_a_time() {
    let store = MemoryStore::default();
    let script = scripted([format!("{PLAN}{ANSWER}")]);
    let mut first = stuck(&script, 0).open(store.clone(), "talk").await.unwrap();
    let mut turn = first.user("Weather?");
    assert!(matches!(turn.next().await, Some(SessionEvent::Asked { .. })));
    let mut second = stuck(&script, 1).open(store.clone(), "talk").await.unwrap();
    let error = second.continue_turn().unwrap().await.unwrap_err();
    assert!(matches!(&error, SessionError::Leased { run } if run.as_str() == "talk"), "{error}");
    drop(turn);
    assert_eq!(second.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
}

#[tokio::test]
async fn a_person_can_end_a_conversation() {
    let store = MemoryStore::default();
    let model = scripted([PLAN.to_owned()]);
    let mut session = builder(&model)
        .limits(SessionLimits { rounds: 1, ..SessionLimits::default() })
        .open(store.clone(), "talk")
        .await
        .unwrap();
    session.user("Q").await.unwrap_err();
    answer(&store, json!("end")).await;
    let error = session.continue_turn().unwrap().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the run of the conversation stopped: the conversation was ended"
    );
    let error = session.continue_turn().unwrap().await.unwrap_err();
    assert!(matches!(error, SessionError::Run(_)), "{error}");
    assert_eq!(kinds(&session), ["system", "user", "plan"]);
}

#[tokio::test]
async fn runs_that_are_no_conversations_are_refused() {
    let store = MemoryStore::default();
    let model = scripted([PLAN]);
    let error = builder(&model).open(store.clone(), "no name!").await.unwrap_err();
    assert!(matches!(error, SessionOpenError::RunId(_)), "{error}");
    let chain = cot_agents::plan_execute::ChainOfThought::new(
        cot_agents::plan_execute::Plan::new(Arc::clone(&model)),
        cot_agents::plan_execute::Execute::new(Arc::clone(&model)),
    );
    let mut context = cot_agents::plan_execute::Context::new("Q");
    let stored = store.clone();
    let chain = chain.configure(move |runner| runner.store(stored.clone()).run_id("talk"));
    let _ = chain.run(&mut context).await;
    let error = builder(&model).open(store, "talk").await.unwrap_err();
    assert!(matches!(error, SessionOpenError::Snapshot { .. }), "{error}");
    assert_eq!(error.to_string(), "run `talk` is no conversation of this version");
}

#[tokio::test]
async fn a_clone_of_a_stored_session_is_not_stored() {
    let store = MemoryStore::default();
    let reply = format!("{PLAN}{ANSWER}");
    let model = scripted([reply.clone(), reply.clone(), reply]);
    let mut session = builder(&model).open(store.clone(), "talk").await.unwrap();
    session.user("1").await.unwrap();
    let mut other = session.clone();
    other.user("2").await.unwrap();
    session.user("3").await.unwrap();
    let stored = builder(&model).open(store, "talk").await.unwrap();
    assert_eq!(stored.trace(), session.trace());
    assert!(stored.trace().to_string().contains("user「3」 🏷 usr2"));
}
