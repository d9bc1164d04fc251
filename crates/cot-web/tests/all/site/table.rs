//! The table of runs.

use std::sync::Arc;

use cot_core::store::{MemoryStore, SetAside, Store};

use super::world::{ended, get, id, open_site, put, some_runs};

/// The names of the runs on a page, in order.
fn names(page: &str) -> Vec<&str> {
    let cells = page.split(r#"<th scope="row"><a class="nowrap" href="/runs/"#).skip(1);
    cells.map(|cell| cell.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn what_waits_for_people_is_first() {
    let store = some_runs().await;
    let lease = store.acquire(&id("order-3")).await.unwrap();
    let aside = SetAside::new("it crashed three times", std::time::SystemTime::now());
    store.set_aside(&lease, aside).await.unwrap();
    drop(lease);
    let page = get(&open_site(store), "/").await;
    assert_eq!(names(&page.text)[..2], ["letter-1", "order-3"]);
    assert!(
        page.text.contains("Send this to Ann?") && page.text.contains("it crashed three times")
    );
    assert!(page.text.contains(r#"<a href="/people/letter-1">"#));
    assert_eq!(names(&page.text).len(), 50);
    assert!(page.text.contains("1–50 of 123 runs"), "{}", page.text);
    assert!(page.text.len() < 50_000, "{} bytes", page.text.len());
}

#[tokio::test]
async fn the_address_filters_sorts_and_turns_pages() {
    let router = open_site(some_runs().await);
    for (address, expected) in [
        ("/?q=ann%3F", &["letter-1"][..]),
        ("/?q=CUSTOMER", &["letter-2"]),
        ("/?status=succeeded", &["letter-3"]),
        ("/?process=Letters&sort=newest", &["letter-3", "letter-2", "letter-1"]),
        ("/?process=Letters&sort=oldest", &["letter-1", "letter-2", "letter-3"]),
        ("/?task=task_6&sort=name&q=order-1", &["order-104", "order-111", "order-118", "order-13"]),
        ("/?cost=1", &[]),
        (
            "/?page=3&sort=newest&process=Orders",
            &[
                "order-19", "order-18", "order-17", "order-16", "order-15", "order-14", "order-13",
                "order-12", "order-11", "order-10", "order-9", "order-8", "order-7", "order-6",
                "order-5", "order-4", "order-3", "order-2", "order-1", "order-0",
            ],
        ),
    ] {
        assert_eq!(names(&get(&router, address).await.text), expected, "{address}");
    }
    // A page after the last one is the last one, and each link keeps the filter.
    let last = get(&router, "/?page=999999999999&process=Orders&sort=newest").await;
    assert_eq!(names(&last.text).len(), 20);
    assert!(last.text.contains("/?process=Orders&amp;sort=newest&amp;page=2"));
    assert!(get(&router, "/?cost=1").await.text.contains("No run matches"));
}

#[tokio::test]
async fn odd_parameters_show_the_table() {
    let router = open_site(some_runs().await);
    for query in
        ["page=-1", "sort=x", "page=%FF&q=%00", "age=9y&cost=-1&status=", "&&&=&=", "page=1e9"]
    {
        let page = get(&router, &format!("/?{query}")).await;
        assert_eq!((page.status.as_u16(), query), (200, query));
    }
}

#[tokio::test]
async fn an_empty_store_says_how_to_start() {
    let page = get(&open_site(Arc::new(MemoryStore::default())), "/").await;
    assert!(page.text.contains("There are no runs yet") && page.text.contains("cot runs start"));
}

#[tokio::test]
async fn headings_say_how_they_sort() {
    let store = Arc::new(MemoryStore::default());
    put(&*store, "a", "P", 1, ended("end", "")).await;
    let page = get(&open_site(store), "/?sort=recent").await.text;
    assert!(page.contains(r#"aria-sort="descending"><a href="/?sort=stale">Changed"#), "{page}");
    assert!(page.contains("succeeded"));
}

#[tokio::test]
async fn the_counts_are_those_of_the_table() {
    let store = Arc::new(MemoryStore::default());
    let router = open_site(store.clone());
    for number in 1..=3 {
        put(&*store, &format!("letter-{number}"), "Letters", number, ended("end", "")).await;
        let page = get(&router, "/").await.text;
        assert_eq!(names(&page).len() as u64, number);
        let count = format!(r#"<span class="stat-value">{number}</span>"#);
        assert_eq!(page.matches(&count).count(), 2, "all, and succeeded: {page}");
    }
}
