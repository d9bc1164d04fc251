//! Several values in a row and nothing else, as in newline-delimited JSON.

use std::ops::Range;

use serde_json::Value;

use crate::reader::{
    parse::{self, Fuel, Parsed},
    repair::{RepairClass, Repairs},
};

/// The list of the values that a text consists of, if there are several that differ.
pub(super) fn read(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Vec<Parsed>> {
    let text = text.get(..whole.end)?;
    let mut values = Vec::new();
    let mut repairs = Repairs::default();
    let mut at = whole.start;
    while at < whole.end {
        let (value, end, mended) = next(text, at, fuel)?;
        values.push(value);
        repairs.append(mended);
        let rest = text.get(end..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', ',']).len();
        at = end + blank;
        if blank == 0 && !rest.is_empty() && !rest.starts_with('{') {
            return None;
        }
    }
    let first = values.first()?;
    if values.iter().all(|value| value == first) {
        return None;
    }
    repairs.add(&[], RepairClass::Syntax, 4, "values in a row for a list");
    Some(vec![Parsed { value: Value::Array(values), repairs, cut: None }])
}

fn next(text: &str, at: usize, fuel: &Fuel) -> Option<(Value, usize, Repairs)> {
    let rest = text.get(at..)?;
    if !rest.starts_with('{') {
        return None;
    }
    if let Some((value, length)) = parse::strict_start(rest) {
        return value.map(|value| (value, at + length, Repairs::default()));
    }
    let lenient = parse::lenient(text, at, fuel).ok()?;
    let [only] = <[Parsed; 1]>::try_from(lenient.readings).ok()?;
    only.cut.is_none().then_some((only.value, lenient.end, only.repairs))
}
