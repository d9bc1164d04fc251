//! Reads replies that consist of one value with a decoration or encoding.

use std::ops::Range;

use cot_schema::internal::PathSegment;
use serde_json::Value;

use super::{
    candidate::{Candidate, CandidateContent, Candidates, Origin},
    tags,
};
use crate::{
    parse::{self, fuel::Fuel, parsed::ParsedValue},
    repair::{catalogue::RepairKind, repairs::Repairs},
};

/// Unescapes HTML entities and returns the candidates of the result, if all quotes of a reply are escaped
/// so.
pub(super) fn html(json: &str, candidates: fn(&str) -> Candidates) -> Option<Candidates> {
    if !json.contains("&quot;") || json.contains('"') {
        return None;
    }
    let plain = json.replace("&quot;", "\"").replace("&#39;", "'").replace("&apos;", "'");
    let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let mut found = candidates(&plain);
    for candidate in &mut found.list {
        if let CandidateContent::Readings(readings) = &mut candidate.content {
            for parsed in readings {
                parsed.repairs.add(&[], RepairKind::HtmlSigns);
            }
        }
    }
    Some(found)
}

/// Reads an object or list of which only the opening bracket is missing.
pub(super) fn opened(json: &str, whole: &Range<usize>) -> Option<Candidates> {
    let opener = match json.bytes().last()? {
        b'}' => "{",
        b']' => "[",
        _ => return None,
    };
    if !json.starts_with('"') {
        return None;
    }
    let value = parse::strict(&format!("{opener}{json}"))?;
    let mut repairs = Repairs::default();
    repairs.add(&[], RepairKind::MissingOpener.with_subject(opener));
    let content = CandidateContent::Readings(vec![ParsedValue { value, repairs, cut: None }]);
    let list = vec![Candidate { span: whole.clone(), origin: Origin::Whole, content }];
    Some(Candidates { list, has_more: false })
}

/// Reads an object whose only value is JSON between quotes, as a part of which no quote is escaped: with the JSON
/// as the value.
pub(super) fn unescaped_json(json: &str) -> Option<ParsedValue> {
    let inside = json.strip_prefix('{')?.strip_suffix('}')?.trim();
    let (key, rest) = inside.strip_prefix('"')?.split_once('"')?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let inner = without_blank_escapes(rest.strip_prefix('"')?.strip_suffix('"')?);
    let value = parse::strict(tags::without_tag(inner.trim()))?;
    if !value.is_object() && !value.is_array() {
        return None;
    }
    let mut repairs = Repairs::default();
    repairs.add(&[PathSegment::Key(key.to_owned())], RepairKind::InnerQuotes);
    Some(ParsedValue {
        value: Value::Object([(key.to_owned(), value)].into_iter().collect()),
        repairs,
        cut: None,
    })
}

/// Replaces escapes of white space outside of strings by spaces.
fn without_blank_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut is_quoted, mut chars) = (false, text.chars());
    while let Some(c) = chars.next() {
        is_quoted ^= c == '"';
        let escaped = if c == '\\' { chars.next() } else { None };
        match escaped {
            Some('n' | 't' | 'r') if !is_quoted => plain.push(' '),
            _ => plain.extend([Some(c), escaped].into_iter().flatten()),
        }
    }
    plain
}

/// Returns the readings of a fenced block that consists of a list of unquoted words.
pub(super) fn words(text: &str, inner: &Range<usize>, fuel: &Fuel) -> Option<Vec<ParsedValue>> {
    let list = text.get(inner.clone())?;
    if !list.starts_with('[') || !list.ends_with(']') {
        return None;
    }
    let lenient = parse::lenient(text, inner.start, fuel).ok()?;
    (lenient.end == inner.end).then_some(lenient.readings)
}

/// Reads a quoted string that is the content of the only fenced block in a reply.
pub(super) fn fenced_text(json: &str) -> Option<ParsedValue> {
    let mut parts = json.split("```");
    let (_, inside) = (parts.next()?, parts.next()?);
    let (_, inside) = inside.split_once('\n')?;
    let value = parse::strict(inside.trim()).filter(Value::is_string)?;
    let is_only = parts.nth(1).is_none();
    is_only.then(|| ParsedValue { value, repairs: Repairs::default(), cut: None })
}

/// Returns the text of a reply without thoughts and a surrounding fence or tag.
pub(super) fn answer(json: &str) -> &str {
    let answer = tags::without_thoughts(json).trim();
    let answer = tags::untagged(answer).unwrap_or(answer).trim();
    let fenced = || {
        let inside = answer.strip_prefix("```")?;
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+');
        let inside = inside.trim_start_matches(word).strip_prefix('\n')?;
        (!inside.contains("```")).then_some(inside)
    };
    let whole = fenced().or_else(|| answer.strip_suffix("```")).unwrap_or(answer).trim();
    if whole.contains("```") { "" } else { whole }
}
