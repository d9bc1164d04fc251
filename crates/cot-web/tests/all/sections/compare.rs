//! Two runs side by side.

use std::convert::Infallible;

use axum::http::StatusCode;
use cot_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::sections::world::World;

#[tokio::test]
async fn two_runs_are_compared() {
    let world = World::with_question("one").await;
    world.submit("two", "dogs").await;
    world.work().await;
    let page = world.get("/compare?a=one&b=two").await;
    assert_eq!(page.status, StatusCode::OK);
    for part in [
        r#"<del class="diff-old">cats"#,
        r#"<ins class="diff-new">dogs"#,
        "prompt",
        "reply",
        "output",
        r#"<span class="visually-hidden">Only in A: </span>"#,
    ] {
        assert!(page.html.contains(part), "{part} in {}", page.html);
    }
    let same = world.get("/compare?a=one&b=one").await;
    assert!(
        same.html.contains("All others are the same.")
            && same.html.contains("The states are the same."),
        "{}",
        same.html
    );
}

#[tokio::test]
async fn the_steps_that_a_fork_shares_are_left_out() {
    let world = World::with_question("one").await;
    world.fill("/runs/one/fork?at=1", "/runs/one/fork", &[("name", "two")]).await;
    world.work().await;
    let page = world.get("/compare?a=one&b=two").await;
    assert!(page.html.contains("Both share the first 1 step."), "{}", page.html);
}

#[tokio::test]
async fn runs_are_chosen_in_a_form() {
    let world = World::with_question("one").await;
    let page = world.get("/compare?a=one").await;
    assert!(page.html.contains(r#"name="a" type="text" value="one""#), "{}", page.html);
    let wrong = world.get("/compare?a=one&b=a%20b").await;
    assert!(wrong.html.contains("is not the name of a run"), "{}", wrong.html);
    assert_eq!(world.get("/compare?a=one&b=none").await.status, StatusCode::NOT_FOUND);
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Count {
    from: u32,
    steps: u32,
}

async fn next(count: &Count) -> Result<u32, Infallible> {
    Ok(count.steps + 1)
}

cot_process! {
    /// Counts to 401.
    process Counter {
        state: Count,
        max_steps: 100000,

        task add -> u32 {
            run: next,
            update: { steps = output },
            next: { done if state.steps > 400, add },
        }

        task done { end }
    }
}

#[tokio::test]
async fn the_first_400_steps_of_long_runs_are_compared() {
    let world = World::new();
    for (run, from) in [("one", 1), ("two", 2)] {
        let counter = Counter::runner().store(world.store.clone()).run_id(run);
        counter.run(Count { from, steps: 0 }).await.unwrap();
        assert_eq!(world.summary(run).await.steps, 401);
    }
    let page = world.get("/compare?a=one&b=two").await;
    let said = "Of the others, the first 400 of each run are compared. All of them are the same.";
    assert!(page.html.contains(said), "{}", page.html);
}
