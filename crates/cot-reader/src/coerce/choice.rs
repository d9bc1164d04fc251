//! The options of an enum or constant.

use std::rc::Rc;

use cot_schema::internal::{NameLookup, Nearness, Options, cut_text, strip_marks};
use serde_json::Value;

use super::{
    coercer::Coercer,
    number,
    outcome::{Form, Outcome},
    scalar,
};
use crate::repair::{catalogue::RepairKind, fix::Fix};

impl Coercer<'_> {
    /// The option that a value is.
    pub(super) fn choose(&self, options: &Options, value: &Value, lossy: bool) -> Rc<Outcome> {
        if options.values.contains(value) {
            return Rc::clone(&self.same);
        }
        if let Some(equal) = options.values.iter().find(|option| is_alike(option, value)) {
            let form = Form::New(equal.clone());
            return Rc::new(Outcome::mended(form, RepairKind::OptionNumber));
        }
        let choices = Choices(options);
        let found = match value {
            Value::String(text) => choices.named(text, lossy).or_else(|| choices.meant(text)),
            Value::Number(_) | Value::Bool(_) => choices.written_as(value),
            _ => None,
        };
        found.map_or_else(|| Rc::clone(&self.misfit), Rc::new)
    }
}

/// How much of a text an issue repeats.
const MAX_SHOWN: usize = 40;

/// The values of an enum or constant, as they are chosen from.
struct Choices<'s>(&'s Options);

impl Choices<'_> {
    /// The option that a text names.
    fn named(&self, text: &str, lossy: bool) -> Option<Outcome> {
        let bare = strip_marks(text);
        for (attempt, has_marks) in [(text, false), (bare, bare != text)] {
            match self.0.names.find(attempt) {
                NameLookup::Nothing => {}
                NameLookup::One(found) => {
                    let value = self.0.values.get(found.index)?.clone();
                    return Some(Outcome::mended(
                        Form::New(value),
                        named_so(found.nearness, has_marks),
                    ));
                }
                NameLookup::Several(several) => return Some(self.in_doubt(text, &several)),
            }
        }
        if lossy { self.with_reason(text) } else { None }
    }

    fn in_doubt(&self, text: &str, several: &[usize]) -> Outcome {
        let options = several.iter().filter_map(|index| self.0.values.get(*index));
        let options: Vec<String> = options.map(Value::to_string).collect();
        let text = cut_text(text, MAX_SHOWN);
        Outcome::doubt(format!("`{text}` could be {}; write one of them", options.join(" or ")))
    }

    /// An option that is followed by a reason: `APPROVED: because …`. The reason is lost.
    fn with_reason(&self, text: &str) -> Option<Outcome> {
        let end = text.find([':', '\n', '(', '—']).into_iter().chain(text.find(" - ")).min()?;
        let found = self.0.names.find_unique(strip_marks(text.get(..end)?))?;
        let form = Form::New(self.0.values.get(found.index)?.clone());
        Some(Outcome::mended(form, RepairKind::OptionReason))
    }

    /// The option that is a number, a boolean or nothing, and was written as text.
    fn meant(&self, text: &str) -> Option<Outcome> {
        let meant = |option: &&Value| match option {
            Value::Number(_) => {
                let number = number::read(text).and_then(|written| written.number());
                number.is_some_and(|number| is_alike(option, &Value::Number(number)))
            }
            Value::Bool(option) => scalar::boolean(text) == Some(*option),
            Value::Null => scalar::is_null(text),
            _ => false,
        };
        // `0` is the number before it is `false`.
        let numbers = self.0.values.iter().filter(|option| option.is_number());
        let others = self.0.values.iter().filter(|option| !option.is_number());
        let option = numbers.chain(others).find(meant)?.clone();
        Some(Outcome::mended(Form::New(option), RepairKind::OptionAsText))
    }

    /// The option that is the text of a value.
    fn written_as(&self, value: &Value) -> Option<Outcome> {
        let found = self.0.names.find_unique(&value.to_string())?;
        let option = self.0.values.get(found.index)?.clone();
        Some(Outcome::mended(Form::New(option), RepairKind::OptionNotText))
    }
}

/// The repair of an option that was named in another way than by its name.
fn named_so(nearness: Nearness, has_marks: bool) -> Fix {
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

/// Whether two values are the same, numbers by their value.
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
