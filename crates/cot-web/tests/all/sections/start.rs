//! Runs that are submitted through the page.

use axum::http::StatusCode;
use cot_core::store::{RunFilter, Store};

use crate::sections::world::World;

#[tokio::test]
async fn a_run_is_submitted_and_a_worker_begins_it() {
    let world = World::new();
    let changes = [
        ("process", "Letters"),
        ("name", "new"),
        ("state", r#"{ "topic": "cats" }"#),
        ("goal", "Be short."),
        ("calls", "5"),
        ("cost", "2.5"),
        ("seconds", "60"),
        ("steps", "10"),
    ];
    let stored = world.fill("/start", "/start", &changes).await;
    assert_eq!(stored.location, "/runs/new?done=submitted", "{}", stored.html);
    world.work().await;
    assert!(world.is_asking("new").await);
    assert!(world.get("/start").await.html.contains("Letters"));
    let like = world.get("/start?like=new").await.html;
    assert!(
        like.contains("Be short.") && like.contains(r#"value="Letters""#) && like.contains("cats"),
        "{like}"
    );
}

#[tokio::test]
async fn a_run_needs_a_process_a_state_and_numbers() {
    let world = World::new();
    let changes = [("name", "a b"), ("state", "{"), ("calls", "many"), ("cost", "-1")];
    let page = world.fill("/start", "/start", &changes).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    for issue in [
        "The run needs a process.",
        "This is not JSON: EOF while parsing an object at line 1 column 1.",
        "This is not a whole number.",
        "This is not a number from 0 to 10¹².",
        r#"value="many""#,
    ] {
        assert!(page.html.contains(issue), "{issue} in {}", page.html);
    }
    assert_eq!(world.store.runs(&RunFilter::default()).await.unwrap(), []);
    world.submit("taken", "cats").await;
    let page = world.fill("/start", "/start", &[("process", "Letters"), ("name", "taken")]).await;
    assert!(page.html.contains("A run has this name already."), "{}", page.html);
}

#[tokio::test]
async fn a_read_only_page_starts_nothing() {
    let world = World::new();
    let csrf = crate::sections::world::changed(
        &world.get("/start").await.html,
        "/start",
        &[("process", "Letters")],
    );
    let read_only = World::of(world.store.clone(), cot_web::Site::read_only);
    assert_eq!(read_only.post("/start", &csrf).await.status, StatusCode::FORBIDDEN);
    assert!(!read_only.get("/start").await.html.contains("Submit the run"));
    assert_eq!(world.store.runs(&RunFilter::default()).await.unwrap(), []);
}
