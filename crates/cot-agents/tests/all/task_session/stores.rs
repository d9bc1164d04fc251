//! Stored conversations in each kind of store: one that is ready at once, and one that is not.
#![expect(clippy::disallowed_methods, reason = "tests limit the time of calls that never end")]

use std::{
    future,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    store::{MemoryStore, RunFilter, RunId, Status, Store},
    tools::Tool,
};
use cot_model::{BoxFuture, ModelError, ModelErrorKind};
use cot_sqlite::SqliteStore;
use serde_json::json;

use super::*;

/// Runs a test with each kind of store.
macro_rules! in_stores {
    ($($(#[$meta:meta])* async fn $name:ident($store:ident) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn test<S: Store + Clone + 'static>($store: S) $body

            #[tokio::test]
            async fn in_memory() {
                test(MemoryStore::default()).await;
            }

            #[tokio::test]
            async fn in_sqlite() {
                let folder = tempfile::tempdir().unwrap();
                test(SqliteStore::open(folder.path().join("runs.db")).unwrap()).await;
            }
        }
    )*};
}

/// A model that fails.
struct Failing;

impl LanguageModel for Failing {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Err(ModelError::new(ModelErrorKind::Other, "gone")) })
    }
}

fn answers(texts: &[&str]) -> Arc<ScriptedModel> {
    scripted(texts.iter().map(|text| format!("{PLAN}response「{text}」")).collect::<Vec<_>>())
}

async fn status(store: &impl Store) -> Status {
    store.run(&"talk".parse().unwrap()).await.unwrap().unwrap().status
}

async fn put_answer(store: &impl Store, answer: serde_json::Value) {
    let status = status(store).await;
    let Status::Asking { key, .. } = status else { panic!("{status:?}") };
    store.put_answer(&"talk".parse().unwrap(), &key, answer).await.unwrap();
}

async fn asks(store: &impl Store) -> String {
    let status = status(store).await;
    let Status::Asking { task, .. } = status else { panic!("{status:?}") };
    task
}

fn said(session: &Session) -> Vec<String> {
    let blocks = session.trace().blocks.iter();
    let messages =
        blocks.filter(|block| block.kind.is_message() && block.kind != BlockKind::System);
    messages.filter_map(|block| block.content.as_text().map(str::to_owned)).collect()
}

fn results(session: &Session) -> Vec<String> {
    let blocks = session.trace().blocks.iter();
    let results = blocks.filter(|block| block.kind == BlockKind::ToolResult);
    results.map(|block| block.content.to_plain_json().to_string()).collect()
}

/// Drops a turn that hangs once its last call is under way, and what it has written before is durable.
async fn stop(turn: ActiveTurn<'_>, is_under_way: impl Fn() -> bool) {
    let under_way = async {
        while !is_under_way() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    };
    tokio::select! {
        ended = turn.finish() =>  panic!("the turn has ended: {ended:?}"),
        () = under_way => {}
    }
}

