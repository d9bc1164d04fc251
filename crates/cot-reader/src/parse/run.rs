//! One text, read under one policy or two.

use cot_schema::internal::cut_text;
use serde_json::Value;

use super::{
    cursor::{Parse, Parser, Policy, Stop},
    fuel::Fuel,
    parsed::Parsed,
};
use crate::repair::{catalogue::RepairKind, repairs::Repairs};

/// What a part of a text was read as.
#[derive(Debug)]
pub(crate) struct Lenient {
    /// At least one, the cheapest first, all different.
    pub(crate) readings: Vec<Parsed>,
    /// Where the text goes on after it.
    pub(crate) end: usize,
}

/// Reads the JSON that starts at a place, up to the end of the text at most.
pub(crate) fn lenient(text: &str, start: usize, fuel: &Fuel) -> Result<Lenient, Box<Stop>> {
    if let Some(plain) = unescaped(text, start) {
        return lenient_escaped(text, start, &plain, fuel);
    }
    let early = once(text, start, Policy::Early, fuel);
    if !matches!(&early, (_, true)) {
        return early.0.map(|(parsed, end)| Lenient { readings: vec![parsed], end });
    }
    match (early.0, once(text, start, Policy::Late, fuel).0) {
        (Ok(early), Ok(late)) => Ok(both(text, early, late)),
        (Ok((parsed, end)), Err(_)) | (Err(_), Ok((parsed, end))) => {
            Ok(Lenient { readings: vec![parsed], end })
        }
        (Err(stop), Err(_)) => Err(stop),
    }
}

fn both(text: &str, early: (Parsed, usize), late: (Parsed, usize)) -> Lenient {
    let rank = |(mut parsed, end): (Parsed, usize)| {
        if has_leftover(text, end) {
            parsed.repairs.add(&[], RepairKind::TextAfter);
        }
        (parsed, end)
    };
    let (early, late) = (rank(early), rank(late));
    let (first, second) =
        if late.0.repairs.cost() < early.0.repairs.cost() { (late, early) } else { (early, late) };
    let end = first.1;
    let mut readings = vec![first.0];
    if readings.iter().all(|known| known.value != second.0.value) {
        readings.push(second.0);
    }
    Lenient { readings, end }
}

/// Whether quotes or closers come after a value, on the same line.
fn has_leftover(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let line = cut_text(line, 400);
    line.contains(['"', '}', ']']) && !line.trim_ascii_start().starts_with(['`', '<'])
}

/// Reads once; whether another policy would read something else comes with it.
fn once(
    text: &str,
    start: usize,
    policy: Policy,
    fuel: &Fuel,
) -> (Result<(Parsed, usize), Box<Stop>>, bool) {
    let mut parser = Parser::new(text, start, policy, fuel);
    let read = parser.root();
    let is_unsure = parser.is_unsure;
    let end = parser.at;
    let parsed =
        read.map(|value| (Parsed { value, repairs: parser.repairs, cut: parser.cut }, end));
    (parsed, is_unsure)
}

/// What has come of a value that is still coming in, and how many values in it are unfinished.
pub(crate) struct Coming {
    pub(crate) value: Value,
    pub(crate) open: usize,
}

/// Reads the JSON that starts at a place of a text of which more is to come.
pub(crate) fn coming(text: &str, start: usize, fuel: &Fuel) -> Option<Coming> {
    let plain = unescaped(text, start);
    let (text, start) = plain.as_deref().map_or((text, start), |plain| (plain, 0));
    let mut parser = Parser::new(text, start, Policy::Early, fuel);
    parser.is_coming = true;
    let value = parser.root().ok()?;
    Some(Coming { value, open: parser.unfinished })
}

impl<'t, 'f> Parser<'t, 'f> {
    pub(super) fn new(text: &'t str, at: usize, policy: Policy, fuel: &'f Fuel) -> Self {
        Self {
            text,
            at,
            policy,
            is_coming: false,
            open: Vec::new(),
            path: Vec::new(),
            repairs: Repairs::default(),
            cut: None,
            is_unsure: false,
            has_bare_keys: false,
            unfinished: 0,
            is_after_odd_item: false,
            bare_backslashes: None,
            fuel,
        }
    }

    fn root(&mut self) -> Parse<Value> {
        match self.value()? {
            Some(value) => Ok(value),
            None => self.malformed("expected a value"),
        }
    }
}

/// The text from a place on without its escapes, if it is JSON that was escaped: `{\"a\": 1}`.
fn unescaped(text: &str, start: usize) -> Option<String> {
    let rest = text.get(start..)?;
    let inside = rest.trim_start_matches(['{', '[', ' ', '\n', '\r', '\t']);
    let is_line = |text: &str| text.starts_with("\\n") || text.starts_with("\\\"");
    if inside.len() == rest.len() || !is_line(inside) || !is_escaped(rest) {
        return None;
    }
    let mut plain = String::with_capacity(rest.len());
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        let c = if c == '\\' { unescape(&mut chars, &mut plain) } else { c };
        plain.push(c);
    }
    Some(plain)
}

/// Whether all brackets are closed before the first quote that is not escaped.
fn is_escaped(text: &str) -> bool {
    let mut quotes = text.match_indices('"').map(|(at, _)| at);
    let plain = quotes.find(|at| !text.get(..*at).unwrap_or_default().ends_with('\\'));
    let count = |signs| text.get(..plain.unwrap_or(0)).unwrap_or_default().matches(signs).count();
    plain.is_none() || count(['{', '[']) == count(['}', ']'])
}

/// The character that an escape stands for; a backslash before it, if it is an escape of JSON's own.
fn unescape(chars: &mut std::str::Chars<'_>, plain: &mut String) -> char {
    match chars.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some(c @ ('"' | '\\' | '/' | '\'')) => c,
        Some(c) => {
            plain.push('\\');
            c
        }
        None => '\\',
    }
}

fn lenient_escaped(
    text: &str,
    start: usize,
    plain: &str,
    fuel: &Fuel,
) -> Result<Lenient, Box<Stop>> {
    let place = |end: usize| escaped_place(text, start, end);
    let mut parser = Parser::new(plain, 0, Policy::Early, fuel);
    // What was escaped twice or once is the same but for its backslashes.
    parser.bare_backslashes = Some(true);
    let read = parser.root();
    let end = parser.at;
    match read {
        Ok(value) => {
            let mut parsed = Parsed { value, repairs: parser.repairs, cut: parser.cut };
            parsed.repairs.add(&[], RepairKind::EscapedJson);
            Ok(Lenient { readings: vec![parsed], end: place(end) })
        }
        Err(mut stop) => {
            stop.at = place(stop.at);
            Err(stop)
        }
    }
}

/// Where a place of the text without escapes is in the text with them.
fn escaped_place(text: &str, start: usize, place: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let mut chars = rest.chars();
    let mut plain = String::new();
    while plain.len() < place {
        let Some(c) = chars.next() else { break };
        let c = if c == '\\' { unescape(&mut chars, &mut plain) } else { c };
        plain.push(c);
    }
    text.len() - chars.as_str().len()
}
