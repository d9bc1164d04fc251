//! Coerces values to the options of an enum or constant.

use std::rc::Rc;

use cot_schema::internal::{NameLookup, Nearness, Options, strip_marks, truncate};
use serde_json::Value;

use super::{
    coercer::Coercer,
    number,
    outcome::{Form, Outcome},
    scalar,
};
use crate::repair::{catalogue::RepairKind, fix::Fix};

impl Coercer<'_> {
    /// Coerces a value to one of the options.
    pub(super) fn choose(&self, options: &Options, value: &Value, lossy: bool) -> Rc<Outcome> {
        if options.values.contains(value) {
            return Rc::clone(&self.same);
        }
        if let Some(equal) = options.values.iter().find(|option| is_alike(option, value)) {
            let form = Form::New(equal.clone());
            return Rc::new(Outcome::repaired(form, RepairKind::OptionNumber));
        }
        let choices = Choices(options);
        let found = match value {
            Value::String(text) => {
                choices.find_by_name(text, lossy).or_else(|| choices.find_by_representation(text))
            }
            Value::Number(_) | Value::Bool(_) => choices.find_by_text(value),
            _ => None,
        };
        found.map_or_else(|| Rc::clone(&self.misfit), Rc::new)
    }
}

/// Maximum length of a text in an issue.
const MAX_SHOWN: usize = 40;

/// The options of an enum or constant, for lookup.
struct Choices<'s>(&'s Options);

impl Choices<'_> {
    /// Finds the option that a text names, tolerant of case, separators, accents and punctuation.
    fn find_by_name(&self, text: &str, lossy: bool) -> Option<Outcome> {
        let bare = strip_marks(text);
        for (attempt, has_marks) in [(text, false), (bare, bare != text)] {
            match self.0.names.find(attempt) {
                NameLookup::Nothing => {}
                NameLookup::One(found) => {
                    let value = self.0.values.get(found.index)?.clone();
                    return Some(Outcome::repaired(
                        Form::New(value),
                        option_repair(found.nearness, has_marks),
                    ));
                }
                NameLookup::Several(several) => return Some(self.doubt_between(text, &several)),
            }
        }
        if lossy { self.with_reason(text) } else { None }
    }

    fn doubt_between(&self, text: &str, several: &[usize]) -> Outcome {
        let options = several.iter().filter_map(|index| self.0.values.get(*index));
        let options: Vec<String> = options.map(Value::to_string).collect();
        let text = truncate(text, MAX_SHOWN);
        Outcome::doubt(format!("`{text}` could be {}; write one of them", options.join(" or ")))
    }

    /// Finds the option in a text with a reason after it: `APPROVED: because …`. The reason is lost.
    fn with_reason(&self, text: &str) -> Option<Outcome> {
        let end = text.find([':', '\n', '(', '—']).into_iter().chain(text.find(" - ")).min()?;
        let found = self.0.names.find_unique(strip_marks(text.get(..end)?))?;
        let form = Form::New(self.0.values.get(found.index)?.clone());
        Some(Outcome::repaired(form, RepairKind::OptionReason))
    }

    /// Finds the number, boolean or null option that a text represents.
    fn find_by_representation(&self, text: &str) -> Option<Outcome> {
        let meant = |option: &&Value| match option {
            Value::Number(_) => {
                let number = number::parse_number(text).and_then(|written| written.number());
                number.is_some_and(|number| is_alike(option, &Value::Number(number)))
            }
            Value::Bool(option) => scalar::boolean(text) == Some(*option),
            Value::Null => scalar::is_null(text),
            _ => false,
        };
        // `0` means the number rather than `false`.
        let numbers = self.0.values.iter().filter(|option| option.is_number());
        let others = self.0.values.iter().filter(|option| !option.is_number());
        let option = numbers.chain(others).find(meant)?.clone();
        Some(Outcome::repaired(Form::New(option), RepairKind::OptionAsText))
    }

    /// Finds the string option that is the text of a number or boolean.
    fn find_by_text(&self, value: &Value) -> Option<Outcome> {
        let found = self.0.names.find_unique(&value.to_string())?;
        let option = self.0.values.get(found.index)?.clone();
        Some(Outcome::repaired(Form::New(option), RepairKind::OptionNotText))
    }
}

/// Returns the repair for an option that was named inexactly.
fn option_repair(nearness: Nearness, has_marks: bool) -> Fix {
    let kind = match nearness {
        Nearness::Name => return RepairKind::OptionMarks.into(),
        Nearness::Alias => RepairKind::OptionAlias,
        Nearness::Case => RepairKind::OptionCase,
        Nearness::Separators => RepairKind::OptionSeparators,
        Nearness::Accents => RepairKind::OptionAccents,
    };
    let fix = Fix::from(kind);
    if has_marks { fix.with_cost_of(RepairKind::OptionMarks) } else { fix }
}

/// Returns whether two values are equal, comparing numbers by value: 1 equals 1.0.
pub(super) fn is_alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other
                || matches!((number::whole(one), number::whole(other)), (Some(a), Some(b)) if a == b)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_alike(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has = |(key, a): (&String, &Value)| other.get(key).is_some_and(|b| is_alike(a, b));
            one.len() == other.len() && one.iter().all(has)
        }
        _ => one == other,
    }
}
