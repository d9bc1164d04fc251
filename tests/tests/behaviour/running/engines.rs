//! Engines that fail over to others, cost something, or take few calls at once.

use std::time::Duration;

use cot_core::{
    Budget, Fallback, HaltReason, Usage,
    model::{FinishReason, ModelError, ModelErrorKind, ModelExt, ModelReply, Price, ScriptedModel},
    prelude::*,
};
use tokio::time::{Instant, sleep};

use super::{
    Asked,
    each::{List, Read},
    note, shown,
};
use crate::drive::Note;

cot_process! {
    pub(crate) process Backed {
        state: List,
        model: ["small", "middle", "large"],

        task write -> Note { timeout: 10s, update: { notes[] = output }, next: done }
        task done { end }
    }
}

fn dead() -> Asked {
    Asked::new(|_| async { Err(ModelError::new(ModelErrorKind::Connection, "the line is dead")) })
}

fn refusing() -> Asked {
    let refusal = ModelReply::new("no").finish(FinishReason::Refusal);
    Asked::new(move |_| std::future::ready(Ok(refusal.clone())))
}

fn backed(small: &Asked, middle: &Asked, large: &Asked) -> Runner<Backed> {
    Backed::runner()
        .engine("small", small.clone())
        .engine("middle", middle.clone())
        .engine("large", large.clone())
}

#[tokio::test]
async fn the_next_engine_is_asked_when_one_is_out_of_reach() {
    let (small, middle, large) = (dead(), dead(), Asked::always(note("large")));
    let run = backed(&small, &middle, &large).run(List::default()).await.unwrap();
    assert_eq!(run.state.notes[0].text, "large");
    assert_eq!([small, middle, large].map(|model| model.calls.all()), [1, 1, 1]);
}

#[tokio::test]
async fn when_no_engine_is_in_reach_all_attempts_are_told() {
    let (small, middle, large) = (dead(), dead(), dead());
    let run = backed(&small, &middle, &large).report(List::default()).await.unwrap();
    let BackedOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    assert!(matches!(halt.reason, HaltReason::Unreachable(_)));
    let engines: Vec<_> =
        halt.attempts.iter().map(|attempt| attempt.engine.as_deref().unwrap_or("")).collect();
    assert_eq!(engines, ["small", "middle", "large"]);
}

#[tokio::test]
async fn a_refusal_falls_back_only_where_the_runner_says_so() {
    let (small, middle, large) = (refusing(), Asked::always(note("middle")), dead());
    let runner = backed(&small, &middle, &large);
    let run = runner.report(List::default()).await.unwrap();
    assert!(shown(&run.outcome).contains("Refused"), "{:?}", run.outcome);
    assert_eq!(middle.calls.all(), 0);
    let run = runner.fallback(Fallback::Refused).report(List::default()).await.unwrap();
    assert_eq!((shown(&run.outcome), middle.calls.all()), ("Done".into(), 1));
}

#[tokio::test]
async fn costs_of_priced_models_count_towards_the_budget() {
    let model = ScriptedModel::from_fn(|_| {
        ModelReply::from(note("a")).usage(Usage::for_call(1_000, 1_000))
    });
    // Half a unit a call: the budget is used up by the fourth.
    let model = model.priced(Price::per_million(300.0, 200.0));
    let budget = Budget { cost: Some(2.0), ..Budget::default() };
    let runner = Read::runner().model(model).budget(budget);
    let run = runner.report(List::new(3)).await.unwrap();
    assert_eq!((shown(&run.outcome), run.usage.cost), ("Done".into(), 2.0));
    let run = runner.report(List::new(4)).await.unwrap();
    assert!(shown(&run.outcome).contains("Budget"), "{:?}", run.outcome);
    assert_eq!((run.usage.calls, run.state.notes.len()), (4, 4));
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_model_holds_for_all_runs_together() {
    let model = Asked::new(|_| async {
        sleep(Duration::from_secs(1)).await;
        Ok(note("a").into())
    });
    let runner = Read::runner().model(model.clone().limited(10));
    let began = Instant::now();
    let runs: Vec<_> = (0..20).map(|_| tokio::spawn(runner.run(List::new(9)))).collect();
    for run in runs {
        assert_eq!(run.await.unwrap().unwrap().state.notes.len(), 10);
    }
    assert_eq!((model.calls.most(), model.calls.all()), (10, 200));
    assert_eq!(began.elapsed(), Duration::from_secs(20));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_run_gives_its_turns_back() {
    let never = Asked::never();
    let limited = never.clone().limited(7);
    let first = Read::runner().model(limited.clone()).start(List::new(9)).unwrap();
    let handle = first.handle();
    let first = tokio::spawn(first.finish().report());
    while never.calls.now() < 7 {
        tokio::task::yield_now().await;
    }
    let second = tokio::spawn(Read::runner().model(limited).run(List::new(9)));
    for _ in 0..5 {
        tokio::task::yield_now().await;
    }
    assert_eq!((never.calls.now(), never.calls.all()), (7, 7));
    handle.cancel("enough");
    first.await.unwrap().unwrap();
    while never.calls.all() < 14 {
        tokio::task::yield_now().await;
    }
    assert_eq!(never.calls.now(), 7);
    second.abort();
}
