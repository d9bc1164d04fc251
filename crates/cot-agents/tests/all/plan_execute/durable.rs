//! Runs that outlive their program, and calls that are made once.

use std::{
    convert::Infallible,
    future,
    sync::atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    Approval, Budget, CotOutput, Question, RunError,
    model::{BoxFuture, ModelError, ModelRequest},
    store::{MemoryStore, Status, Store},
    tools::{Tool, ToolSet},
};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// A number to book.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Booking {
    number: u32,
}

/// A model that never answers after so many replies.
struct Stuck(Arc<ScriptedModel>, usize);

impl cot_core::LanguageModel for Stuck {
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

fn booking(number: u32) -> Value {
    json!({ "todos": "- [ ] a\n- [ ] b", "action": "book", "arguments": { "number": number } })
}

/// A chain with a tool that counts its calls.
fn booking_chain(
    model: impl cot_core::LanguageModel + 'static,
    calls: &Arc<AtomicUsize>,
    set: impl Fn(Tool) -> Tool,
) -> ChainOfThought {
    let calls = Arc::clone(calls);
    let book = Tool::new("book", "Books", move |booking: Booking| {
        calls.fetch_add(1, Ordering::SeqCst);
        async move { Ok::<_, Infallible>(booking.number) }
    });
    let model = Arc::new(model);
    ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model))
        .tools(ToolSet::new().add(set(book)))
}

#[tokio::test]
async fn a_stored_run_goes_on_after_each_death() {
    let store = MemoryStore::default();
    let script = [booking(1), work("a"), booking(2), work("b"), stop()];
    let script = Arc::new(ScriptedModel::new(script));
    let calls = Arc::new(AtomicUsize::new(0));
    // Each program dies in the middle of a call of the model.
    for replies in 1..5 {
        let stuck = Stuck(Arc::clone(&script), replies);
        let chain =
            booking_chain(stuck, &calls, Tool::once).configure(stored(store.clone(), "chain"));
        let mut context = Context::new("Q");
        assert_eq!(chain.run(&mut context).now_or_never(), None, "{replies}");
        assert_eq!(script.requests().len(), replies);
    }
    let observed = Arc::new(std::sync::Mutex::new(Vec::new()));
    let list = Arc::clone(&observed);
    let chain = booking_chain(Arc::clone(&script), &calls, Tool::once)
        .configure(stored(store.clone(), "chain"))
        .observe(move |progress| list.lock().unwrap().push(progress.clone()));
    let mut context = Context::default();
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.question.as_str(), context.answer.as_deref()), ("Q", Some("42")));
    assert_eq!((context.work.len(), context.usage.calls, calls.load(Ordering::SeqCst)), (5, 5, 2));
    assert_eq!(script.requests().len(), 5);
    assert!(matches!(
        observed.lock().unwrap()[..],
        [Progress::Worked { step: 4, .. }, Progress::Ended { .. }]
    ));
    // A run that has ended has its result again, and calls nothing.
    let mut again = Context::default();
    chain.run(&mut again).await.unwrap();
    assert_eq!((again, script.requests().len()), (context, 5));
}

#[tokio::test]
async fn a_stored_run_that_halted_goes_on_with_the_next_call() {
    let store = MemoryStore::default();
    let mut context = Context::new("Q");
    let (first, _) = chain([plan()]);
    let error =
        first.configure(stored(store.clone(), "chain")).run(&mut context).await.unwrap_err();
    assert!(matches!(error, ChainError::Model(_)), "{error}");
    let (second, model) = chain([stop()]);
    second.configure(stored(store, "chain")).run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), model.requests().len()), (Some("42"), 1));
}

#[tokio::test]
async fn a_run_continues_with_the_prompts_and_tools_of_the_present_program() {
    let store = MemoryStore::default();
    let script = Arc::new(ScriptedModel::new([plan(), booking(3), stop()]));
    let calls = Arc::new(AtomicUsize::new(0));
    for replies in 0..2 {
        let stuck = Stuck(Arc::clone(&script), replies);
        let chain =
            booking_chain(stuck, &calls, |tool| tool).configure(stored(store.clone(), "chain"));
        assert_eq!(chain.run(&mut Context::new("Q")).now_or_never(), None);
    }
    let mut chain = booking_chain(Arc::clone(&script), &calls, Tool::once);
    chain.execute = chain.execute.with_prompt("Other {context}");
    let mut context = Context::default();
    chain.configure(stored(store, "chain")).run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), calls.load(Ordering::SeqCst)), (Some("42"), 1));
    assert!(system(&script, 1).starts_with("Other The tasks:\n- [ ] a"));
}

