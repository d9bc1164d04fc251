//! Corrupts replies for realistic types as models do. Each is read as the original value or rejected.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use self::types::{Sample, samples};
use crate::reader::Reader;

mod dialects;
mod generated;
mod plain;
mod types;

/// The number of corruptions of each value.
const ROUNDS: u64 = 40;
/// Minimum percentage of values with one corruption that must be read.
const MIN_READ: usize = 98;

#[test]
fn spoiled_values_are_read_as_they_were_or_refused() {
    let (mut read, mut all) = (0, 0);
    for sample in samples() {
        let reader = Reader::new(&sample.schema).expect("a schema");
        for seed in 0..ROUNDS {
            for count in [1, 2, 5] {
                let is_read = survives(&sample, &reader, seed, count);
                read += usize::from(is_read && count == 1);
                all += usize::from(count == 1);
            }
        }
    }
    assert!(read * 100 >= all * MIN_READ, "{read} of {all} are read");
}

/// Returns whether a corrupted value is read, and asserts that the result is the original value.
fn survives(sample: &Sample, reader: &Reader, seed: u64, count: usize) -> bool {
    let mut spoiler = Spoiler::new(sample, seed);
    let mut spoiled = sample.value.clone();
    for _ in 0..count {
        spoiled = spoiler.spoil(spoiled);
        spoiler.is_first = false;
    }
    let Ok(reading) = reader.read(&spoiled.to_string()) else { return false };
    let parsed = (sample.parse)(&reading.value);
    assert_eq!(
        parsed.as_ref(),
        Some(&sample.value),
        "{}, seed {seed}, {count} times: {spoiled} was read as {}",
        sample.name,
        reading.value,
    );
    true
}

/// Rewrites values in other forms of the same meaning.
struct Spoiler {
    /// The names of fields. Other keys are those of maps.
    fields: BTreeSet<String>,
    /// The names of enum variants. Other strings are free text.
    options: BTreeSet<String>,
    state: u64,
    /// Whether nothing was corrupted yet.
    is_first: bool,
}

impl Spoiler {
    fn new(sample: &Sample, seed: u64) -> Self {
        let mut spoiler = Self {
            fields: BTreeSet::new(),
            options: BTreeSet::new(),
            state: seed + 1,
            is_first: true,
        };
        spoiler.learn(&sample.schema);
        spoiler
    }

    fn learn(&mut self, schema: &Value) {
        for (key, value) in schema.as_object().into_iter().flatten() {
            match (key.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    self.fields.extend(properties.keys().cloned());
                }
                ("const", Value::String(option)) => _ = self.options.insert(option.clone()),
                ("enum", Value::Array(all)) => {
                    self.options.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                _ => {}
            }
            self.learn(value);
        }
        schema.as_array().into_iter().flatten().for_each(|schema| self.learn(schema));
    }

    /// Returns a random number below a limit, determined by the seed.
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from(mixed >> 33).expect("31 bits") % limit
    }

    /// Returns the value with one corruption.
    fn spoil(&mut self, value: Value) -> Value {
        match value {
            Value::Object(members) if !members.is_empty() && self.below(4) > 0 => {
                let place = self.below(members.len());
                let spoil = |(index, (key, value))| match index == place {
                    true => (key, self.spoil(value)),
                    false => (key, value),
                };
                Value::Object(members.into_iter().enumerate().map(spoil).collect())
            }
            Value::Array(mut items) if !items.is_empty() && self.below(4) > 0 => {
                let place = self.below(items.len());
                items[place] = self.spoil(items[place].take());
                Value::Array(items)
            }
            value => self.rewritten(value),
        }
    }

    fn rewritten(&mut self, value: Value) -> Value {
        match value {
            Value::Object(members) => self.object(members),
            Value::Array(mut items) => match self.below(3) {
                0 if items.len() == 1 => items.remove(0),
                // A list of one item, even in another list, could be a wrapped string.
                1 if items.len() > 1 && self.is_first => json!(Value::Array(items).to_string()),
                _ => self.wrapped(Value::Array(items)),
            },
            Value::Number(number) if self.below(3) > 0 => json!(self.number(&number.to_string())),
            Value::Bool(value) if self.below(3) > 0 => {
                let words = if value { ["true", "Yes", "on"] } else { ["False", "no", "off"] };
                json!(words[self.below(3)])
            }
            Value::String(text) if self.options.contains(&text) => json!(self.renamed(&text)),
            Value::String(text) => match text.parse::<i64>() {
                Ok(number) if number.to_string() == text => json!(number),
                _ => self.wrapped(json!(text)),
            },
            Value::Null => Value::Null,
            value => self.wrapped(value),
        }
    }

    fn wrapped(&mut self, value: Value) -> Value {
        let is_list_as_text = value.as_str().is_some_and(|text| text.starts_with('['));
        match self.below(3) {
            _ if is_list_as_text => value,
            0 => json!({ "value": value }),
            1 => json!({ "reply": value }),
            _ => json!([value]),
        }
    }

    fn number(&mut self, digits: &str) -> String {
        let whole = digits.split('.').next().unwrap_or(digits);
        let rest = &digits[whole.len()..];
        let size = whole.trim_start_matches('-').len();
        match self.below(2) {
            0 if (4..=6).contains(&size) => {
                let (high, low) = whole.split_at(whole.len() - 3);
                format!("{high},{low}{rest}")
            }
            _ => digits.to_owned(),
        }
    }

    fn object(&mut self, members: Map<String, Value>) -> Value {
        // In these samples, only keys of maps end with a digit.
        let is_map = members.keys().all(|key| key.ends_with(|c: char| c.is_ascii_digit()));
        let is_wrapper = ["value", "reply"].iter().any(|key| members.contains_key(*key));
        match self.below(4) {
            0 if is_map && !is_wrapper => {
                let entry = |(key, value)| json!({ "key": key, "value": value });
                members.into_iter().map(entry).collect()
            }
            0 | 1 if !is_map => {
                let place = self.below(members.len());
                let rename = |(index, (key, value)): (usize, (String, Value))| match index == place
                {
                    true if self.fields.contains(&key) => (self.renamed(&key), value),
                    _ => (key, value),
                };
                Value::Object(members.into_iter().enumerate().map(rename).collect())
            }
            2 if !is_wrapper => json!(Value::Object(members).to_string()),
            3 if !is_map => members.into_iter().filter(|(_, value)| !value.is_null()).collect(),
            _ => self.wrapped(Value::Object(members)),
        }
    }

    /// Returns a name in another case with other separators.
    fn renamed(&mut self, name: &str) -> String {
        let mut words = String::new();
        for c in name.chars() {
            let is_start = c.is_uppercase() && words.ends_with(char::is_lowercase);
            words.push_str(if is_start { " " } else { "" });
            words.push(if matches!(c, '_' | '-') { ' ' } else { c });
        }
        match self.below(4) {
            0 => words.to_uppercase(),
            1 => words.to_lowercase().replace(' ', "-"),
            2 => words.to_lowercase().replace(' ', "_"),
            _ => words.replace(' ', ""),
        }
    }
}
