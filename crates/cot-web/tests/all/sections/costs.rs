//! What runs cost.

use axum::http::StatusCode;

use crate::sections::world::World;

#[tokio::test]
async fn costs_are_shown_by_day_process_task_and_engine() {
    let world = World::with_question("one").await;
    world.submit("two", "dogs").await;
    world.work().await;
    let page = world.get("/costs").await;
    assert_eq!(page.status, StatusCode::OK);
    for part in [
        r#"<span class="stat-value">0.5000</span>"#,
        r#"<span class="stat-value">2.00k</span>"#,
        r#"<span class="stat-value">40 %</span>"#,
        "Cost by day and process",
        r#"<rect class="series-1""#,
        "The numbers as a table",
        "Retries and repairs by task",
        ">draft<",
        r#"href="/?process=Letters&amp;task=draft""#,
        "<svg class=\"chart\"",
    ] {
        assert!(page.html.contains(part), "{part} in {}", page.html);
    }
    let tokens = world.get("/costs?measure=tokens&split=task&days=7").await;
    assert!(tokens.html.contains("Tokens by day and task"), "{}", tokens.html);
    assert!(!page.html.contains(" style="));
}

#[tokio::test]
async fn costs_are_filtered() {
    let world = World::with_question("one").await;
    for query in ["process=Other", "from=2020-01-01&until=2020-02-01", "until=1970-01-01"] {
        let page = world.get(&format!("/costs?{query}")).await;
        assert!(page.html.contains("Nothing was spent in this time."), "{query}: {}", page.html);
    }
    let all = world.get("/costs?days=all&process=Letters").await;
    assert!(all.html.contains("Costs of Letters") && all.html.contains("0.2500"), "{}", all.html);
    let wrong = world.get("/costs?from=yesterday").await;
    assert!(wrong.html.contains("is not a day"), "{}", wrong.html);
    let reversed = world.get("/costs?from=2026-02-01&until=2026-01-01").await;
    assert_eq!(reversed.status, StatusCode::OK);
    assert!(reversed.html.contains("after it ends"), "{}", reversed.html);
}
