//! Replies of small models, recorded without a grammar, from a file given in the environment.

use std::{collections::BTreeMap, env, fs};

use serde_json::Value;

use super::mistakes::is_same;
use crate::Reader;

/// The share of the recorded replies that must be read exactly as the right value, in percent.
const MIN_RIGHT_PERCENT: usize = 10;

#[derive(Debug, Default)]
struct Counts {
    right: usize,
    other: usize,
    refused: usize,
}

#[test]
#[ignore = "needs COT_REPLIES, the file of the recorded replies"]
#[expect(clippy::print_stdout, reason = "the counts are the result")]
fn recorded_replies_are_read() {
    let file = env::var("COT_REPLIES").expect("COT_REPLIES names a file");
    let text = fs::read_to_string(file).expect("the recorded replies");
    let mut counts = BTreeMap::<String, Counts>::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a recorded reply");
        let reader = Reader::new(&case["schema"]).expect("a schema").may_be_truncated(true);
        let reply = case["reply"].as_str().expect("a text");
        let model = case["model"].as_str().unwrap_or_default();
        let counts = counts.entry(model.to_owned()).or_default();
        let read = reader.read(reply);
        if env::var_os("COT_EXAMPLES").is_some() {
            println!("{}: {read:?}\n{reply}\n", case["id"]);
        }
        match read {
            Ok(reading) if is_same(&trimmed(&reading.value), &trimmed(&case["gold"])) => {
                counts.right += 1;
            }
            Ok(_) => counts.other += 1,
            Err(_) => counts.refused += 1,
        }
    }
    let (all, right) = counts.values().fold((0, 0), |(all, right), counts| {
        (all + counts.right + counts.other + counts.refused, right + counts.right)
    });
    println!("{right} of {all} are right: {counts:#?}");
    assert!(right * 100 >= all * MIN_RIGHT_PERCENT, "{right} of {all} are right");
}

/// Returns a value without the blanks around its texts.
fn trimmed(value: &Value) -> Value {
    match value {
        Value::String(text) => text.trim().into(),
        Value::Array(items) => items.iter().map(trimmed).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), trimmed(value))).collect()
        }
        value => value.clone(),
    }
}
