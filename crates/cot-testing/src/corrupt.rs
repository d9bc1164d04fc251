//! Inserts a mistake into a valid reply.

use serde_json::{Map, Number, Value, json};

use super::random::Random;
use crate::{
    generate::generate::Step,
    shape::{
        node::{Shape, Texts},
        numbers::Numbers,
    },
};

/// Inserts a mistake into one part of a reply. The result can still be valid, for example if the schema
/// accepts unknown keys.
pub(super) fn corrupt(
    value: &mut Value,
    path: &[Step],
    shape: &Shape,
    random: &mut Random,
    names: &[String],
) {
    let Some(part) = part(value, path) else { return };
    match (shape, part) {
        (_, part) if random.percent(20) => *part = with_another_type(part, random),
        (Shape::OneOf(_), part) => *part = wrong_name(part, random, names),
        (Shape::Number(numbers), part) => *part = outside_bounds(numbers, part, random),
        (Shape::Text(texts), Value::String(text)) => corrupt_text(text, texts, random),
        (Shape::Object(_), Value::Object(members)) => corrupt_object(members, random),
        (Shape::List(_), Value::Array(items)) => corrupt_list(items, random),
        (_, part) => *part = with_another_type(part, random),
    }
}

fn part<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get_mut(name),
        Step::Item(position) => value.get_mut(position),
    })
}

fn with_another_type(value: &Value, random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(7),
        3 => json!("unknown"),
        4 => json!([value]),
        5 => json!({ "value": value }),
        6 => json!([]),
        // Numbers, lists and objects become text.
        _ => Value::String(value.to_string()),
    }
}

/// Returns a wrong name: a valid one in another case or with a typing error, or an unrelated one.
fn wrong_name(value: &Value, random: &mut Random, names: &[String]) -> Value {
    let Value::String(text) = value else {
        return with_another_type(value, random);
    };
    match (random.below(4), random.pick(names)) {
        (0 | 1, Some(other)) => json!(other),
        (0, None) => json!("something_else"),
        (1, None) => json!(""),
        (2, _) => json!(in_another_case(text)),
        _ => json!(with_a_typing_error(text, random)),
    }
}

fn in_another_case(text: &str) -> String {
    let upper = text.to_uppercase();
    if upper == text { text.to_lowercase() } else { upper }
}

fn with_a_typing_error(text: &str, random: &mut Random) -> String {
    let position = random.index(text.chars().count());
    let is_doubled = random.percent(50);
    let mut wrong = String::new();
    for (at, c) in text.chars().enumerate() {
        match (at == position, is_doubled) {
            (true, true) => wrong.extend([c, c]),
            (true, false) => {}
            (false, _) => wrong.push(c),
        }
    }
    wrong
}

fn outside_bounds(numbers: &Numbers, value: &Value, random: &mut Random) -> Value {
    let beyond = |whole: i128| Number::from_i128(whole).map_or(json!(1e30), Value::Number);
    match random.below(5) {
        0 => beyond(numbers.range.0.saturating_sub(1)),
        1 => beyond(numbers.range.1.saturating_add(1)),
        2 => json!(value.as_f64().unwrap_or_default() + 0.5),
        3 => json!(value.to_string()),
        _ => json!(if random.percent(50) { -1e300 } else { 1e300 }),
    }
}

/// The maximum length of a text that is generated to exceed its limit.
const MAX_LENGTH: u64 = 20_000;

fn corrupt_text(text: &mut String, texts: &Texts, random: &mut Random) {
    let missing =
        texts.max.filter(|max| *max < MAX_LENGTH).and_then(|max| usize::try_from(max).ok());
    match (random.below(3), missing) {
        (0, Some(max)) => text.extend(std::iter::repeat_n('x', max + 1)),
        (1, _) if texts.min > 0 => {
            let short = usize::try_from(texts.min - 1).unwrap_or(usize::MAX);
            *text = text.chars().take(short).collect();
        }
        (2, _) => text.insert(0, ' '),
        _ => *text = format!("?{text}?"),
    }
}

fn corrupt_object(members: &mut Map<String, Value>, random: &mut Random) {
    let chosen = random.index(members.len());
    let Some(key) = members.keys().nth(chosen).cloned() else {
        members.insert("goTo".to_owned(), json!("elsewhere"));
        return;
    };
    match random.below(4) {
        0 => _ = members.shift_remove(&key),
        1 => rename(members, &key, in_another_case(&key)),
        2 => rename(members, &key, with_a_typing_error(&key, random)),
        // An output combined with a transition.
        _ => _ = members.insert(random_key(random).to_owned(), json!("something more")),
    }
}

fn random_key(random: &mut Random) -> &'static str {
    random.pick(&["goTo", "intent", "stepAfter", "comment", "", "$ref"]).copied().unwrap_or("")
}

fn rename(members: &mut Map<String, Value>, key: &str, to: String) {
    if let Some(value) = members.shift_remove(key) {
        members.insert(to, value);
    }
}

fn corrupt_list(items: &mut Vec<Value>, random: &mut Random) {
    match random.below(4) {
        0 => items.clear(),
        1 => items.extend(items.clone()),
        2 => _ = items.pop(),
        _ => {
            let item = items.first().cloned().unwrap_or_default();
            items.extend(std::iter::repeat_n(item, MANY));
        }
    }
}

/// The number of items in a list that exceeds its limit.
const MANY: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_changed() {
        let random = &mut Random::seeded(1);
        for _ in 0..100 {
            assert_ne!(with_a_typing_error("done", random), "done");
            assert_ne!(wrong_name(&json!("done"), random, &["other".to_owned()]), json!("done"));
        }
        assert_eq!(in_another_case("done"), "DONE");
        assert_eq!(in_another_case("DONE"), "done");
    }

    #[test]
    fn a_part_that_is_not_there_is_left_alone() {
        let mut value = json!({ "a": [1] });
        let path = [Step::Member("a".to_owned()), Step::Item(3)];
        corrupt(&mut value, &path, &Shape::Bool, &mut Random::seeded(1), &[]);
        assert_eq!(value, json!({ "a": [1] }));
        corrupt(&mut value, &path[..1], &Shape::Bool, &mut Random::seeded(1), &[]);
        assert_ne!(value, json!({ "a": [1] }));
    }
}
