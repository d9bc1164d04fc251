//! A task that has another name in a later version keeps the keys of its calls, its answers and its deadline.

use cot_core::{
    Process, ResumeOptions, Runner,
    prelude::*,
    store::{MemoryStore, Status, Store},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::until_waiting;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Letter {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Decision {
    text: String,
}

mod first {
    use super::*;

    cot_process! {
        pub(super) process Review {
            state: Letter,

            task ask -> Decision {
                title: "Decide",
                ask: "Is it right?",
                timeout: 2h,
                update: { text = output.text },
                on: { timeout => late },
                next: done,
            }

            task late { end }
            task done { end }
        }
    }
}

mod second {
    use super::*;

    cot_process! {
        pub(super) process Review {
            state: Letter,

            task confirm -> Decision {
                title: "Decide",
                ask: "Is it right?",
                timeout: 2h,
                update: { text = output.text },
                on: { timeout => late },
                next: done,
            }

            task late { end }
            task done { end }
        }
    }
}

async fn asked(store: &MemoryStore) -> Status {
    store.run(&"letter".parse().unwrap()).await.unwrap().unwrap().status
}

fn runner<P: Process<Context = (), State = Letter>>(store: &MemoryStore) -> Runner<P> {
    let options = ResumeOptions::new().migrate(|run| {
        run.rename_task("ask", "confirm");
        Ok(())
    });
    Runner::new().store(store.clone()).run_id("letter").resume_options(options)
}

#[tokio::test]
async fn a_question_keeps_its_key_its_answer_and_its_deadline() {
    let store = MemoryStore::default();
    let mut run = runner::<first::Review>(&store).start(Letter::default()).unwrap();
    until_waiting(&mut run);
    drop(run);
    let Status::Asking { key, since, until, .. } = asked(&store).await else { panic!() };
    // The next version drives the run before it is answered.
    let mut run = runner::<second::Review>(&store).resume("letter").unwrap();
    until_waiting(&mut run);
    drop(run);
    let Status::Asking { task, key: again, since: from, until: to, .. } = asked(&store).await
    else {
        panic!()
    };
    assert_eq!((&*task, &again, from, to), ("confirm", &key, since, until));
    store.put_answer(&"letter".parse().unwrap(), &key, json!({ "text": "yes" })).await.unwrap();
    let run = runner::<second::Review>(&store).resume("letter").unwrap().await.unwrap();
    assert_eq!(run.state.text, "yes");
}

#[tokio::test]
async fn an_answer_that_was_stored_under_the_old_name_is_taken() {
    let store = MemoryStore::default();
    let mut run = runner::<first::Review>(&store).start(Letter::default()).unwrap();
    until_waiting(&mut run);
    drop(run);
    let Status::Asking { key, .. } = asked(&store).await else { panic!() };
    store.put_answer(&"letter".parse().unwrap(), &key, json!({ "text": "yes" })).await.unwrap();
    let run = runner::<second::Review>(&store).resume("letter").unwrap().await.unwrap();
    assert_eq!(run.state.text, "yes");
}