#[tokio::test]
async fn a_stored_run_keeps_its_limits() {
    let store = MemoryStore::default();
    let budget = Budget { calls: Some(2), ..Budget::NONE };
    let (chain, model) = chain([plan(), work("a"), stop()]);
    let chain = chain
        .configure(move |runner| runner.budget(budget))
        .configure(stored(store.clone(), "chain"));
    let mut context = Context::new("Q");
    for _ in 0..2 {
        assert_eq!(chain.run(&mut context).await, Err(ChainError::Budget(budget)));
        assert_eq!((context.work.len(), model.requests().len()), (1, 2));
    }
    chain.configure(stored(store, "chain-2")).run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), context.work.len()), (Some("42"), 2));
}

#[tokio::test]
async fn a_tool_that_is_gone_after_a_restart_is_answered_so() {
    let store = MemoryStore::default();
    let stuck = Tool::new("book", "Books", async |_: Booking| {
        future::pending::<Result<(), Infallible>>().await
    });
    let (first, model) = chain([booking(1), stop()]);
    let first = first.tools(ToolSet::new().add(stuck)).configure(stored(store.clone(), "chain"));
    assert_eq!(first.run(&mut Context::new("Q")).now_or_never(), None);
    let second = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
    let mut context = Context::default();
    second.configure(stored(store, "chain")).run(&mut context).await.unwrap();
    let Work::Tool { name, result, .. } = &context.work[0] else { panic!("{context:?}") };
    assert_eq!((name.as_str(), context.answer.as_deref()), ("book", Some("42")));
    assert!(result.as_ref().unwrap_err().starts_with("there are no tools"), "{result:?}");
}

#[tokio::test]
async fn a_call_that_is_made_once_is_not_repeated() {
    let store = MemoryStore::default();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let book = Tool::new("book", "Books", move |_: Booking| {
        counted.fetch_add(1, Ordering::SeqCst);
        future::pending::<Result<(), Infallible>>()
    });
    let (chain, _) = chain([booking(1), stop()]);
    let stored = chain.tools(ToolSet::new().add(book.once())).configure(stored(store, "chain"));
    assert_eq!(stored.run(&mut Context::new("Q")).now_or_never(), None);
    let mut context = Context::default();
    // The run continues, and the model knows of the call.
    stored.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), calls.load(Ordering::SeqCst)), (Some("42"), 1));
    assert!(context.progress().contains("failed: it is not known whether the call took effect"));
}

#[tokio::test]
async fn a_person_approves_a_call() {
    let calls = Arc::new(AtomicUsize::new(0));
    for (approved, made) in [(false, 0), (true, 1)] {
        let model = ScriptedModel::new([booking(7), stop()]);
        let chain = booking_chain(model, &calls, |tool| tool.once().approved());
        let person = move |question: Arc<Question>| async move {
            assert!(question.text.contains("book") && question.text.contains('7'));
            if approved { Approval::approve() } else { Approval::deny("too dear") }
        };
        let chain = chain.configure(move |runner| runner.person(person));
        let mut context = Context::new("Q");
        chain.run(&mut context).await.unwrap();
        assert_eq!(calls.load(Ordering::SeqCst), made);
        let Work::Tool { result, .. } = &context.work[0] else { panic!("{context:?}") };
        assert_eq!(result.is_ok(), approved, "{result:?}");
        assert!(approved || result.as_ref().unwrap_err().contains("too dear"));
    }
}

#[tokio::test]
async fn an_approval_comes_through_the_store() {
    let calls = Arc::new(AtomicUsize::new(0));
    let model = Arc::new(ScriptedModel::new([booking(7), stop()]));
    let chain = booking_chain(Arc::clone(&model), &calls, Tool::approved);
    let error = chain.run(&mut Context::new("Q")).await.unwrap_err();
    let ChainError::Run(cause) = &error else { panic!("{error}") };
    assert!(matches!(**cause, RunError::NobodyAnswers { .. }), "{cause:?}");
    assert!(model.requests().is_empty());

    let store = MemoryStore::default();
    let chain = chain.configure(stored(store.clone(), "chain"));
    assert_eq!(chain.run(&mut Context::new("Q")).now_or_never(), None);
    let run = store.run(&"chain".parse().unwrap()).await.unwrap().unwrap();
    let Status::Asking { key, .. } = &run.status else { panic!("{run:?}") };
    store.put_answer(&run.run, key, json!({ "approved": true })).await.unwrap();
    let mut context = Context::default();
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), calls.load(Ordering::SeqCst)), (Some("42"), 1));
}

#[tokio::test]
async fn a_run_id_that_is_none_is_an_error() {
    let (chain, model) = chain([plan(), stop()]);
    let chain = chain.configure(stored(MemoryStore::default(), "no name / of a run\n"));
    let error = chain.run(&mut Context::new("Q")).await.unwrap_err();
    let ChainError::Run(cause) = &error else { panic!("{error}") };
    assert!(matches!(**cause, RunError::RunId(_)), "{cause:?}");
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), cause.to_string());
    assert!(model.requests().is_empty());
}
