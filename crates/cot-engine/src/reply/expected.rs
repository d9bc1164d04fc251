//! What a task expects of a reply: a choice of where to go, or an output.

use cot_reader::internal::{Fit, RepairKind, Repairs, Shape, Target, json_alone, take_plain};
use cot_schema::{
    Issues, OutputSchema,
    internal::{Given, Plain, Step, same_name},
};
use serde_json::{Map, Value};

use crate::reply::menu::{Interpretation, Menu, interpret, is_transition};

/// What a reply to a task may be.
pub(crate) struct Expected<'a> {
    pub(crate) menu: Menu<'a>,
    pub(crate) output: Option<&'static OutputSchema>,
}

impl Expected<'_> {
    /// Whether an object is a choice. An output may have fields whose names are only like those of one.
    fn is_transition(&self, members: &Map<String, Value>) -> bool {
        let is_like = |key: &String| Menu::MARKS.iter().any(|name| same_name(name, key));
        is_transition(members)
            || !self.menu.visible.is_empty()
                && members.keys().any(is_like)
                && self.output.is_none_or(|output| {
                    !Shape::new(output.graph()).is_kin(&Value::Object(members.clone()))
                })
    }

    /// What a reply means that is right as it stands. `None` says nothing: most replies are, and all others
    /// are read with more care.
    pub(crate) fn plain<'t>(&self, text: &'t str) -> Option<Interpretation<'t>> {
        let json = json_alone(text)?;
        let value = Plain::parse(json)?;
        if holds_mark(&value, MAX_WRAPPERS) {
            return self.menu.plain(&value).map(Interpretation::Transition);
        }
        Some(Interpretation::Output(Given::Text(take_plain(self.output?, json, &value)?)))
    }

    /// What a value means that nothing is wrong with.
    pub(crate) fn answer(&self, value: Value) -> Result<Interpretation<'static>, Issues> {
        match (interpret(value, &self.menu)?, self.output) {
            (Interpretation::Output(Given::Value(value)), Some(output)) => {
                Ok(Interpretation::Output(Given::Value(output.unwrap(value))))
            }
            (answer, _) => Ok(answer),
        }
    }

    /// An output that fits its schema: what the process itself checks can be checked then.
    pub(crate) fn checkable(&self, value: Value) -> Option<Value> {
        let output = self.output.filter(|output| output.validate(&value).is_ok())?;
        Some(output.unwrap(value))
    }

    fn fit_transition(&self, members: Map<String, Value>, mut repairs: Repairs) -> Fit {
        let mut value = Value::Object(self.with_known_keys(members, &mut repairs));
        self.name_target(&mut value, &mut repairs);
        let issues = interpret(value.clone(), &self.menu).err().unwrap_or_default();
        Fit { value, repairs, issues, is_kin: true }
    }

    /// The members under the keys of a transition, as `go_to` and `GoTo` mean `goTo`.
    fn with_known_keys(
        &self,
        members: Map<String, Value>,
        repairs: &mut Repairs,
    ) -> Map<String, Value> {
        let mut known = Map::new();
        for (key, value) in members {
            let canonical = Menu::KEYS.into_iter().find(|name| same_name(name, &key));
            match canonical.filter(|name| *name != key && !known.contains_key(*name)) {
                Some(name) => {
                    let path = [Step::Key(name.to_owned())];
                    repairs.add(&path, RepairKind::TransitionKey.about(&key));
                    known.insert(name.to_owned(), value);
                }
                None => _ = known.insert(key, value),
            }
        }
        known
    }

    /// The name of the target as it is declared, where it differs in case and separators alone.
    fn name_target(&self, value: &mut Value, repairs: &mut Repairs) {
        let Some(Value::String(target)) = value.get_mut(Menu::GO_TO) else {
            return;
        };
        if let Some(name) = self.menu.similar_target(target, same_name) {
            let path = [Step::Key(Menu::GO_TO.to_owned())];
            repairs.add(&path, RepairKind::TransitionTarget.about(&format!("{target:?}")));
            name.clone_into(target);
        }
    }
}

impl Target for Expected<'_> {
    fn fit(&self, value: Value) -> Fit {
        let (value, repairs) = unwrapped(value);
        match (value, self.output) {
            (Value::Object(members), _) if self.is_transition(&members) => {
                self.fit_transition(members, repairs)
            }
            (value, Some(output)) => output.fit(value).after(repairs),
            (value, None) => {
                let issues = interpret(value.clone(), &self.menu).err().unwrap_or_default();
                let is_kin = value.is_object();
                Fit { value, repairs, issues, is_kin }
            }
        }
    }

    fn allows_loss(&self, path: &[Step]) -> bool {
        self.output.is_some_and(|output| output.allows_loss(path))
    }

    fn takes_bare(&self, text: &str) -> bool {
        self.output.is_some_and(|output| output.takes_bare(text))
    }
}

/// A choice out of the objects around it, as engines ask for it that take no alternatives at the root,
/// nor any that begin alike.
fn unwrapped(mut value: Value) -> (Value, Repairs) {
    let mut repairs = Repairs::default();
    let depth = depth_of_choice(&value);
    for _ in 0..depth {
        value = only_member(&mut value).map(Value::take).unwrap_or_default();
    }
    if depth > 0 {
        repairs.add(&[], RepairKind::TransitionWrapped);
    }
    (value, repairs)
}

/// How many objects stand around a choice, each with one member alone; 0, where there is no choice.
fn depth_of_choice(value: &Value) -> usize {
    let mut inner = value;
    for depth in 0..=MAX_WRAPPERS {
        match inner {
            Value::Object(members) if is_transition(members) => return depth,
            Value::Object(members) if members.len() == 1 => {
                let Some(only) = members.values().next() else { return 0 };
                inner = only;
            }
            _ => return 0,
        }
    }
    0
}

/// Whether a value is an object with a key that only choices have, or lies around such a one.
fn holds_mark(value: &Plain<'_>, wrappers: usize) -> bool {
    let Plain::Object(members) = value else { return false };
    match members.as_slice() {
        [(_, inner)] if wrappers > 0 && holds_mark(inner, wrappers - 1) => true,
        members => members.iter().any(|(key, _)| Menu::MARKS.contains(&&**key)),
    }
}

/// How many objects are taken off: one for the root, and one for the alternative.
const MAX_WRAPPERS: usize = 2;

fn only_member(value: &mut Value) -> Option<&mut Value> {
    value.as_object_mut()?.values_mut().next()
}
