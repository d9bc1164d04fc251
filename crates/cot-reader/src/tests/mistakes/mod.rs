//! Valid documents with one mistake each, as models make them. Each is read as the original or rejected.

use std::collections::BTreeMap;

use fastrand::Rng;
use jsonschema::Validator;
use serde_json::Value;

use super::mistakes::{documents::kinds, page::Page};
use crate::{parse::strict, reader::Reader};

mod around;
mod documents;
mod page;
mod structure;
mod texts;
mod words;

/// A kind of mistake: its name, the expected reading, and a function that applies it to a page if possible.
struct Mistake(&'static str, Right, fn(&Page, &mut Rng) -> Option<String>);

/// The expected reading of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Right {
    /// The document must be read as the original.
    Read,
    /// The document must be rejected, since it is ambiguous, or be read as the original.
    Refused,
}

#[derive(Debug, Default)]
struct Counts {
    right: usize,
    refused: usize,
    wrong: usize,
    examples: Vec<String>,
}

/// The number of documents of each kind for each mistake.
const ROUNDS: usize = 6;
const MAX_WRONG_PER_MILLE: usize = 1;
const MIN_RIGHT_PERCENT: usize = 90;

#[test]
#[expect(clippy::print_stdout, reason = "the counts are printed on request")]
fn documents_with_one_mistake_are_read_as_they_were_or_refused() {
    let rounds = std::env::var("COT_MISTAKES").ok().and_then(|text| text.parse().ok());
    let counts = count(rounds.unwrap_or(ROUNDS));
    let sum = |of: fn(&Counts) -> usize| counts.values().map(of).sum::<usize>();
    let (right, refused, wrong) = (sum(|c| c.right), sum(|c| c.refused), sum(|c| c.wrong));
    let all = right + refused + wrong;
    let summary = format!(
        "{all} documents: {right} right, {refused} refused, {wrong} wrong\n{}",
        worst(&counts)
    );
    if rounds.is_some() {
        println!("{summary}");
    }
    assert!(wrong * 1000 <= all * MAX_WRONG_PER_MILLE, "{summary}");
    assert!(right * 100 >= all * MIN_RIGHT_PERCENT, "{summary}");
}

fn count(rounds: usize) -> BTreeMap<&'static str, Counts> {
    let mut counts = BTreeMap::<_, Counts>::new();
    let mut seeds = 0;
    let all = [around::ALL, structure::ALL, texts::ALL, words::ALL];
    for kind in kinds() {
        let reader = Reader::new(&kind.schema).unwrap().may_be_truncated(true);
        let validator = jsonschema::validator_for(&kind.schema).unwrap();
        for mistake in all.into_iter().flatten() {
            for _ in 0..rounds {
                let mut rng = Rng::with_seed(seeds);
                seeds += 1;
                let value = kind.value(&mut rng);
                let page = Page::new(&value, &mut rng);
                let Some(text) = (mistake.2)(&page, &mut rng) else { continue };
                if is_other_json(&text, &value, &validator) {
                    continue;
                }
                judge(counts.entry(mistake.0).or_default(), &reader, &value, &text, mistake.1);
            }
        }
    }
    counts
}

/// Returns whether a text is still valid JSON for the schema of the document.
fn is_other_json(text: &str, value: &Value, validator: &Validator) -> bool {
    let parsed: Option<Value> = strict(text);
    parsed.is_some_and(|parsed| parsed == *value || validator.is_valid(&parsed))
}

fn judge(counts: &mut Counts, reader: &Reader, value: &Value, text: &str, right: Right) {
    let (outcome, said) = match reader.read(text) {
        Ok(reading) if is_same(&reading.value, value) => (&mut counts.right, None),
        Ok(reading) => (&mut counts.wrong, Some(format!("WRONG {}", reading.value))),
        Err(unreadable) => {
            assert!(!unreadable.issues.is_empty(), "{text}");
            let message = Some(format!("refused {}", unreadable.issues));
            match right {
                Right::Read => (&mut counts.refused, message),
                Right::Refused => (&mut counts.right, None),
            }
        }
    };
    *outcome += 1;
    if let Some(said) = said {
        counts.examples.push(format!("{text}\n      {said}"));
    }
}

/// Returns whether two values are equal, comparing numbers by value and treating `null` as absent.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has = |a: &serde_json::Map<_, Value>, b: &serde_json::Map<_, Value>| {
                a.iter()
                    .all(|(key, a): (&String, _)| is_same(a, b.get(key).unwrap_or(&Value::Null)))
            };
            has(one, other) && has(other, one)
        }
        _ => one == other,
    }
}

/// Prints the kinds of mistakes with the lowest success rates, with examples.
fn worst(counts: &BTreeMap<&'static str, Counts>) -> String {
    let shown: usize =
        std::env::var("COT_EXAMPLES").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let mut bad: Vec<_> = counts.iter().filter(|(_, c)| c.wrong + c.refused > 0).collect();
    bad.sort_by_key(|(_, c)| std::cmp::Reverse((c.wrong, c.refused)));
    let mut lines = String::new();
    for (name, c) in bad {
        lines +=
            &format!("  {name}: {} wrong, {} refused, {} right\n", c.wrong, c.refused, c.right);
        let mut examples: Vec<_> = c.examples.iter().collect();
        examples.sort_by_key(|text| !text.contains("\n      WRONG"));
        for example in examples.into_iter().take(shown) {
            lines += &format!("    {example}\n");
        }
    }
    lines
}
