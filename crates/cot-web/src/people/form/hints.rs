//! What a schema demands of a value, as sentences.

use cot_schema::internal::Place;
use serde_json::{Number, Value};

use super::field::{FieldKind, TextKind};

/// Examples for the formats of texts.
const FORMATS: [(&str, &str); 9] = [
    ("date-time", "A date and a time, such as 2026-05-17T14:30:00Z."),
    ("partial-date-time", "A date and a time, such as 2026-05-17T14:30:00."),
    ("time", "A time, such as 14:30:00Z."),
    ("partial-time", "A time, such as 14:30:00."),
    ("duration", "A duration, such as PT1H30M."),
    ("uuid", "A UUID, such as 67e55044-10b1-426f-9247-bb680e5fe0c8."),
    ("ipv4", "An address, such as 192.0.2.1."),
    ("ipv6", "An address, such as 2001:db8::1."),
    ("char", "One character."),
];

/// Returns the demands of the schemas of a place.
pub(super) fn hints(place: &Place<'_>, kind: &FieldKind<'_>, is_whole: bool) -> Vec<String> {
    match kind {
        FieldKind::Text(kind) => text_hints(place, *kind),
        FieldKind::Number => number_hints(place, is_whole),
        FieldKind::List(list) => match list.items {
            Some(_) => size(place, "minItems", "maxItems", ["row", "rows"]).into_iter().collect(),
            None => Vec::new(),
        },
        FieldKind::Object(object) if object.rest.is_some() => {
            let mut hints: Vec<_> =
                size(place, "minProperties", "maxProperties", ["entry", "entries"])
                    .into_iter()
                    .collect();
            let patterns = place.patterns.iter().map(|(pattern, _)| *pattern);
            hints.extend(patterns.map(|pattern| format!("Keys match the pattern {pattern}.")));
            hints
        }
        _ => Vec::new(),
    }
}

fn text_hints(place: &Place<'_>, kind: TextKind) -> Vec<String> {
    let mut hints = Vec::new();
    hints.extend(size(place, "minLength", "maxLength", ["character", "characters"]));
    let format = place.keyword_values("format").find_map(Value::as_str);
    let example = FORMATS.iter().find(|(name, _)| Some(*name) == format);
    match (example, format) {
        (Some((_, example)), _) => hints.push((*example).to_owned()),
        (None, Some(format)) if kind == TextKind::Short => {
            hints.push(format!("In the format {format}."));
        }
        _ => {}
    }
    let patterns = place.keyword_values("pattern").filter_map(Value::as_str);
    hints.extend(patterns.map(|pattern| format!("Matches the pattern {pattern}.")));
    hints
}

fn number_hints(place: &Place<'_>, is_whole: bool) -> Vec<String> {
    let limit = |keyword: &str| {
        let values = place.keyword_values(keyword).filter_map(Value::as_number);
        values.cloned().collect::<Vec<Number>>()
    };
    let largest = |limits: Vec<Number>| limits.into_iter().max_by(compare);
    let smallest = |limits: Vec<Number>| limits.into_iter().min_by(compare);
    let what = if is_whole { "A whole number" } else { "A number" };
    let (low, high) = (largest(limit("minimum")), smallest(limit("maximum")));
    let range = match (low, high) {
        (Some(low), Some(high)) => Some(format!("{what} from {low} to {high}.")),
        (Some(low), None) => Some(format!("{what}, at least {low}.")),
        (None, Some(high)) => Some(format!("{what}, at most {high}.")),
        (None, None) if is_whole => Some(format!("{what}.")),
        (None, None) => None,
    };
    let mut hints: Vec<_> = range.into_iter().collect();
    hints.extend(largest(limit("exclusiveMinimum")).map(|low| format!("More than {low}.")));
    hints.extend(smallest(limit("exclusiveMaximum")).map(|high| format!("Less than {high}.")));
    hints.extend(limit("multipleOf").first().map(|step| format!("A multiple of {step}.")));
    hints
}

fn compare(one: &Number, other: &Number) -> std::cmp::Ordering {
    let float = |number: &Number| number.as_f64().unwrap_or_default();
    float(one).total_cmp(&float(other))
}

/// Describes the limits of a size.
fn size(place: &Place<'_>, min: &str, max: &str, [one, many]: [&str; 2]) -> Option<String> {
    let noun = |count: u64| if count == 1 { one } else { many };
    match (place.lower_limit(min), place.upper_limit(max)) {
        (0, None) => None,
        (0, Some(max)) => Some(format!("At most {max} {}.", noun(max))),
        (min, None) => Some(format!("At least {min} {}.", noun(min))),
        (min, Some(max)) if min == max => Some(format!("Exactly {min} {}.", noun(min))),
        (min, Some(max)) => Some(format!("{min} to {max} {}.", noun(max))),
    }
}
