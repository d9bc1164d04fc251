//! Malformed replies of external test suites.

use std::{env, fs, path::Path};

use serde_json::Value;

use crate::find::{candidate::CandidateContent, find::candidates};

/// Prints each case with an unexpected reading. `COT_CONFORMANCE` is the folder.
#[test]
#[ignore = "needs the cases, in the folder that COT_CONFORMANCE names"]
fn reads_the_cases_of_others() {
    let folder = env::var("COT_CONFORMANCE").expect("COT_CONFORMANCE names a folder");
    let cases = fs::read_to_string(Path::new(&folder).join("lenient_json.jsonl")).unwrap();
    let mut misses = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if let Some(miss) = missed(&case) {
            let text = |key| case[key].as_str().unwrap_or_default();
            misses.push(format!(
                "{} ({}): {miss}\n  {:?}",
                text("id"),
                text("difficulty"),
                text("input")
            ));
        }
    }
    assert!(misses.is_empty(), "{} misses\n{}", misses.len(), misses.join("\n"));
}

fn missed(case: &Value) -> Option<String> {
    let text = case["input"].as_str().unwrap();
    let found = candidates(text);
    let expected = case.get("expected").filter(|_| case["schema"].is_null());
    let Some(expected) = expected else {
        let fails = case["expect_fail"] == true && case["schema"].is_null();
        return (fails && !found.list.is_empty()).then(|| format!("{found:?}"));
    };
    let [candidate] = found.list.as_slice() else { return Some(format!("{found:?}")) };
    match &candidate.content {
        CandidateContent::Readings(readings) if equal(&readings[0].value, expected) => None,
        found => Some(format!("{found:?}")),
    }
}

/// Returns whether two values are equal, comparing numbers by value.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || a.as_f64() == b.as_f64() && a.as_u64().is_none()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => one == other,
    }
}
