//! Checks of the descriptions of processes.

use cot_store::{ProcessDescription, Store};
use serde_json::json;

use super::support::ok;

pub(super) async fn are_replaced_by_version(store: &dyn Store) {
    let found = async |name: &str| ok(store.process(name).await, "read a description");
    assert_eq!(found("Orders").await, None);
    let manifest = json!({ "tasks": [{ "name": "ä\u{0}" }], "n": 18_446_744_073_709_551_615_u64 });
    let first = ProcessDescription::new("Orders", "1", manifest);
    let second = ProcessDescription::new("Orders", "2", json!({ "tasks": [] }));
    let other = ProcessDescription::new("Letters", "1", json!(null));
    for description in [&first, &other, &second] {
        ok(store.put_process(description).await, "store a description");
        assert_eq!(found(&description.name).await.as_ref(), Some(description));
    }
    assert_eq!(found("orders").await, None, "names are compared exactly");
    let all = ok(store.processes().await, "list descriptions");
    assert_eq!(all, [other, second.clone()], "the last version of each process, by name");

    // An earlier version runs again.
    ok(store.put_process(&first).await, "store a description");
    assert_eq!(found("Orders").await, Some(first.clone()), "the one that was stored last counts");
    ok(store.put_process(&first).await, "store a description twice");
    assert_eq!(ok(store.processes().await, "list descriptions").len(), 2);
}
