//! Cases of an eval that are made of runs.

use axum::http::StatusCode;
use cot_core::store::{ProcessDescription, Store};
use serde_json::{Value, json};

use crate::sections::world::{World, form};

#[tokio::test]
async fn a_run_is_downloaded_as_a_case() {
    let world = World::with_question("one").await;
    let page = world.get("/runs/one").await.html;
    assert!(page.contains("Make this a case"), "{page}");
    assert!(page.contains(r#"action="/runs/one/case""#), "{page}");
    let file = world.get("/runs/one/case?expected=").await;
    assert_eq!((file.status, file.html.lines().count()), (StatusCode::OK, 1));
    let case: Value = serde_json::from_str(&file.html).unwrap();
    let start = json!({ "topic": "cats", "text": "", "reviews": [] });
    assert_eq!(case, json!({ "name": "one", "state": start }));
}

#[tokio::test]
async fn a_case_has_what_would_be_right() {
    let world = World::with_question("one").await;
    let right = "{\n  \"text\": \"A poem.\",\n  \"stars\": [5]\n}";
    let right = form(&[("expected".to_owned(), right.to_owned())]);
    let file = world.get(&format!("/runs/one/case?{right}")).await;
    assert_eq!(file.html.lines().count(), 1, "{}", file.html);
    let case: Value = serde_json::from_str(&file.html).unwrap();
    assert_eq!(case["expected"], json!({ "text": "A poem.", "stars": [5] }));
    let refused = world.get("/runs/one/case?expected=refund").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.html.contains("is not JSON"), "{}", refused.html);
    assert_eq!(world.get("/runs/none/case").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_run_that_has_not_begun_is_no_case() {
    let world = World::new();
    world.submit("waiting", "dogs").await;
    assert!(!world.get("/runs/waiting").await.html.contains("Make this a case"));
    assert_eq!(world.get("/runs/waiting/case").await.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn private_fields_are_left_out_unless_they_are_asked_for() {
    let world = World::with_question("one").await;
    let known = world.store.process("Letters").await.unwrap().unwrap();
    let mut manifest = known.manifest.clone();
    manifest["trust"] = json!({ "private": ["topic"] });
    let marked = ProcessDescription::new("Letters", "marked", manifest);
    world.store.put_process(&marked).await.unwrap();
    let page = world.get("/runs/one").await.html;
    assert!(page.contains("With the private fields <code>topic</code>"), "{page}");
    let case = |file: &str| serde_json::from_str::<Value>(file).unwrap();
    let file = case(&world.get("/runs/one/case").await.html);
    assert_eq!((file["state"].get("topic"), &file["left_out"]), (None, &json!(["state.topic"])));
    let whole = case(&world.get("/runs/one/case?private=yes").await.html);
    assert_eq!((&whole["state"]["topic"], whole.get("left_out")), (&json!("cats"), None));
}
