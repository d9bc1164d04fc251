//! Forks from every step, with states that fit and others; retry and cancel.

use axum::http::StatusCode;
use cot_core::store::{EndKind, Status, Store};
use serde_json::json;

use crate::sections::world::World;

/// A world with a run that has ended.
async fn ended() -> World {
    let world = World::with_question("one").await;
    answer(&world, "one").await;
    world
}

async fn answer(world: &World, run: &str) {
    let Status::Asking { key, .. } = world.summary(run).await.status else {
        panic!("{run} asks nothing")
    };
    let review = json!({ "stars": 5, "lines": [], "decision": { "kind": "print", "copies": 1 } });
    world.store.put_answer(&run.parse().unwrap(), &key, review).await.unwrap();
    world.work().await;
}

#[tokio::test]
async fn a_run_is_forked_at_every_step_and_runs_on() {
    let world = ended().await;
    let steps = world.summary("one").await.steps;
    assert_eq!(steps, 3);
    for at in 0..=steps {
        let page = format!("/runs/one/fork?at={at}");
        let shown = world.get(&page).await;
        assert!(shown.html.contains(&format!(r#"value="one-at-{at}""#)), "{}", shown.html);
        let made = world.fill(&page, "/runs/one/fork", &[]).await;
        let name = format!("one-at-{at}");
        assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.html);
        assert!(made.location.contains(&name), "{}", made.location);
        world.work().await;
        if world.is_asking(&name).await {
            answer(&world, &name).await;
        }
        let fork = world.summary(&name).await;
        assert!(fork.status.is_ended(), "{fork}");
        assert_eq!(world.state(&name).await, world.state("one").await, "at {at}");
    }
    assert!(world.get("/runs/one/fork?at=0").await.html.contains(r#"value="one-at-0-2""#));
}

#[tokio::test]
async fn a_fork_has_the_state_that_was_entered() {
    let world = ended().await;
    let state = r#"{ "topic": "dogs" }"#;
    let changes = [("name", "dogs"), ("state", state), ("goal", "A short one.")];
    let made = world.fill("/runs/one/fork?at=0", "/runs/one/fork", &changes).await;
    assert_eq!(made.location, "/runs/dogs?done=forked");
    world.work().await;
    assert_eq!(world.state("dogs").await.text, "A draft about dogs.");
    assert_eq!(world.state("one").await.topic, "cats");
}

#[tokio::test]
async fn a_question_is_asked_again_by_a_fork() {
    let world = ended().await;
    let page = world.get("/runs/one/fork?at=1").await;
    assert!(page.html.contains("the fork asks again"), "{}", page.html);
    world.fill("/runs/one/fork?at=1", "/runs/one/fork", &[("name", "again")]).await;
    world.work().await;
    let Status::Asking { key, .. } = world.summary("again").await.status else { panic!("it asks") };
    let other = json!({ "stars": 2, "lines": [], "decision": { "kind": "again", "why": "dull" } });
    world.store.put_answer(&"again".parse().unwrap(), &key, other).await.unwrap();
    world.work().await;
    assert_eq!(world.state("again").await.reviews[0].stars, 2);
}

#[tokio::test]
async fn what_can_not_be_forked_is_said_at_its_field() {
    let world = ended().await;
    let changes = [("name", "one"), ("state", "{\n  \"topic\": cats\n}")];
    let page = world.fill("/runs/one/fork?at=1", "/runs/one/fork", &changes).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        page.html.contains("This is not JSON: expected value at line 2 column 12."),
        "{}",
        page.html
    );
    assert!(page.html.contains("&quot;topic&quot;: cats"), "{}", page.html);
    for (name, issue) in
        [("one", "A run has this name already."), ("", "The fork needs a name."), ("a b", "a b")]
    {
        let page = world.fill("/runs/one/fork", "/runs/one/fork", &[("name", name)]).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.html.contains(issue), "{issue} in {}", page.html);
    }
    assert_eq!(world.get("/runs/one/fork?at=9").await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.get("/runs/one/fork?at=x").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(world.get("/runs/none/fork").await.status, StatusCode::NOT_FOUND);
    world.submit("queued", "cats").await;
    assert_eq!(world.get("/runs/queued/fork").await.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_fork_whose_state_does_not_fit_is_set_aside_and_put_back() {
    let world = ended().await;
    let changes = [("name", "odd"), ("state", r#"{ "topic": 7 }"#)];
    let made = world.fill("/runs/one/fork?at=1", "/runs/one/fork", &changes).await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.html);
    world.work().await;
    assert!(world.summary("odd").await.set_aside.is_some());
    let back = world.press("/runs/odd/retry").await;
    assert_eq!(back.location, "/runs/odd?done=retried");
    assert!(world.summary("odd").await.set_aside.is_none());
    let again = world.press("/runs/odd/retry").await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(again.html.contains("is not set aside"), "{}", again.html);
}

#[tokio::test]
async fn a_run_is_cancelled_with_a_reason() {
    let world = World::with_question("one").await;
    let done =
        world.fill("/runs/one/cancel", "/runs/one/cancel", &[("reason", "no longer needed")]).await;
    assert_eq!(done.location, "/runs/one?done=cancelled");
    assert!(world.summary("one").await.cancel_requested.is_some());
    world.work().await;
    let Status::Ended { how, why, .. } = world.summary("one").await.status else {
        panic!("it ended")
    };
    assert_eq!(how, EndKind::Halted);
    assert!(why.contains("no longer needed"), "{why}");
    let again = world.press("/runs/one/cancel").await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(again.html.contains("has ended already"), "{}", again.html);
    assert_eq!(world.press("/runs/none/cancel").await.status, StatusCode::NOT_FOUND);
}
