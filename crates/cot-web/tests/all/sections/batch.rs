//! One answer to several questions.

use axum::http::StatusCode;
use cot_core::store::Store;

use crate::sections::world::{Desk, Received, World, changed, post_office};

const REVIEW: &str =
    r#"{ "stars": 4, "lines": [], "decision": { "kind": "again", "why": "dull" } }"#;

/// The page that answers several questions, with its address.
struct Batch<'w> {
    world: &'w World,
    address: String,
    html: String,
}

impl<'w> Batch<'w> {
    /// Follows the link of the inbox.
    async fn open(world: &'w World) -> Self {
        let inbox = world.get("/people").await.html;
        Self::at(world, links(&inbox).remove(0)).await
    }

    async fn at(world: &'w World, address: String) -> Self {
        let Received { status, html, .. } = world.get(&address).await;
        assert_eq!(status, StatusCode::OK, "{html}");
        Self { world, address, html }
    }

    /// Presses a button.
    async fn press(&mut self, button: &str) {
        let fields = self.fields(&[("do", button)]);
        let Received { status, html, .. } = self.world.post(&self.address, &fields).await;
        assert_eq!(status, StatusCode::OK, "{html}");
        self.html = html;
    }

    /// Selects the question of a run with its check box.
    fn question(&self, run: &str) -> (String, String) {
        let start = format!(r#"name="question" value="{run} "#);
        let at = self.html.find(&start).unwrap_or_else(|| panic!("no {run}: {}", self.html));
        let key = &self.html[at + start.len()..];
        ("question".to_owned(), format!("{run} {}", &key[..key.find('"').unwrap()]))
    }

    fn fields(&self, changes: &[(&str, &str)]) -> Vec<(String, String)> {
        changed(&self.html, &self.address.replace('&', "&amp;"), changes)
    }

    /// Sends an answer as JSON to some runs.
    async fn send(&mut self, answer: &str, runs: &[&str]) -> Received {
        self.press("json:").await;
        let mut fields = self.fields(&[("json:/", answer), ("do", "send")]);
        fields.extend(runs.iter().map(|run| self.question(run)));
        self.world.post(&self.address, &fields).await
    }
}

/// Returns the addresses of the pages that answer several questions.
fn links(html: &str) -> Vec<String> {
    let links = html.split("href=\"/answers?").skip(1);
    links
        .map(|rest| format!("/answers?{}", rest[..rest.find('"').unwrap()].replace("&amp;", "&")))
        .collect()
}

async fn asking(runs: &[(&str, &str)]) -> World {
    let world = World::new();
    for (run, topic) in runs {
        world.submit(run, topic).await;
    }
    world.work().await;
    world
}

async fn answer(world: &World, run: &str) {
    let summary = world.summary(run).await;
    let cot_core::store::Status::Asking { key, .. } = &summary.status else { panic!("{run}") };
    let other = serde_json::from_str(&REVIEW.replace('4', "2")).unwrap();
    world.store.put_answer(&summary.run, key, other).await.unwrap();
}

async fn stars(world: &World, run: &str) -> Vec<u8> {
    world.state(run).await.reviews.iter().map(|review| review.stars).collect()
}

#[tokio::test]
async fn all_questions_of_a_task_are_answered_at_once() {
    let world = asking(&[("a", "cats"), ("b", "cats"), ("c", "dogs")]).await;
    let mut batch = Batch::open(&world).await;
    assert!(batch.html.contains("3 questions") && batch.html.contains("about dogs"));
    assert!(!batch.html.contains(" checked"), "nothing is selected at first");
    batch.press("all:").await;
    assert_eq!(batch.html.matches(" checked>").count(), 3, "{}", batch.html);
    batch.press("none:").await;
    assert!(!batch.html.contains(" checked>"));
    batch.press("all:").await;
    let sent = batch.send(REVIEW, &[]).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.html);
    assert!(sent.html.contains("3 answers are stored"), "{}", sent.html);
    world.work().await;
    for run in ["a", "b", "c"] {
        assert!(world.summary(run).await.status.is_ended());
        assert_eq!(stars(&world, run).await, [4]);
    }
}

#[tokio::test]
async fn some_questions_are_selected_and_searched_for() {
    let world = asking(&[("a", "cats"), ("b", "dogs"), ("c", "dogs")]).await;
    let inbox = world.get("/people?q=dogs").await.html;
    let mut batch = Batch::at(&world, links(&inbox).remove(0)).await;
    assert!(batch.address.ends_with("&q=dogs"), "{}", batch.address);
    assert!(batch.html.contains("2 questions") && !batch.html.contains("about cats"));
    let sent = batch.send(REVIEW, &["c"]).await;
    assert!(sent.html.contains("1 answer is stored"), "{}", sent.html);
    assert!(sent.html.contains(&batch.address.replace('&', "&amp;")), "the search is kept");
    let answered = [("a", false), ("b", false), ("c", true)];
    for (run, is_answered) in answered {
        assert_eq!(world.summary(run).await.is_answered, is_answered, "{run}");
    }
    // One question left needs no list.
    assert!(links(&world.get("/people?q=dogs").await.html).is_empty());
}

