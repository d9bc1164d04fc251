//! The page of a run, of a state and of an entry.

use axum::http::StatusCode;
use cot_core::{
    Usage,
    model::{ModelReply, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::sections::world::World;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Shelf {
    name: String,
    notes: Vec<Book>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Book {
    title: String,
    #[schemars(range(min = 1, max = 5))]
    rank: u8,
}

cot_process! {
    pub(crate) process Library {
        state: Shelf,
        history: none,

        task name -> Book {
            title: "Name <b>it</b>",
            prompt: "Name ${state.name}.",
            update: { name = output.title },
            next: rate,
        }

        task rate -> Book {
            for_each: word in vec!["one", "two"],
            full_prompt: "Rate ${word}.",
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

/// A run with a retry, and repairs in its second reply.
async fn library() -> World {
    let world = World::new();
    let good = |rank: u8| ModelReply::from(json!({ "title": "x", "rank": rank }));
    let model = ScriptedModel::new([
        ModelReply::new(r#"{"title": "<script>", "rank": 9}"#)
            .usage(Usage::for_call(100, 20).cached(60, 0)),
        ModelReply::new("Sure: {'title': \"A & B\", \"rank\": 3,}"),
        good(1),
        good(2),
    ]);
    let runner = Library::runner().model(model).store(world.store.clone()).run_id("books");
    runner.run(Shelf { name: "the shelf".to_owned(), notes: vec![] }).await.expect("a run");
    world
}

#[tokio::test]
async fn attempts_show_prompts_replies_repairs_and_issues_at_their_places() {
    let page = library().await.get("/runs/books").await;
    assert_eq!(page.status, StatusCode::OK);
    for part in [
        "attempt 1 was not accepted",
        r#"<mark class="mark-issue" title="$.rank: "#,
        ">9</mark>",
        r#"<mark class="mark-repair" title="$.title: single quotes (syntax)">'title'</mark>"#,
        "a trailing comma",
        "&lt;script&gt;",
        "What is new in the prompt",
        r#"<ins class="diff-new">"#,
        "seg-volatile",
        "60 cached",
        "<dt>At most</dt>",
        "unbounded model calls",
        "2 done, 0 failed",
        // Items run at once, so that the sum of their times says nothing of the time that passed.
        "Σ ",
        r#"id="step-1""#,
        "State after this step",
    ] {
        assert!(page.html.contains(part), "{part} in {}", page.html);
    }
    assert!(!page.html.contains("<b>it</b>") && !page.html.contains("\"<script>"));
}

#[tokio::test]
async fn the_graph_has_the_tasks_and_the_path() {
    let page = library().await.get("/runs/books").await;
    for part in [
        "<svg class=\"graph",
        "name (Name &lt;b&gt;it&lt;/b&gt;): asks a model, visited",
        "for each item",
        "node node-good",
        "edge edge-automatic edge-taken",
        "href=\"#step-1\"",
        "The graph as a list",
    ] {
        assert!(page.html.contains(part), "{part} in {}", page.html);
    }
}

#[tokio::test]
async fn the_state_after_a_step_shows_what_changed() {
    let world = library().await;
    let page = world.get("/runs/books/steps/1").await;
    assert_eq!(page.status, StatusCode::OK);
    for part in [
        "State after step 1",
        "<code>$.name</code>",
        "the shelf",
        "A &amp; B",
        "Step 2",
        "rel=\"prev\"",
    ] {
        assert!(page.html.contains(part), "{part} in {}", page.html);
    }
    assert_eq!(world.get("/runs/books/steps/99").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_entry_has_the_whole_texts_of_its_call() {
    let world = library().await;
    let number = (1..9).map(|number| format!("/runs/books/entries/{number}?part=reply"));
    let mut found = false;
    for address in number {
        let page = world.get(&address).await;
        found |=
            page.html.contains("Sure: {&#39;title&#39;") || page.html.contains("Sure: {'title'");
    }
    assert!(found, "no entry has the reply");
    assert_eq!(world.get("/runs/books/entries/999").await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.get("/runs/nothing").await.status, StatusCode::NOT_FOUND);
}
