//! Questions to people: the inbox, forms, answers that are wrong, late, or given twice.

use std::time::{Duration, SystemTime};

use axum::http::StatusCode;
use cot_core::store::{MemoryStore, Status, Store};
use serde_json::json;

use crate::sections::world::{Desk, Received, World, changed, post_office};

const FORM: &str = "/people/one";

/// The review with one line and a decision, as a person enters it without a script: a button, then the fields.
async fn enter(world: &World, changes: &[(&str, &str)]) -> Received {
    let row = world.fill(FORM, FORM, &[("do", "add:/lines/")]).await;
    let variant = changed(&row.html, FORM, &[("as:/decision/", "0"), ("do", "switch:")]);
    let page = world.post(FORM, &variant).await;
    assert_eq!(page.status, StatusCode::OK);
    let right = [
        ("v:/stars/", "4"),
        ("v:/lines/0/number/", "7"),
        ("v:/lines/0/text/", "Too long."),
        ("v:/decision/~v/copies/", "100"),
        ("do", "send"),
    ];
    let mut fields = changed(&page.html, FORM, &right);
    for (name, value) in changes {
        fields.iter_mut().find(|(field, _)| field == name).unwrap().1 = (*value).to_owned();
    }
    world.post(FORM, &fields).await
}

#[tokio::test]
async fn the_inbox_lists_questions_by_urgency() {
    let world = World::with_question("one").await;
    let inbox = world.get("/people").await;
    assert!(inbox.html.contains("Is this letter good? A draft about cats."), "{}", inbox.html);
    assert!(inbox.html.contains(r#"href="/people/one""#) && inbox.html.contains("1 question"));
    let none = world.get("/people?q=nothing-like-this").await;
    assert!(none.html.contains("No question matches."));
    assert!(World::new().get("/people").await.html.contains("Nobody is asked anything."));
}

#[tokio::test]
async fn a_right_answer_continues_the_run() {
    let world = World::with_question("one").await;
    let stored = enter(&world, &[]).await;
    assert_eq!(
        (stored.status, stored.location.as_str()),
        (StatusCode::SEE_OTHER, "/runs/one?done=answered")
    );
    assert!(world.summary("one").await.is_answered);
    assert!(world.get("/people").await.html.contains("answered"));
    world.work().await;
    assert!(world.summary("one").await.status.is_ended());
    let review = json!({ "stars": 4, "lines": [{ "number": 7, "text": "Too long." }],
        "decision": { "kind": "print", "copies": 100 } });
    assert_eq!(serde_json::to_value(&world.state("one").await.reviews).unwrap(), json!([review]));
}

#[tokio::test]
async fn a_wrong_answer_is_shown_again_with_issues_at_its_fields() {
    let world = World::with_question("one").await;
    let wrong = [("v:/stars/", "9"), ("v:/lines/0/number/", "seven"), ("v:/lines/0/text/", "")];
    let page = enter(&world, &wrong).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    for part in [
        r##"<a href="#field-stars">Stars: "##,
        r##"<a href="#field-lines-0-number">Lines › 1 › Number: "##,
        r##"<a href="#field-lines-0-text">Lines › 1 › Text: is required</a>"##,
        r#"value="seven""#,
        "Too long",
    ] {
        assert_eq!(page.html.contains(part), part != "Too long", "{part}\n{}", page.html);
    }
    assert!(world.is_asking("one").await && !world.summary("one").await.is_answered);
}

#[tokio::test]
async fn what_the_process_rejects_is_entered_again() {
    let world = World::with_question("one").await;
    let stored = enter(&world, &[("v:/stars/", "1")]).await;
    assert_eq!(stored.status, StatusCode::SEE_OTHER);
    world.work().await;
    assert!(world.is_asking("one").await);
    assert!(world.get("/people").await.html.contains("rejected with 1 issue"));
    let page = world.get(FORM).await;
    for part in [
        "The answer before was rejected",
        r##"<a href="#field-remark">Remark: say why there is one star only</a>"##,
        r#"name="v:/decision/~v/copies/" type="text" inputmode="decimal" value="100""#,
        "Answers that were rejected",
    ] {
        assert!(page.html.contains(part), "{part}\n{}", page.html);
    }
    let answer = [("v:/remark/", "It bites."), ("do", "send")];
    let stored = world.post(FORM, &changed(&page.html, FORM, &answer)).await;
    assert_eq!(stored.status, StatusCode::SEE_OTHER, "{}", stored.html);
    world.work().await;
    assert!(world.summary("one").await.status.is_ended());
}

#[tokio::test]
async fn an_answer_that_is_posted_twice_is_stored_once() {
    let world = World::with_question("one").await;
    let json = r#"{ "stars": 3, "lines": [], "decision": { "kind": "again", "why": "dull" } }"#;
    let page = world.fill(FORM, FORM, &[("do", "json:")]).await;
    let fields = changed(&page.html, FORM, &[("json:/", json), ("do", "send")]);
    for _ in 0..2 {
        let stored = world.post(FORM, &fields).await;
        assert_eq!(stored.location, "/runs/one?done=answered", "{}", stored.html);
    }
    // Another answer must not replace it unseen.
    let other = changed(&page.html, FORM, &[("json:/", &json.replace('3', "4")), ("do", "send")]);
    let late = world.post(FORM, &other).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.html.contains("Somebody has answered it meanwhile"), "{}", late.html);
    let seen = world.fill(FORM, FORM, &[("do", "json:")]).await;
    assert!(seen.html.contains(r#"name="replaces""#));
    world.work().await;
    assert_eq!(world.state("one").await.reviews[0].stars, 3);
    let twice = world.post(FORM, &fields).await;
    assert_eq!(twice.location, "/runs/one?done=answered");
    let late = world.post(FORM, &other).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.html.contains("has ended at done: it succeeded."), "{}", late.html);
    assert_eq!(world.get(FORM).await.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn nothing_is_stored_after_the_deadline_or_by_a_read_only_page() {
    let world = World::with_question("one").await;
    let page = world.fill(FORM, FORM, &[("do", "json:")]).await;
    let json = r#"{ "stars": 3, "lines": [], "decision": { "kind": "again", "why": "dull" } }"#;
    let fields = changed(&page.html, FORM, &[("json:/", json), ("do", "send")]);
    let read_only = World::of(world.store.clone(), cot_web::Site::read_only);
    assert_eq!(read_only.post(FORM, &fields).await.status, StatusCode::FORBIDDEN);
    let shown = read_only.get(FORM).await;
    assert!(shown.html.contains("This page is read-only") && !shown.html.contains("<textarea"));
    let mut late = fields.clone();
    late.iter_mut().find(|(name, _)| name == "csrf").unwrap().1 = "0".to_owned();
    assert_eq!(world.post(FORM, &late).await.status, StatusCode::FORBIDDEN);
    assert!(!world.summary("one").await.is_answered);
}

#[tokio::test]
async fn an_answer_after_the_deadline_is_refused() {
    let world = World::new();
    let deadline = overdue(&world.store).await;
    let inbox = world.get("/people").await;
    assert!(inbox.html.contains("overdue"), "{}", inbox.html);
    let late =
        world.fill("/people/late", "/people/late", &[("v:/good/", "true"), ("do", "send")]).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.html.contains("The deadline has passed"), "{}", late.html);
    assert!(deadline < SystemTime::now() && !world.summary("late").await.is_answered);
}

/// Stores a run whose question's time has ended, and that no program drives.
async fn overdue(store: &MemoryStore) -> SystemTime {
    use cot_core::store::{Record, RunId, StepRecord, StepSnapshot};
    let run: RunId = "late".parse().unwrap();
    let other = World::with_question("asked").await;
    let asked: RunId = "asked".parse().unwrap();
    let entries = other.store.entries(&asked, 0, 100).await.unwrap();
    let until = SystemTime::now() - Duration::from_secs(90);
    let mut records: Vec<Record> = entries.into_iter().map(|entry| entry.record).collect();
    for record in &mut records {
        if let Record::Step(StepRecord {
            status: Status::Asking { schema, until: limit, .. },
            progress: StepSnapshot::Full(_) | StepSnapshot::Changed(_),
            ..
        }) = record
        {
            *schema = json!({ "type": "object", "required": ["good"], "properties": { "good": { "type": "boolean" } } });
            *limit = Some(until);
        }
    }
    // The first record of a submitted run is its submission.
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, records).await.unwrap();
    until
}

#[tokio::test]
async fn calls_of_tools_are_approved_or_denied() {
    let world = World::new();
    for (run, value, word) in [("yes", "true", "sent to Anna"), ("no", "false", "not to her")] {
        post_office()
            .store(world.store.clone())
            .run_id(run)
            .submit(&Desk::default())
            .await
            .unwrap();
        world.work().await;
        let form = format!("/people/{run}");
        let page = world.get(&form).await;
        assert!(
            page.html.contains("Approve the call") && page.html.contains("Anna"),
            "{}",
            page.html
        );
        let fields =
            changed(&page.html, &form, &[("v:/reason/", "not to her"), ("v:/approved/", value)]);
        let stored = world.post(&form, &fields).await;
        assert_eq!(stored.status, StatusCode::SEE_OTHER, "{}", stored.html);
        world.work().await;
        assert!(world.summary(run).await.status.is_ended());
        let text = world.state(run).await.text;
        assert!(text.contains(word), "{text}");
    }
}

#[tokio::test]
async fn runs_that_ask_nothing_have_no_form() {
    let world = World::new();
    assert_eq!(world.get("/people/none").await.status, StatusCode::NOT_FOUND);
    world.submit("queued", "cats").await;
    let page = world.get("/people/queued").await;
    assert_eq!(page.status, StatusCode::CONFLICT);
    assert!(page.html.contains("has not begun"), "{}", page.html);
}
