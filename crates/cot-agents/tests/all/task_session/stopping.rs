//! Turns that stop before their response.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use cot_model::{FinishReason, ModelError, ModelErrorKind};

use super::*;

#[tokio::test]
async fn rounds_are_limited_and_the_turn_can_go_on() {
    let mut replies = vec![PLAN.to_owned(); 3];
    replies.push(ANSWER.to_owned());
    let model = scripted(replies);
    let mut session = builder(&model)
        .limits(SessionLimits { rounds: 2, ..SessionLimits::default() })
        .build()
        .unwrap();
    let error = session.user("Q").await.unwrap_err();
    assert_eq!(error, SessionError::RoundLimit { limit: 2 });
    assert!(session.is_unfinished());
    assert_eq!(session.user("Q").await.unwrap_err(), SessionError::Unfinished);
    assert_eq!(session.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
    assert!(session.continue_turn().is_none() && !session.is_unfinished());
    assert_eq!(kinds(&session), ["system", "user", "plan", "plan", "plan", "response"]);
}

#[tokio::test]
async fn the_trace_is_limited() {
    let model = scripted([PLAN]);
    let mut session = builder(&model)
        .limits(SessionLimits { trace_bytes: 2_000, ..SessionLimits::default() })
        .build()
        .unwrap();
    let error = session.user("x".repeat(2_000)).await.unwrap_err();
    assert!(matches!(error, SessionError::TraceLimit { limit: 2_000, bytes } if bytes > 2_000));
    assert!(model.requests().is_empty());
    session.abandon();
    assert_eq!(kinds(&session), ["system"]);
}

#[tokio::test]
async fn a_model_that_fails_leaves_what_was_taken() {
    let failure = ModelError::new(ModelErrorKind::Connection, "gone");
    let replies = [
        Ok(ModelReply::new(format!("{PLAN}{CALL}"))),
        Err(failure.clone()),
        Ok(ModelReply::new(ANSWER)),
    ];
    let (mut session, _) = session(replies);
    assert_eq!(session.user("Q").await.unwrap_err(), SessionError::Model(failure));
    assert_eq!(kinds(&session), ["system", "user", "plan", "act", "result"]);
    assert_eq!(session.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
}

#[tokio::test]
async fn a_reply_that_is_cut_off_is_taken_as_far_as_it_is_complete() {
    let cut = |text: &str| ModelReply::new(text).finish(FinishReason::Length);
    let half = format!("{PLAN}act {{ call ↦ {{ tool ↦ get_weather • zip_code ↦ \"941");
    let (mut session, _) = session([cut(&half), CALL.into(), cut(ANSWER)]);
    assert_eq!(session.user("Q").await.unwrap(), "It is 68 °F.");
    assert_eq!(kinds(&session), ["system", "user", "plan", "act", "result", "response"]);
}

#[tokio::test]
async fn a_reply_that_is_cut_off_at_once_ends_the_turn() {
    for text in ["plan { todo ↦ { 1 ↦ \"Lo", "", "pl"] {
        let reply = ModelReply::new(text).finish(FinishReason::Length);
        let (mut session, model) = session([reply]);
        assert_eq!(session.user("Q").await.unwrap_err(), SessionError::Truncated, "{text}");
        assert_eq!((model.requests().len(), kinds(&session).len()), (1, 2));
    }
}

#[tokio::test]
async fn a_refusal_ends_the_turn() {
    let reply = ModelReply::new("I can't help.").finish(FinishReason::Refusal);
    let (mut session, _) = session([reply]);
    let error = session.user("Q").await.unwrap_err();
    assert_eq!(error.to_string(), "the model refused: I can't help.");
}

/// Repeats the same reply forever.
struct Endless(&'static str);

impl LanguageModel for Endless {
    fn reply<'a>(
        &'a self,
        _: &'a ModelRequest,
    ) -> cot_model::BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(std::future::pending())
    }

    fn stream<'a>(
        &'a self,
        _: &'a ModelRequest,
        sink: &'a cot_model::DeltaSink,
    ) -> cot_model::BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            loop {
                sink.push(self.0);
                tokio::task::yield_now().await;
            }
        })
    }
}

#[tokio::test]
async fn a_reply_that_never_ends_is_dropped() {
    for piece in ["act { think ↦ \"and ", "[", "「", "plan ", "\n", "no\n"] {
        let builder = Session::builder(Endless(piece)).limits(SessionLimits {
            reply_bytes: 2_000,
            retries: 1,
            ..SessionLimits::default()
        });
        let mut session = builder.build().unwrap();
        let events = events(session.user("Q")).await;
        let message = "the reply is longer than 2000 bytes: say less at once";
        assert_eq!(refused(&events).last(), Some(&(Code::OverLimit, message)), "{piece}");
        let Some(SessionEvent::Ended(Err(error))) = events.last() else { panic!("{events:?}") };
        assert!(matches!(error, SessionError::Refused { attempts: 2, .. }), "{error}");
    }
}

#[tokio::test]
async fn a_model_that_plans_for_ever_is_stopped_by_the_first_limit() {
    let builder = Session::builder(Endless(PLAN)).limits(SessionLimits {
        reply_bytes: 2_000,
        retries: 0,
        ..SessionLimits::default()
    });
    let mut session = builder.build().unwrap();
    assert!(session.user("Q").await.is_err());
    // Complete structures are accepted.
    assert!(kinds(&session).len() > 10);
}

