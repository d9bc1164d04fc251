//! Valid and faulty replies of any size.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Report {
    pub(crate) title: String,
    pub(crate) findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Finding {
    /// What was found.
    text: String,
    kind: Kind,
    certainty: f64,
    #[schemars(length(max = 20))]
    page_numbers: Vec<u32>,
    is_checked: bool,
    source: Option<Source>,
    action: Action,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    HighWater,
    LowWater,
    Storm,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Source {
    name: String,
    year: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Action {
    Wait,
    Ask { whom: String },
    Build { what: String, height: f64 },
}

/// Creates a report whose JSON has approximately this length in bytes.
pub(crate) fn report(size: usize) -> Report {
    let mut report = Report { title: "What the sea \"says\"".to_owned(), findings: Vec::new() };
    let mut length = 40;
    while length < size {
        let finding = finding(report.findings.len() as u32);
        length += serde_json::to_string(&finding).expect("JSON").len() + 1;
        report.findings.push(finding);
    }
    report
}

fn finding(number: u32) -> Finding {
    let kinds = [Kind::HighWater, Kind::LowWater, Kind::Storm];
    Finding {
        text: format!(
            "On day {number} the water rose by some inches,\nand \"fell\" again, and so it goes."
        ),
        kind: kinds[number as usize % 3].clone(),
        certainty: f64::from(number % 100) / 128.0,
        page_numbers: vec![number, number + 1, number * 7 + 1000],
        is_checked: number.is_multiple_of(2),
        source: (!number.is_multiple_of(3))
            .then(|| Source { name: format!("log book {number}"), year: 1900 + number % 100 }),
        action: match number % 3 {
            0 => Action::Wait,
            1 => Action::Ask { whom: "the keeper of the light".to_owned() },
            _ => Action::Build { what: "a wall".to_owned(), height: 2.5 },
        },
    }
}

/// Writes a report with a mistake at this distance in bytes, in a fence inside prose.
pub(crate) fn broken(report: &Report, gap: usize) -> String {
    let value = serde_json::to_value(report).expect("JSON");
    let mut writer =
        Writer { out: "Sure, here it is:\n```json\n".to_owned(), gap, next: 0, count: 0 };
    writer.value(&value);
    writer.out + "\n```\nAnything else?"
}

/// Writes JSON with common mistakes.
struct Writer {
    out: String,
    gap: usize,
    /// The offset from which the next mistake is due.
    next: usize,
    count: usize,
}

impl Writer {
    /// Returns the number of the next mistake, or `None` if it is not due.
    fn mistake(&mut self, kinds: usize) -> Option<usize> {
        if self.out.len() < self.next {
            return None;
        }
        self.next = self.out.len() + self.gap;
        self.count += 1;
        Some(self.count % kinds)
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.word("null", "None"),
            Value::Bool(true) => self.word("true", "True"),
            Value::Bool(false) => self.word("false", "\"no\""),
            Value::Number(number) => self.word(&number.to_string(), &format!("\"{number}\"")),
            Value::String(text) => self.text(text),
            Value::Array(items) => self.all('[', items, ']', Self::value),
            Value::Object(members) => self.all('{', members, '}', |writer, (key, value)| {
                writer.key(key);
                writer.value(value);
            }),
        }
    }

    fn word(&mut self, right: &str, wrong: &str) {
        let is_wrong = self.mistake(1).is_some();
        self.out.push_str(if is_wrong { wrong } else { right });
    }

    fn all<T>(
        &mut self,
        opener: char,
        parts: impl IntoIterator<Item = T>,
        closer: char,
        write: impl Fn(&mut Self, T),
    ) {
        self.out.push(opener);
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                let comma = if self.mistake(2) == Some(0) { ", // and\n" } else { ", " };
                self.out.push_str(comma);
            }
            write(self, part);
        }
        if self.mistake(1).is_some() {
            self.out.push(',');
        }
        self.out.push(closer);
    }

    fn key(&mut self, key: &str) {
        let text = match self.mistake(3) {
            Some(0) => format!("{key}: "),
            Some(1) => format!("'{key}': "),
            Some(_) => format!("\"{}\": ", key.replace('_', "-").to_uppercase()),
            None => format!("\"{key}\": "),
        };
        self.out.push_str(&text);
    }

    fn text(&mut self, text: &str) {
        let json = Value::from(text).to_string();
        let wrong = match self.mistake(3) {
            Some(0) => json.replace("\\n", "\n"),
            Some(1) => format!("'{}'", text.replace('\n', "\\n")),
            Some(_) if !text.contains(' ') => json.to_uppercase(),
            Some(_) => json.replace("\\\"", "\""),
            None => json,
        };
        self.out.push_str(&wrong);
    }
}
