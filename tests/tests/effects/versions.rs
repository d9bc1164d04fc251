//! Programs of two versions: a call with `effect: once` is open when the first one dies, and the second one migrates the
//! run.

use std::future;

use cot_core::{
    EffectError, FunctionError, Migration, ResumeOptions, prelude::*, store::MemoryStore,
};
use serde::{Deserialize, Serialize};

use super::{Bank, until_waiting};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Order {
    receipt: String,
}

mod first {
    use super::*;

    async fn pay(_: &Order, cx: &Cx<'_, Shop>) -> Result<String, FunctionError> {
        cx.app().receive(cx.call_key());
        future::pending().await
    }

    cot_process! {
        pub(super) process Shop {
            state: Order,
            context: Bank,

            task pay -> String {
                run: pay,
                effect: once,
                update: receipt,
                on: { interrupted => ask },
                next: done,
            }

            task ask { end }
            task done { end }
        }
    }
}

mod second {
    use super::*;

    async fn pay(_: &Order, cx: &Cx<'_, Shop>) -> Result<String, FunctionError> {
        cx.app().receive(cx.call_key());
        Ok("paid".to_owned())
    }

    cot_process! {
        pub(super) process Shop {
            state: Order,
            context: Bank,
            start: charge,

            task charge -> String {
                run: pay,
                effect: once,
                update: receipt,
                on: { interrupted => ask },
                next: done,
            }

            task ask { end }
            task done { end }
        }
    }
}

/// Kills the first version within its call, and resumes the run with the second one.
async fn resumed(
    migrate: impl Fn(&mut Migration) + Send + Sync + 'static,
) -> (u32, second::ShopOutcome) {
    let (store, bank) = (MemoryStore::default(), Bank::default());
    let runner = first::Shop::runner(bank.clone()).store(store.clone()).run_id("order");
    let mut run = runner.start(Order::default()).unwrap();
    until_waiting(&mut run);
    assert_eq!(bank.calls(), 1);
    drop(run);
    let options = ResumeOptions::new().migrate(move |run| {
        assert_eq!((run.task(), run.open_calls()), ("pay", 1));
        migrate(run);
        Ok(())
    });
    let runner = second::Shop::runner(bank.clone()).store(store).resume_options(options);
    let run = runner.resume("order").unwrap().finish().report().await.unwrap();
    (bank.calls(), run.outcome)
}

#[tokio::test]
async fn a_migration_that_drops_an_open_call_leaves_the_run_interrupted() {
    let moved = resumed(|run| run.move_to("charge")).await;
    assert_eq!(moved, (1, second::ShopOutcome::Ask));
    let unknown = resumed(|run| {
        run.move_to("charge");
        run.settle_calls(EffectError::Unknown);
    });
    assert_eq!(unknown.await, (1, second::ShopOutcome::Ask));
}

#[tokio::test]
async fn a_migration_can_say_what_became_of_an_open_call() {
    let again = resumed(|run| {
        run.settle_calls(EffectError::NotDone);
        run.move_to("charge");
    });
    assert_eq!(again.await, (2, second::ShopOutcome::Done));
    let done = resumed(|run| {
        run.settle_calls(EffectError::Done);
        run.state_mut()["receipt"] = "found at the bank".into();
        run.move_to("done");
    });
    assert_eq!(done.await, (1, second::ShopOutcome::Done));
}

#[tokio::test]
async fn a_renamed_task_keeps_its_open_call() {
    let renamed = resumed(|run| run.rename_task("pay", "charge")).await;
    assert_eq!(renamed, (1, second::ShopOutcome::Ask));
}
