use serde_json::json;

use super::*;

#[test]
fn smoke() {
    let found = candidates("{'a': 1,}");
    assert_eq!(found.list.len(), 1);
    let Found::Readings(readings) = &found.list[0].found else { panic!() };
    assert_eq!(readings[0].value, json!({ "a": 1 }));
}

mod conformance;
