//! Replies that are one value as a whole, but for what is around it or was done to all of it.

use std::ops::Range;

use serde_json::Value;

use super::{
    candidate::{Candidate, Candidates, Found, Origin},
    tags,
};
use crate::{
    parse::{self, fuel::Fuel, parsed::Parsed},
    repair::{catalogue::RepairKind, repairs::Repairs},
};

/// The candidates of a reply whose quotes are all written as HTML writes them, as they are found once the
/// signs are replaced.
pub(super) fn html(json: &str, candidates: fn(&str) -> Candidates) -> Option<Candidates> {
    if !json.contains("&quot;") || json.contains('"') {
        return None;
    }
    let plain = json.replace("&quot;", "\"").replace("&#39;", "'").replace("&apos;", "'");
    let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let mut found = candidates(&plain);
    for candidate in &mut found.list {
        if let Found::Readings(readings) = &mut candidate.found {
            for parsed in readings {
                parsed.repairs.add(&[], RepairKind::HtmlSigns);
            }
        }
    }
    Some(found)
}

/// An object or a list that lacks nothing but its first bracket.
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
    repairs.add(&[], RepairKind::MissingOpener.about(opener));
    let found = Found::Readings(vec![Parsed { value, repairs, cut: None }]);
    let list = vec![Candidate { span: whole.clone(), origin: Origin::Whole, found }];
    Some(Candidates { list, has_more: false })
}

/// The readings of a list of words without quotes that is all of a fence.
pub(super) fn words(text: &str, inner: &Range<usize>, fuel: &Fuel) -> Option<Vec<Parsed>> {
    let list = text.get(inner.clone())?;
    if !list.starts_with('[') || !list.ends_with(']') {
        return None;
    }
    let lenient = parse::lenient(text, inner.start, fuel).ok()?;
    (lenient.end == inner.end).then_some(lenient.readings)
}

/// The text in quotes that is all of the one fence in a reply.
pub(super) fn fenced_text(json: &str) -> Option<Parsed> {
    let mut parts = json.split("```");
    let (_, inside) = (parts.next()?, parts.next()?);
    let (_, inside) = inside.split_once('\n')?;
    let value = parse::strict(inside.trim()).filter(Value::is_string)?;
    let is_only = parts.nth(1).is_none();
    is_only.then(|| Parsed { value, repairs: Repairs::default(), cut: None })
}

/// What a reply says after its thoughts, without the one fence or tag around it.
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
