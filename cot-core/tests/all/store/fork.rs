use std::time::SystemTime;

use cot_core::{
    RunError,
    store::{Fork, Origin, RunFilter, RunId, Store, StoreError},
};
use serde_json::json;

use crate::store::process::{Name, finished, go, history, mark, name, runner, said};

fn id(name: &str) -> RunId {
    name.parse().unwrap()
}

#[tokio::test]
async fn a_fork_goes_on_from_a_step_with_another_state() {
    let (store, run) = finished().await;
    let before = history(&store, &run).await;
    let fork = Fork::new(run.clone()).at(4).change_state(|state| {
        state["names"][1]["name"] = json!("Clara");
    });
    fork.create(&store, &id("fork"), SystemTime::now()).await.unwrap();

    let summary = store.run(&id("fork")).await.unwrap().unwrap();
    assert_eq!(summary.origin, Some(Origin { run: run.clone(), steps: 4 }));
    assert_eq!((summary.steps, summary.is_driven, summary.entries), (4, false, 1));
    assert_eq!(summary.process, "Letters");
    assert_eq!(summary.usage.calls, 6);

    let replies = vec![go("add"), go("write"), said("a"), said("b"), mark(3), mark(4), mark(5)];
    let done = runner(&store, replies, vec![name("Dora")]).resume("fork").unwrap().await.unwrap();
    let names: Vec<Name> = done.state.names;
    let names: Vec<&str> = names.iter().map(|name| &*name.name).collect();
    assert_eq!(names, ["Anna", "Clara", "Dora"]);
    assert_eq!(history(&store, &run).await, before, "the original is untouched");

    let told = history(&store, &id("fork")).await;
    let steps: Vec<_> = told.steps.iter().map(|step| (step.step, &*step.task)).collect();
    assert_eq!(steps[..2], [(5, "decide"), (6, "add")]);
    assert!(told.to_string().contains("a fork of letter at step 4"), "{told}");
}

#[tokio::test]
async fn a_fork_takes_another_goal() {
    let (store, run) = finished().await;
    Fork::new(run)
        .at(1)
        .goal("A novel")
        .create(&store, &id("fork"), SystemTime::now())
        .await
        .unwrap();
    let replies = vec![go("write"), said("a"), said("b")];
    runner(&store, replies, vec![name("Eva")])
        .resume("fork")
        .unwrap()
        .finish()
        .report()
        .await
        .unwrap();
    let told = history(&store, &id("fork")).await;
    let prompt = told.steps[0].attempts[0].prompt.as_ref().unwrap().prompt();
    assert!(prompt.contains("For A novel: a name."), "{prompt}");
}

#[tokio::test]
async fn a_fork_of_a_fork_begins_where_that_does() {
    let (store, run) = finished().await;
    Fork::new(run.clone()).at(4).create(&store, &id("fork"), SystemTime::now()).await.unwrap();
    let early = Fork::new(id("fork"))
        .at(3)
        .create(&store, &id("again"), SystemTime::now())
        .await
        .unwrap_err();
    assert_eq!(
        early.to_string(),
        "there is no step 3 in the journal of run `fork`, which has 4 to 4"
    );
    Fork::new(id("fork")).create(&store, &id("again"), SystemTime::now()).await.unwrap();
    let again = store.run(&id("again")).await.unwrap().unwrap();
    assert_eq!(again.origin, Some(Origin { run: id("fork"), steps: 4 }));
}

#[tokio::test]
async fn what_can_not_be_forked_is_refused() {
    let (store, run) = finished().await;
    let exists =
        Fork::new(run.clone()).at(1).create(&store, &run, SystemTime::now()).await.unwrap_err();
    assert_eq!(exists.to_string(), "there is a run `letter` already");
    let late = Fork::new(run.clone())
        .at(99)
        .create(&store, &id("fork"), SystemTime::now())
        .await
        .unwrap_err();
    assert!(
        matches!(late, StoreError::UnknownStep { step: 99, first: 0, last: 10, .. }),
        "{late:?}"
    );
    let none =
        Fork::new(id("none")).create(&store, &id("fork"), SystemTime::now()).await.unwrap_err();
    assert!(matches!(none, StoreError::UnknownRun { .. }), "{none:?}");
    let lease = store.acquire(&id("fork")).await.unwrap();
    let driven = Fork::new(run).create(&store, &id("fork"), SystemTime::now()).await.unwrap_err();
    assert!(matches!(driven, StoreError::Leased { .. }), "{driven:?}");
    drop(lease);
    assert_eq!(store.runs(&RunFilter::default()).await.unwrap().len(), 1, "nothing was made");
}

#[tokio::test]
async fn a_state_that_is_none_shows_when_the_fork_goes_on() {
    let (store, run) = finished().await;
    let fork = Fork::new(run).at(2).change_state(|state| state["names"] = json!("Anna"));
    fork.create(&store, &id("fork"), SystemTime::now()).await.unwrap();
    let error = runner(&store, vec![], vec![]).resume("fork").unwrap().await.unwrap_err();
    assert!(matches!(error, RunError::Snapshot(_)), "{error:?}");
    assert!(error.to_string().contains("names"), "{error}");
}