in_stores! {
    async fn each_turn_ends_with_its_response(store) {
        let model = answers(&["a", "b", "c", "d"]);
        for turns in [["1", "2"], ["3", "4"]] {
            let mut session = builder(&model).open(store.clone(), "talk").await.unwrap();
            for turn in turns {
                let expected = ["a", "b", "c", "d"][turn.parse::<usize>().unwrap() - 1];
                assert_eq!(session.user(turn).await.unwrap(), expected);
                assert_eq!(asks(&store).await, "user");
                let stored = builder(&model).open(store.clone(), "talk").await.unwrap();
                assert_eq!(stored.trace(), session.trace());
            }
            assert_sound(&session);
        }
        assert_eq!(model.requests().len(), 4);
    }

    async fn the_failure_of_a_model_is_the_error_of_the_turn(store) {
        let mut session = Session::builder(Failing).open(store.clone(), "talk").await.unwrap();
        let error = session.user("Q").await.unwrap_err();
        assert!(matches!(error, SessionError::Model(_)), "{error:?}");
        let error = session.continue_turn().unwrap().await.unwrap_err();
        assert!(matches!(error, SessionError::Model(_)), "{error:?}");
        assert_eq!(asks(&store).await, "stopped");
        let model = answers(&["Yes."]);
        let mut session = Session::builder(model).open(store.clone(), "talk").await.unwrap();
        assert_eq!(session.continue_turn().unwrap().await.unwrap(), "Yes.");
    }

    async fn a_turn_that_stopped_elsewhere_can_be_decided_on(store) {
        let model = answers(&["1", "2", "3"]);
        let mut session = Session::builder(Arc::clone(&model)).open(store.clone(), "talk").await.unwrap();
        session.user("a").await.unwrap();
        let mut other = Session::builder(Failing).open(store.clone(), "talk").await.unwrap();
        other.user("b").await.unwrap_err();

        assert_eq!(session.user("c").await, Err(SessionError::Unfinished));
        assert_eq!(said(&session), ["a", "1", "b"]);
        session.abandon();
        assert_eq!(session.user("d").await.unwrap(), "2");
        assert_eq!(said(&session), ["a", "1", "d", "2"]);

        let mut other = Session::builder(Failing).open(store.clone(), "talk").await.unwrap();
        other.user("e").await.unwrap_err();
        assert_eq!(session.user("f").await, Err(SessionError::Unfinished));
        assert_eq!(session.continue_turn().unwrap().await.unwrap(), "3");
        assert_eq!(said(&session), ["a", "1", "d", "2", "e", "3"]);

        // A message that was never sent hides no turn.
        let mut other = Session::builder(Failing).open(store.clone(), "talk").await.unwrap();
        other.user("g").await.unwrap_err();
        drop(session.user("h"));
        assert_eq!(session.continue_turn().unwrap().await, Err(SessionError::Unfinished));
        assert_eq!(said(&session).last().unwrap(), "g");
        session.abandon();
        assert!(!session.is_unfinished());
    }

    async fn an_answer_of_others_loses_no_message(store) {
        let model = answers(&["one", "two", "three", "four"]);
        let mut session = builder(&model).open(store.clone(), "talk").await.unwrap();
        session.user("1").await.unwrap();
        put_answer(&store, json!({ "text": "2" })).await;
        assert_eq!(session.user("3").await.unwrap(), "three");
        assert_eq!(said(&session), ["1", "one", "2", "two", "3", "three"]);
        assert_sound(&session);
        // Equal messages are two.
        let mut session = builder(&model).open(store.clone(), "talk").await.unwrap();
        assert_eq!(session.user("3").await.unwrap(), "four");
        assert_eq!(said(&session).len(), 8);
    }

    async fn a_call_that_is_made_once_is_never_repeated(store) {
        let (calls, ends) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(false)));
        let counted = |name: &str, waits: bool| {
            let (calls, ends) = (Arc::clone(&calls), Arc::clone(&ends));
            Tool::new(name, "Counts", move |said: Said| {
                calls.fetch_add(1, Ordering::SeqCst);
                let hangs = waits && !*ends.lock().unwrap();
                async move {
                    if hangs {
                        future::pending::<()>().await;
                    }
                    Ok::<_, Infallible>(said.text)
                }
            })
            .once()
        };
        let look = Tool::new("look", "Looks", async |said: Said| Ok::<_, Infallible>(said.text));
        let tools = ToolSet::new().add(look).add(counted("pay", false)).add(counted("send", true));
        let call = |tool, id| format!("{{ tool ↦ {tool} • text ↦ {id} • id ↦ {id} }}");
        let act = format!(
            "{PLAN}act {{ call ↦ [ {} • {} • {} • {} ] }}",
            call("look", "a"), call("pay", "b"), call("send", "c"), call("look", "d"),
        );
        let model = scripted([act, ANSWER.to_owned()]);
        let builder = Session::builder(Arc::clone(&model)).tools(tools);
        let mut first = builder.clone().open(store.clone(), "talk").await.unwrap();
        stop(first.user("Q"), || calls.load(Ordering::SeqCst) == 2).await;
        drop(first);
        *ends.lock().unwrap() = true;
        assert_eq!(calls.load(Ordering::SeqCst), 2);
        let mut second = builder.open(store.clone(), "talk").await.unwrap();
        let events = events(second.continue_turn().unwrap()).await;
        assert_eq!(events.last(), Some(&SessionEvent::Ended(Ok("It is 68 °F.".to_owned()))), "{events:?}");
        assert_eq!(calls.load(Ordering::SeqCst), 2);
        let results = results(&second);
        assert_eq!(results.len(), 4, "{results:?}");
        assert_eq!((&*results[0], &*results[1]), (r#"{"data":"a"}"#, r#"{"data":"b"}"#));
        assert!(results[2].contains("not known whether it took effect"), "{results:?}");
        assert_eq!(results[3], r#"{"data":"d"}"#);
        assert_sound(&second);
    }

    async fn a_continued_turn_has_new_limits(store) {
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
        let model = scripted([PLAN, PLAN, PLAN, PLAN, ANSWER]);
        let stuck = Session::builder(Stuck(Arc::clone(&model), 2)).limits(SessionLimits { rounds: 3, ..SessionLimits::default() });
        let mut first = stuck.open(store.clone(), "talk").await.unwrap();
        stop(first.user("Q"), || model.requests().len() == 2).await;
        drop(first);
        let builder = Session::builder(Arc::clone(&model)).limits(SessionLimits { rounds: 3, ..SessionLimits::default() });
        let mut second = builder.open(store.clone(), "talk").await.unwrap();
        assert_eq!(second.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
        assert_eq!(model.requests().len(), 5);
    }

    async fn a_clone_writes_nothing(store) {
        let model = answers(&["1", "2", "3"]);
        let session = builder(&model).open(store.clone(), "talk").await.unwrap();
        let mut other = session.clone();
        assert_eq!(other.user("a").await.unwrap(), "1");
        assert_eq!(other.user("b").await.unwrap(), "2");
        assert!(store.runs(&RunFilter::default()).await.unwrap().is_empty());
        assert!(store.run(&"talk".parse::<RunId>().unwrap()).await.unwrap().is_none());
    }
}
