//! Values of recorded replies of small models, looked up in the records that the models were given.

use std::{collections::BTreeMap, env, fs, ops::AddAssign};

use serde_json::Value;

use crate::{
    Reader,
    internal::{PassageFinder, look_up},
};

/// The share of the values of other records that must be caught, in percent.
///
/// The wrong values of the replies are only counted: they are few, and most of them are too long a passage.
const MIN_CAUGHT_PERCENT: usize = 40;
/// One right value in so many may be refused.
const MIN_RIGHT_FOR_EACH_REFUSED: usize = 100;

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    right: usize,
    refused: usize,
    wrong: usize,
    caught: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.refused += other.refused;
        self.wrong += other.wrong;
        self.caught += other.caught;
    }
}

#[test]
#[ignore = "needs COT_REPLIES, the file of the recorded replies"]
#[expect(clippy::print_stdout, reason = "the counts are the result")]
fn values_of_recorded_replies_are_found() {
    let file = env::var("COT_REPLIES").expect("COT_REPLIES names a file");
    let text = fs::read_to_string(file).expect("the recorded replies");
    let cases = text.lines().map(|line| serde_json::from_str(line).expect("a recorded reply"));
    let cases = cases.collect::<Vec<Value>>();
    let mut kinds = BTreeMap::<&str, Counts>::new();
    for case in &cases {
        let (written, numbers) = counts_of(case);
        *kinds.entry("texts").or_default() += written;
        *kinds.entry("numbers").or_default() += numbers;
        *kinds.entry("texts of other records").or_default() += exchanged(case, &cases);
    }
    println!("{kinds:#?}");
    let (texts, invented) = (kinds["texts"], kinds["texts of other records"]);
    assert!(texts.refused * MIN_RIGHT_FOR_EACH_REFUSED <= texts.right, "{texts:?}");
    assert!(invented.caught * 100 >= invented.wrong * MIN_CAUGHT_PERCENT, "{invented:?}");
}

/// Counts the texts and the numbers of a reply, and those of the right value.
#[expect(clippy::print_stderr, reason = "examples, if they are asked for")]
fn counts_of(case: &Value) -> (Counts, Counts) {
    let (source, schema) = (record(case), &case["schema"]);
    let reader = Reader::new(schema).expect("a schema").may_be_truncated(true);
    let read = reader.read(case["reply"].as_str().expect("a text"));
    let read = read.map(|reading| reading.value).unwrap_or_default();
    let (mut texts, mut numbers) = (Counts::default(), Counts::default());
    let mut count = |given: &Value, right: Option<&Value>| {
        let counts = if given.is_string() { &mut texts } else { &mut numbers };
        let is_found = is_found(source, given);
        if right.is_some_and(|right| is_equal(given, right)) {
            counts.right += 1;
            counts.refused += usize::from(!is_found);
        } else {
            counts.wrong += 1;
            counts.caught += usize::from(!is_found);
        }
        if env::var_os("COT_EXAMPLES").is_some()
            && is_found != right.is_some_and(|right| is_equal(given, right))
        {
            eprintln!("{given} (right: {right:?}) is found: {is_found} in {source:?}\n");
        }
    };
    compare(schema, &read, Some(&case["gold"]), &mut count);
    compare(schema, &case["gold"], Some(&case["gold"]), &mut count);
    (texts, numbers)
}

/// Counts the right texts of the next record of the same form as wrong ones.
fn exchanged(case: &Value, cases: &[Value]) -> Counts {
    let mut counts = Counts::default();
    let is_other = |other: &&Value| {
        other["schema_name"] == case["schema_name"] && other["gold"] != case["gold"]
    };
    for other in cases.iter().filter(is_other).take(1) {
        compare(&case["schema"], &other["gold"], Some(&case["gold"]), &mut |given, right| {
            if given.is_string() && !right.is_some_and(|right| is_equal(given, right)) {
                counts.wrong += 1;
                counts.caught += usize::from(!is_found(record(case), given));
            }
        });
    }
    counts
}

/// Returns the record that the model was given, without the instructions.
fn record(case: &Value) -> &str {
    let prompt = case["prompt"].as_str().expect("a text");
    prompt.split_once("The record:\n").expect("a record").1
}

/// Passes each text and number on, with the right one at its place. Words of an enumeration are no quotes.
fn compare(
    schema: &Value,
    given: &Value,
    right: Option<&Value>,
    count: &mut impl FnMut(&Value, Option<&Value>),
) {
    match given {
        Value::Object(members) => {
            for (key, value) in members {
                let right = right.and_then(|right| right.get(key));
                compare(&schema["properties"][key], value, right, count);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                compare(&schema["items"], item, right.and_then(|right| right.get(index)), count);
            }
        }
        Value::String(_) | Value::Number(_) if schema.get("enum").is_none() => count(given, right),
        _ => {}
    }
}

fn is_equal(given: &Value, right: &Value) -> bool {
    match (given, right) {
        // In another notation it is the same text.
        (Value::String(text), Value::String(other)) => {
            text.trim() == other.trim() || is_found(text, right) && is_found(other, given)
        }
        (Value::Number(given), Value::Number(right)) => given.as_f64() == right.as_f64(),
        _ => given == right,
    }
}

fn is_found(source: &str, value: &Value) -> bool {
    let mut finder = PassageFinder::default();
    finder.source("the record", source);
    match value {
        Value::String(text) => look_up(&mut finder, text),
        value => look_up(&mut finder, &value.as_f64().expect("a number")),
    }
    finder.finish().is_ok()
}
