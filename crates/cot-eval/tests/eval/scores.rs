use cot_core::{
    eval::score::{self, Score},
    prelude::*,
};
use serde_json::json;

#[test]
fn values_are_compared() {
    assert_eq!(score::equal(&1, &1), Score::PASS);
    assert_eq!(score::equal("a", "b"), Score::fail("\"a\" is not \"b\""));
    assert_eq!(score::contains("Invoice from ACME", "acme"), Score::PASS);
    assert_eq!(score::contains("Invoice", "ACME"), Score::fail("it lacks \"ACME\""));
    assert_eq!(score::matches("2026-05-27", r"^\d{4}-"), Score::PASS);
    assert!(score::matches("x", "(").why.contains("unclosed group"));
    assert_eq!(score::within(1.0, 1.05, 0.1), Score::PASS);
    assert_eq!(score::within(f64::NAN, 1.0, 0.1).value, 0.0);
}

#[test]
fn members_and_items_count_alike() {
    let right = json!({"name": "Ann", "tags": ["a", "b"], "none": []});
    assert_eq!(score::fields(&right, &right), Score::PASS);
    let found = json!({"name": "Ann", "tags": ["a"], "none": [], "more": 1});
    let score = score::fields(&found, &right);
    assert!((score.value - 0.6).abs() < 1e-9, "{score:?}");
    assert_eq!(score.why, "$.more: 1 is too much; $.tags[1]: \"b\" is missing");
    assert_eq!(score::fields(&json!(1), &json!({"a": 1})).value, 0.0);
}

#[test]
fn sets_are_compared_by_what_they_share() {
    assert_eq!(score::overlap([1, 2], [2, 1]), Score::PASS);
    assert_eq!(score::overlap::<u8>([], []), Score::PASS);
    let score = score::overlap([1, 2, 3], [2, 4]);
    assert_eq!((score.value, score.why.as_str()), (0.4, "missing: [4]; wrong: [1, 3]"));
}

#[test]
fn scores_are_combined() {
    let scores = || [Score::partial(0.5, "half"), Score::PASS, Score::fail("none")];
    assert_eq!(score::all(scores()), Score::fail("half; none"));
    assert_eq!(score::mean(scores()), Score::partial(0.5, "half; none"));
    assert_eq!((score::all([]), score::mean([])), (Score::PASS, Score::PASS));
}

#[test]
fn what_a_scorer_returns_becomes_a_score() {
    assert_eq!(Score::from(true), Score::PASS);
    assert_eq!(Score::from(false).value, 0.0);
    assert_eq!(Score::from(0.5), Score::partial(0.5, ""));
    assert_eq!(Score::from(4.0), Score::fail("4 is no score from 0 to 1"));
    assert_eq!(Score::from(f64::NAN).value, 0.0);
    assert_eq!(Score::from(Ok(())), Score::PASS);
    assert!(Score::from(Err(Issues::at("name", "is taken"))).why.contains("is taken"));
}

#[test]
fn a_value_can_be_held_to_a_schema() {
    let schema = serde_json::json!({ "type": "object", "properties": { "n": { "maximum": 3 } } });
    assert_eq!(score::schema(&serde_json::json!({ "n": 3 }), &schema), Score::PASS);
    let wrong = score::schema(&serde_json::json!({ "n": 4 }), &schema);
    assert!(wrong.value == 0.0 && wrong.why.contains("$.n"), "{wrong:?}");
    let broken = score::schema(&1, &serde_json::json!({ "type": "nonsense" }));
    assert!(broken.value == 0.0 && !broken.why.is_empty(), "{broken:?}");
}
