//! Runs the lenient parser with one or both policies.

use cot_schema::internal::truncate;
use serde_json::Value;

use super::{
    cursor::{Parse, Parser, Policy, Stop},
    fuel::Fuel,
    parsed::ParsedValue,
};
use crate::repair::{catalogue::RepairKind, repairs::Repairs};

/// The result of lenient parsing.
#[derive(Debug)]
pub(crate) struct LenientResult {
    /// One or more possible readings, cheapest first, with distinct values.
    pub(crate) readings: Vec<ParsedValue>,
    /// The position after the value.
    pub(crate) end: usize,
}

/// Parses the JSON at a position leniently. Ambiguous text has two readings.
pub(crate) fn lenient(text: &str, start: usize, fuel: &Fuel) -> Result<LenientResult, Box<Stop>> {
    if let Some(plain) = unescaped(text, start) {
        return lenient_escaped(text, start, &plain, fuel);
    }
    let early = parse_once(text, start, Policy::Early, fuel);
    if !matches!(&early, (_, true)) {
        return early.0.map(|(parsed, end)| LenientResult { readings: vec![parsed], end });
    }
    // Where all texts are whole, a mistake elsewhere changes none of them.
    if let Ok((parsed, end)) = parse_once(text, start, Policy::Exact, fuel).0
        && parsed.cut.is_none()
        && parsed.repairs.iter().all(|repair| RepairKind::BESIDE_TEXTS.contains(&repair.kind()))
        && !has_leftover(text, end)
    {
        return Ok(LenientResult { readings: vec![parsed], end });
    }
    match (early.0, parse_once(text, start, Policy::Late, fuel).0) {
        // A quote too few and another one too few or too many: they are those of a quotation within a text.
        (Ok((early, _)), Ok((late, end))) if is_split(&early) => {
            Ok(LenientResult { readings: vec![late], end })
        }
        (Ok(early), Ok(late)) => Ok(merge_readings(text, early, late)),
        // An ambiguity is a better reason than an end that another reading does not find.
        (Err(stop), Ok((late, _))) if late.cut.is_some() && stop.is_meant() => Err(stop),
        (Ok((parsed, end)), Err(_)) | (Err(_), Ok((parsed, end))) => {
            Ok(LenientResult { readings: vec![parsed], end })
        }
        (Err(stop), Err(_)) => Err(stop),
    }
}

fn is_split(parsed: &ParsedValue) -> bool {
    let has = |kind| parsed.repairs.contains(kind);
    has(RepairKind::NoClosingQuote)
        && (has(RepairKind::RepeatedQuotes) || has(RepairKind::NoOpeningQuote))
}

fn merge_readings(
    text: &str,
    early: (ParsedValue, usize),
    late: (ParsedValue, usize),
) -> LenientResult {
    let rank = |(mut parsed, end): (ParsedValue, usize)| {
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
    LenientResult { readings, end }
}

/// Returns whether quotes or closing brackets follow a value on the same line.
fn has_leftover(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let line = truncate(line, 400);
    line.contains(['"', '}', ']']) && !line.trim_ascii_start().starts_with(['`', '<'])
}

/// Parses with one policy. Also returns whether the other policy could lead to another result.
fn parse_once(
    text: &str,
    start: usize,
    policy: Policy,
    fuel: &Fuel,
) -> (Result<(ParsedValue, usize), Box<Stop>>, bool) {
    let mut parser = Parser::new(text, start, policy, fuel);
    let read = parser.root();
    let is_ambiguous = parser.is_ambiguous;
    let end = parser.at;
    let parsed =
        read.map(|value| (ParsedValue { value, repairs: parser.repairs, cut: parser.cut }, end));
    (parsed, is_ambiguous)
}

/// An incomplete value with the number of unfinished values at its end.
pub(crate) struct IncompleteValue {
    pub(crate) value: Value,
    pub(crate) open: usize,
}

/// Parses the incomplete JSON at a position leniently.
pub(crate) fn lenient_incomplete(text: &str, start: usize, fuel: &Fuel) -> Option<IncompleteValue> {
    let plain = unescaped(text, start);
    let (text, start) = plain.as_deref().map_or((text, start), |plain| (plain, 0));
    let mut parser = Parser::new(text, start, Policy::Early, fuel);
    parser.is_incomplete = true;
    let value = parser.root().ok()?;
    Some(IncompleteValue { value, open: parser.unfinished })
}

impl<'t, 'f> Parser<'t, 'f> {
    pub(super) fn new(text: &'t str, at: usize, policy: Policy, fuel: &'f Fuel) -> Self {
        Self {
            text,
            at,
            policy,
            is_incomplete: false,
            open: Vec::new(),
            path: Vec::new(),
            repairs: Repairs::default(),
            cut: None,
            is_ambiguous: false,
            has_bare_keys: false,
            unfinished: 0,
            is_after_odd_item: false,
            bare_backslashes: None,
            trace: None,
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

/// Unescapes the text at a position if it is escaped JSON: `{\"a\": 1}`.
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

/// Like [`unescaped`], with the position in the text of each byte of the result.
pub(super) fn unescaped_with_places(text: &str, start: usize) -> Option<(String, Vec<usize>)> {
    unescaped(text, start)?;
    let rest = text.get(start..)?;
    let (mut plain, mut places) = (String::with_capacity(rest.len()), Vec::new());
    let mut chars = rest.chars();
    loop {
        let at = text.len() - chars.as_str().len();
        let Some(c) = chars.next() else { break };
        let c = if c == '\\' { unescape(&mut chars, &mut plain) } else { c };
        plain.push(c);
        places.resize(plain.len(), at);
    }
    Some((plain, places))
}

/// Returns whether all brackets are closed before the first unescaped quote.
fn is_escaped(text: &str) -> bool {
    let mut quotes = text.match_indices('"').map(|(at, _)| at);
    let plain = quotes.find(|at| !text.get(..*at).unwrap_or_default().ends_with('\\'));
    let count = |signs| text.get(..plain.unwrap_or(0)).unwrap_or_default().matches(signs).count();
    plain.is_none() || count(['{', '[']) == count(['}', ']'])
}

/// Returns the character of an escape. Other escapes are kept: the backslash is appended to `plain`.
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
) -> Result<LenientResult, Box<Stop>> {
    let place = |end: usize| escaped_place(text, start, end);
    let mut parser = Parser::new(plain, 0, Policy::Early, fuel);
    // Whether the text was escaped once or twice matters only for its backslashes.
    parser.bare_backslashes = Some(true);
    let read = parser.root();
    let end = parser.at;
    match read {
        Ok(value) => {
            let mut parsed = ParsedValue { value, repairs: parser.repairs, cut: parser.cut };
            parsed.repairs.add(&[], RepairKind::EscapedJson);
            Ok(LenientResult { readings: vec![parsed], end: place(end) })
        }
        Err(mut stop) => {
            stop.at = place(stop.at);
            Err(stop)
        }
    }
}

/// Converts a position in the unescaped text to the position in the escaped text.
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
