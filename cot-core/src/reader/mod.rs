//! Replies as models write them: JSON anywhere in prose, in fences, after thinking aloud.

use std::ops::Range;

use serde_json::Value;

use crate::{Issue, Issues, issue::cut_text};

use self::parse::{Fault, strict as parse};

mod coerce;
mod find;
mod parse;
mod regions;
mod repair;
mod target;

pub(crate) use coerce::Shape;
pub(crate) use find::{Prefix, prefix};
pub use repair::{Repair, RepairClass};
pub(crate) use repair::{Step, path_of};

/// What a reply was read as.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value, which fits the schema.
    pub value: Value,
    /// What had to be mended.
    pub repairs: Vec<Repair>,
}

/// Why a reply could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreadable {
    /// What is wrong with it.
    pub issues: Issues,
    /// What had to be mended before that could be said.
    pub repairs: Vec<Repair>,
}

/// The one JSON object or array that a reply holds; else what came instead of it.
pub(crate) fn read(text: &str) -> Result<Value, Issues> {
    let whole = text.trim();
    if whole.is_empty() {
        return Err(expected("the reply is empty"));
    }
    match parse(whole) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        Ok(scalar) => Err(not_an_object(&scalar)),
        Err(_) => read_within(text),
    }
}

fn read_within(text: &str) -> Result<Value, Issues> {
    let mut found = Found::default();
    for region in regions::of(text) {
        found.add(text, region);
        if found.objects.len() == MAX_VALUES {
            break;
        }
    }
    found.into_value(text)
}

/// How many different values are told apart.
const MAX_VALUES: usize = 16;

/// What the regions of a reply turned out to be.
#[derive(Default)]
struct Found {
    objects: Vec<Value>,
    arrays: Vec<Value>,
    /// The region that is most likely a failed answer.
    broken: Option<Broken>,
}

/// A region that is not JSON, and why.
struct Broken {
    region: Range<usize>,
    fault: Fault,
    /// Whether it was meant as JSON, and is no bracket in prose.
    meant: bool,
}

impl Found {
    fn add(&mut self, text: &str, region: Range<usize>) {
        let json = text.get(region.clone()).unwrap_or_default();
        match parse(json) {
            Ok(value @ Value::Object(_)) => push_new(&mut self.objects, value),
            Ok(value) => push_new(&mut self.arrays, value),
            Err(fault) => {
                let meant = regions::starts_object(json);
                self.add_broken(Broken { region, fault, meant });
            }
        }
    }

    fn add_broken(&mut self, broken: Broken) {
        let rank = |broken: &Broken| (broken.meant, broken.region.len());
        if self.broken.as_ref().is_none_or(|known| rank(known) < rank(&broken)) {
            self.broken = Some(broken);
        }
    }

    fn into_value(self, text: &str) -> Result<Value, Issues> {
        // Prose has brackets too, as in "see [1]": where there are objects, arrays don't count.
        let mut values = if self.objects.is_empty() { self.arrays } else { self.objects };
        match (values.pop(), values.len(), self.broken) {
            // What can be read may be an example beside the answer.
            (Some(_), _, Some(broken)) if broken.meant => Err(broken.issues(text)),
            (Some(value), 0, _) => Ok(value),
            (Some(_), others, _) => Err(ambiguous(others + 1)),
            (None, _, Some(broken)) => Err(broken.issues(text)),
            (None, _, None) => Err(no_json(text)),
        }
    }
}

impl Broken {
    fn issues(&self, text: &str) -> Issues {
        match &self.fault {
            Fault::Malformed(error) => expected(&malformed(text, &self.region, error)),
            Fault::Twice(twice) => twice.issue().into(),
        }
    }
}

/// Keeps values that differ: a model that repeats its answer has given one.
fn push_new(values: &mut Vec<Value>, value: Value) {
    if values.len() < MAX_VALUES && !values.contains(&value) {
        values.push(value);
    }
}

fn expected(what_came: &str) -> Issues {
    Issues::at("$", format!("{what_came}; answer with one JSON object"))
}

fn no_json(text: &str) -> Issues {
    let said = Value::String(cut_text(text, MAX_SAID_BYTES).to_owned());
    Issue::new("$", "the reply holds no JSON; answer with one JSON object").with_value(&said).into()
}

/// How much of a reply without JSON is taken up, before the issue cuts it.
const MAX_SAID_BYTES: usize = 1000;

fn not_an_object(scalar: &Value) -> Issues {
    let what = match scalar {
        Value::String(_) => "a string",
        Value::Number(_) => "a number",
        Value::Bool(_) => "a bool",
        _ => "null",
    };
    let message = format!("the reply is {what} alone; answer with one JSON object");
    Issue::new("$", message).with_value(scalar).into()
}

fn ambiguous(count: usize) -> Issues {
    let count = if count < MAX_VALUES { count.to_string() } else { "many".to_owned() };
    Issues::at("$", format!("the reply holds {count} different JSON values; answer with one alone"))
}

fn malformed(text: &str, region: &Range<usize>, error: &serde_json::Error) -> String {
    let (line, column) = position(text, region.start, error);
    let reason = error.to_string();
    let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
    let what = if error.is_eof() { "breaks off" } else { "is malformed" };
    format!("the JSON {what} at line {line}, column {column} of the reply: {reason}")
}

/// Where in the text an error is that was found in a part of it.
fn position(text: &str, start: usize, error: &serde_json::Error) -> (usize, usize) {
    let before = text.get(..start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + error.line();
    let indent = if error.line() == 1 { start - line_start } else { 0 };
    (line, error.column() + indent)
}

#[cfg(test)]
mod tests;