#[tokio::test(start_paused = true)]
async fn a_reply_has_so_much_time() {
    struct Silent;
    impl LanguageModel for Silent {
        fn reply<'a>(
            &'a self,
            _: &'a ModelRequest,
        ) -> cot_model::BoxFuture<'a, Result<ModelReply, ModelError>> {
            Box::pin(std::future::pending())
        }
    }
    let builder = Session::builder(Silent).timeout(Duration::from_secs(5));
    let error = builder.build().unwrap().user("Q").await.unwrap_err();
    let SessionError::Model(error) = error else { panic!("{error}") };
    assert_eq!(error.kind(), &ModelErrorKind::Timeout);
    assert_eq!(error.to_string(), "no complete reply arrived within 5s");
}

/// Restarts its reply.
struct Restarting;

impl LanguageModel for Restarting {
    fn reply<'a>(
        &'a self,
        _: &'a ModelRequest,
    ) -> cot_model::BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Ok(ModelReply::new(format!("{PLAN}{ANSWER}"))) })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a cot_model::DeltaSink,
    ) -> cot_model::BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            sink.push("plan { rationale ↦ \"Void.\" }\n\nact { think ↦ ");
            tokio::task::yield_now().await;
            sink.restart();
            let reply = self.reply(request).await?;
            sink.push(&reply.text);
            Ok(reply)
        })
    }
}

#[tokio::test]
async fn what_a_reply_said_before_it_begins_again_is_void() {
    let mut session = Session::builder(Restarting).build().unwrap();
    let events = events(session.user("Q")).await;
    let blocks = |events: &[SessionEvent]| {
        events.iter().filter(|event| matches!(event, SessionEvent::Block(_))).count()
    };
    let restart = events.iter().position(|event| *event == SessionEvent::Restarted).unwrap();
    assert_eq!((blocks(&events[..restart]), blocks(&events[restart..])), (1, 2));
    assert_eq!(kinds(&session), ["system", "user", "plan", "response"]);
    assert!(!session.trace().to_string().contains("Void"));
}

/// Counts how often it is dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn dropping_a_turn_drops_its_calls_and_keeps_what_was_taken() {
    let call = |n| format!("call ↦ {{ tool ↦ wait • text ↦ \"t{n}\" • id ↦ c{n} }}");
    let act = format!("{PLAN}act {{ {} • {} }}", call(0), call(1));
    let model = scripted([act, ANSWER.to_owned()]);
    let (started, dropped) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (begins, drops) = (Arc::clone(&started), Arc::clone(&dropped));
    // The second call never returns when it is made first.
    let wait = move |said: Said| {
        let (count, guard) = (begins.fetch_add(1, Ordering::SeqCst), Dropped(Arc::clone(&drops)));
        async move {
            let _guard = guard;
            tokio::task::yield_now().await;
            if said.text == "t1" && count < 2 {
                std::future::pending::<()>().await;
            }
            Ok::<_, Infallible>(said.text)
        }
    };
    let mut session = builder(&model).tools(tools().tool("wait", "Waits", wait)).build().unwrap();
    let mut turn = session.user("Q");
    while let Some(event) = turn.next().await {
        if matches!(event, SessionEvent::Called { .. }) {
            break;
        }
    }
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
    drop(turn);
    assert_eq!((started.load(Ordering::SeqCst), dropped.load(Ordering::SeqCst)), (2, 2));
    assert_eq!(kinds(&session), ["system", "user", "plan", "act", "result"]);

    // Only the call without a result is repeated.
    assert_eq!(session.continue_turn().unwrap().await.unwrap(), "It is 68 °F.");
    assert_eq!(started.load(Ordering::SeqCst), 3);
    assert_eq!(kinds(&session), ["system", "user", "plan", "act", "result", "result", "response"]);
    assert_sound(&session);
}

#[tokio::test]
async fn a_turn_that_is_dropped_before_it_is_polled_asks_nothing() {
    let (mut session, model) = session([format!("{PLAN}{ANSWER}")]);
    drop(session.user("One"));
    assert!(model.requests().is_empty() && session.is_unfinished());
    session.abandon();
    session.abandon();
    assert!(!session.is_unfinished());
    assert_eq!(session.user("Two").await.unwrap(), "It is 68 °F.");
    assert!(session.trace().to_string().contains("user「Two」 🏷 usr1"));
}

#[tokio::test]
async fn a_reply_that_is_dropped_half_way_is_asked_for_again() {
    let replies = [PLAN.to_owned(), format!("{PLAN}{ANSWER}")];
    let model = Arc::new(ScriptedModel::new(replies).streaming(10));
    let mut session = builder(&model).build().unwrap();
    let mut turn = session.user("Q");
    while !matches!(turn.next().await, Some(SessionEvent::Delta(_))) {}
    drop(turn);
    assert_eq!(kinds(&session), ["system", "user"]);
    session.continue_turn().unwrap().await.unwrap();
    assert_eq!(kinds(&session), ["system", "user", "plan", "response"]);
}