#[tokio::test]
async fn each_answer_has_its_own_outcome() {
    let runs = [("a", "cats"), ("answered", "cats"), ("done", "cats"), ("gone", "cats")];
    let world = asking(&runs).await;
    let mut batch = Batch::open(&world).await;
    batch.press("all:").await;
    answer(&world, "done").await;
    world.work().await;
    answer(&world, "answered").await;
    world.store.remove(&"gone".parse().unwrap()).await.unwrap();
    let mut fields = batch.fields(&[("do", "json:")]);
    batch.html = world.post(&batch.address, &fields).await.html;
    fields.retain(|(name, _)| name == "question");
    // What was selected before is sent, although the page does not list it any more.
    let mut sent = batch.fields(&[("json:/", REVIEW), ("do", "send")]);
    sent.retain(|(name, _)| name != "question");
    sent.extend(fields);
    let report = world.post(&batch.address, &sent).await;
    for part in [
        "1 of 4 answers are stored",
        "answered already",
        "Nothing was stored: this question was answered, or its time has ended. Run done has ended",
        "gone",
    ] {
        assert!(report.html.contains(part), "{part} in {}", report.html);
    }
    let at = |text: &str| report.html.find(text).unwrap();
    assert!(at("answered already") < at(">stored<"), "what is not stored is first");
    world.work().await;
    assert_eq!(stars(&world, "a").await, [4]);
    assert_eq!(stars(&world, "answered").await, [2], "the other answer is kept");
}

#[tokio::test]
async fn a_wrong_answer_is_stored_for_no_run() {
    let world = asking(&[("a", "cats"), ("b", "cats")]).await;
    let mut batch = Batch::open(&world).await;
    batch.press("all:").await;
    let wrong = batch.fields(&[("v:/stars/", "9"), ("do", "send")]);
    let page = world.post(&batch.address, &wrong).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    for part in [r##"<a href="#field-stars">Stars: "##, r#"value="9""#] {
        assert!(page.html.contains(part), "{part} in {}", page.html);
    }
    assert_eq!(page.html.matches(" checked>").count(), 2, "the selection is kept");
    batch.press("none:").await;
    let nothing = batch.send(REVIEW, &[]).await;
    assert_eq!(nothing.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(nothing.html.contains("Select the questions that get this answer."));
    for run in ["a", "b"] {
        assert!(!world.summary(run).await.is_answered);
    }
}

#[tokio::test]
async fn a_form_that_is_posted_twice_is_stored_once() {
    let world = asking(&[("a", "cats"), ("b", "cats")]).await;
    let mut batch = Batch::open(&world).await;
    batch.press("json:").await;
    batch.press("all:").await;
    let fields = batch.fields(&[("json:/", REVIEW), ("do", "send")]);
    for _ in 0..2 {
        let report = world.post(&batch.address, &fields).await;
        assert!(report.html.contains("2 answers are stored"), "{}", report.html);
        world.work().await;
    }
    assert_eq!(stars(&world, "a").await, [4]);
    let other = batch.fields(&[("json:/", &REVIEW.replace('4', "5")), ("do", "send")]);
    let report = world.post(&batch.address, &other).await;
    assert!(report.html.contains("No answer is stored"), "{}", report.html);
}

#[tokio::test]
async fn approvals_of_tool_calls_are_given_one_by_one() {
    let world = asking(&[("a", "cats"), ("b", "cats")]).await;
    for run in ["call-1", "call-2"] {
        let post = post_office().store(world.store.clone()).run_id(run);
        post.submit(&Desk::default()).await.unwrap();
    }
    world.work().await;
    let inbox = world.get("/people").await.html;
    assert!(inbox.contains("call-1") && inbox.contains("call-2"));
    assert_eq!(links(&inbox).len(), 1, "only the letters: {inbox}");
    // Nor does a form that names such a question answer it.
    let mut batch = Batch::open(&world).await;
    batch.press("json:").await;
    let form = world.get("/people/call-1").await.html;
    let key = changed(&form, "/people/call-1", &[]);
    let (_, key) = key.into_iter().find(|(name, _)| name == "key").unwrap();
    let mut fields = batch.fields(&[("json:/", REVIEW), ("do", "send")]);
    fields.push(("question".to_owned(), format!("call-1 {key}")));
    let report = world.post(&batch.address, &fields).await;
    assert!(report.html.contains("needs an answer of its own"), "{}", report.html);
    assert!(!world.summary("call-1").await.is_answered);
}

#[tokio::test]
async fn the_rules_of_single_answers_hold() {
    let world = asking(&[("a", "cats"), ("b", "cats")]).await;
    let mut batch = Batch::open(&world).await;
    batch.press("json:").await;
    batch.press("all:").await;
    let fields = batch.fields(&[("json:/", REVIEW), ("do", "send")]);
    let mut forged = fields.clone();
    forged.iter_mut().find(|(name, _)| name == "csrf").unwrap().1 = "0".to_owned();
    assert_eq!(world.post(&batch.address, &forged).await.status, StatusCode::FORBIDDEN);
    let read_only = World::of(world.store.clone(), cot_web::Site::read_only);
    assert_eq!(read_only.post(&batch.address, &fields).await.status, StatusCode::FORBIDDEN);
    let shown = read_only.get(&batch.address).await.html;
    assert!(shown.contains("This page is read-only") && !shown.contains("method=\"post\""));
    assert!(links(&read_only.get("/people").await.html).is_empty());
    let mut many = fields.clone();
    many.extend((0..500).map(|number| ("question".to_owned(), format!("run-{number} a#1@1"))));
    let page = world.post(&batch.address, &many).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.html.contains("at most 500 are answered at once"), "{}", page.html);
    for run in ["a", "b"] {
        assert!(!world.summary(run).await.is_answered);
    }
}

#[tokio::test]
async fn an_address_without_questions_says_so() {
    let world = World::new();
    assert_eq!(world.get("/answers").await.status, StatusCode::BAD_REQUEST);
    let none = world.get("/answers?process=Letters&task=review&kind=0").await;
    assert!(none.html.contains("No question of this task waits"), "{}", none.html);
}
