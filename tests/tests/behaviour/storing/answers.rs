//! Answers that the rules of their type refuse are refused where they are given.

use cot_core::{
    CallKey,
    prelude::*,
    store::{MemoryStore, RunId, Status, Store, StoreError},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Verdict {
    pub(crate) is_good: bool,
    #[cot(when = !self.is_good, required)]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Letter {
    verdicts: Vec<Verdict>,
}

cot_process! {
    pub(crate) process Reviewing {
        state: Letter,
        task ask -> Verdict { ask: "Is it good?", update: verdicts[], next: done }
        task done { end }
    }
}

cot_process! {
    pub(crate) process Sending {
        state: Letter,

        task review {
            process: Reviewing with Letter::default(),
            process_output: reviewed,
            next: done,
        }

        task done { end }
    }
}

fn reviewed(of: &Letter, letter: &mut Letter) {
    letter.verdicts.clone_from(&of.verdicts);
}

/// Until somebody is asked, with the key of the question.
async fn asked(store: &MemoryStore, run: &RunId) -> CallKey {
    loop {
        tokio::task::yield_now().await;
        let summary = store.run(run).await.unwrap();
        if let Some(Status::Asking { key, .. }) = summary.map(|summary| summary.status) {
            return key;
        }
    }
}

#[tokio::test]
async fn the_rules_of_a_type_hold_where_an_answer_is_given() {
    let store = MemoryStore::default();
    let id: RunId = "letter".parse().unwrap();
    let runner = Sending::runner().store(store.clone()).run_id("letter");
    let run = tokio::spawn(runner.run(Letter::default()));
    let key = asked(&store, &id).await;
    let wrong = store.put_answer(&id, &key, json!({ "is_good": false })).await.unwrap_err();
    let StoreError::InvalidAnswer { issues, .. } = &wrong else { panic!("{wrong}") };
    assert!(issues.to_string().contains("$.reason"), "{issues}");
    assert!(!store.run(&id).await.unwrap().unwrap().is_answered);
    let right = json!({ "is_good": false, "reason": "too long" });
    store.put_answer(&id, &key, right).await.unwrap();
    assert_eq!(run.await.unwrap().unwrap().state.verdicts[0].reason.as_deref(), Some("too long"));
}
