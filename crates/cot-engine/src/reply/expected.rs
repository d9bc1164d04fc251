//! The target of reading a reply: a transition or an output.

use cot_model::{Tool, ToolCall};
use cot_reader::internal::{
    CoercionGraph, CoercionResult, RepairKind, Repairs, Target, trim_reply, valid_text,
};
use cot_schema::{
    Issues, OutputSchema,
    internal::{BorrowedJson, PathSegment, UntypedOutput, same_name},
};
use serde_json::{Map, Value};

use crate::reply::{
    menu::{Interpretation, Menu, interpret, is_transition},
    tool_call::calls::{
        has_foreign_arguments, has_tool_key, is_exact_call, marked_call, parse_calls,
    },
};

/// What a task accepts as a reply.
pub(crate) struct ExpectedReply<'a> {
    pub(crate) menu: Menu<'a>,
    pub(crate) output: Option<&'static OutputSchema>,
    /// The tools that the model can call.
    pub(crate) tools: &'a [Tool],
}

impl ExpectedReply<'_> {
    /// Returns whether an object is a transition. Similar field names do not suffice if the object resembles
    /// the output.
    fn is_transition(&self, members: &Map<String, Value>) -> bool {
        let is_like = |key: &String| Menu::TRANSITION_KEYS.iter().any(|name| same_name(name, key));
        is_transition(members)
            || !self.menu.visible.is_empty()
                && members.keys().any(is_like)
                && self.output.is_none_or(|output| {
                    !CoercionGraph::new(output.graph()).resembles(&Value::Object(members.clone()))
                })
    }

    /// Returns the meaning of a reply that is valid without repairs. `None` means that the reply must be read
    /// with repairs.
    pub(crate) fn read_plain<'t>(&self, text: &'t str) -> Option<Interpretation<'t>> {
        let json = trim_reply(text)?;
        let value = BorrowedJson::parse(json)?;
        if !self.tools.is_empty() && has_tool_key(&value) {
            return None;
        }
        if has_transition_key(&value, MAX_WRAPPERS) {
            return self.menu.plain(&value).map(Interpretation::Transition);
        }
        Some(Interpretation::Output(UntypedOutput::Text(valid_text(self.output?, json, &value)?)))
    }

    /// Returns the meaning of a value that is already repaired.
    pub(crate) fn interpret(&self, value: Value) -> Result<Interpretation<'static>, Issues> {
        if let Some(calls) = self.calls(&value) {
            return Ok(Interpretation::Calls(calls));
        }
        match (interpret(value, &self.menu)?, self.output) {
            (Interpretation::Output(UntypedOutput::Value(value)), Some(output)) => {
                Ok(Interpretation::Output(UntypedOutput::Value(output.unwrap(value))))
            }
            (answer, _) => Ok(answer),
        }
    }

    /// Returns the tool calls that a value is. A value that is valid as the output is not one, unless it has the
    /// exact form of a call of an existing tool, or arguments that the output does not know.
    fn calls(&self, value: &Value) -> Option<Vec<ToolCall>> {
        if self.tools.is_empty() {
            return None;
        }
        let calls = parse_calls(value, self.tools)?;
        let is_output = || {
            self.output.is_some_and(|output| {
                !has_foreign_arguments(value, &calls, self.tools, output)
                    && output.validate(value).is_ok()
            })
        };
        (is_exact_call(value, self.tools) || !is_output()).then_some(calls)
    }

    /// Returns the output if it matches its schema, so that the checks of the process can run on it.
    pub(crate) fn valid_output(&self, value: Value) -> Option<Value> {
        let output = self.output.filter(|output| output.validate(&value).is_ok())?;
        Some(output.unwrap(value))
    }

    fn fit_transition(&self, members: Map<String, Value>, mut repairs: Repairs) -> CoercionResult {
        let mut value = Value::Object(self.correct_keys(members, &mut repairs));
        self.correct_target(&mut value, &mut repairs);
        let issues = interpret(value.clone(), &self.menu).err().unwrap_or_default();
        CoercionResult { value, repairs, issues, resembles_target: true }
    }

    /// Renames misspelled keys of a transition, such as `go_to` for `goTo`.
    fn correct_keys(
        &self,
        members: Map<String, Value>,
        repairs: &mut Repairs,
    ) -> Map<String, Value> {
        let mut known = Map::new();
        for (key, value) in members {
            let canonical = Menu::ALL_KEYS.into_iter().find(|name| same_name(name, &key));
            match canonical.filter(|name| *name != key && !known.contains_key(*name)) {
                Some(name) => {
                    let path = [PathSegment::Key(name.to_owned())];
                    repairs.add(&path, RepairKind::TransitionKey.with_subject(&key));
                    known.insert(name.to_owned(), value);
                }
                None => _ = known.insert(key, value),
            }
        }
        known
    }

    /// Corrects the name of the target, if it differs only in case and separators.
    fn correct_target(&self, value: &mut Value, repairs: &mut Repairs) {
        let Some(Value::String(target)) = value.get_mut(Menu::GO_TO) else {
            return;
        };
        if let Some(name) = self.menu.similar_target(target, same_name) {
            let path = [PathSegment::Key(Menu::GO_TO.to_owned())];
            repairs.add(&path, RepairKind::TransitionTarget.with_subject(&format!("{target:?}")));
            name.clone_into(target);
        }
    }
}

impl Target for ExpectedReply<'_> {
    fn fit(&self, value: Value) -> CoercionResult {
        if self.calls(&value).is_some() {
            let (repairs, issues) = (Repairs::default(), Issues::new());
            return CoercionResult { value, repairs, issues, resembles_target: true };
        }
        let (value, repairs) = unwrap_transition(value);
        match (value, self.output) {
            (Value::Object(members), _) if self.is_transition(&members) => {
                self.fit_transition(members, repairs)
            }
            (value, Some(output)) => output.fit(value).with_earlier_repairs(repairs),
            (value, None) => {
                let issues = interpret(value.clone(), &self.menu).err().unwrap_or_default();
                let resembles_target = value.is_object();
                CoercionResult { value, repairs, issues, resembles_target }
            }
        }
    }

    fn allows_loss(&self, path: &[PathSegment]) -> bool {
        self.output.is_some_and(|output| output.allows_loss(path))
    }

    fn marked_call(&self, header: &str, value: &Value) -> Option<Value> {
        marked_call(header, value, self.tools)
    }

    fn accepts_bare(&self, text: &str) -> bool {
        self.output.is_some_and(|output| output.accepts_bare(text))
    }
}

/// Unwraps a transition from the objects around it, which schemas for engines without alternatives at the
/// root require.
fn unwrap_transition(mut value: Value) -> (Value, Repairs) {
    let mut repairs = Repairs::default();
    let depth = wrapper_depth(&value);
    for _ in 0..depth {
        value = only_member(&mut value).map(Value::take).unwrap_or_default();
    }
    if depth > 0 {
        repairs.add(&[], RepairKind::TransitionWrapped);
    }
    (value, repairs)
}

/// Returns the number of objects with a single member around a transition; 0 if there is no transition.
fn wrapper_depth(value: &Value) -> usize {
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

/// Returns whether a value is an object with a key that only transitions have, or a wrapper of one.
fn has_transition_key(value: &BorrowedJson<'_>, wrappers: usize) -> bool {
    let BorrowedJson::Object(members) = value else { return false };
    match members.as_slice() {
        [(_, inner)] if wrappers > 0 && has_transition_key(inner, wrappers - 1) => true,
        members => members.iter().any(|(key, _)| Menu::TRANSITION_KEYS.contains(&&**key)),
    }
}

/// Maximum number of wrappers: one for the root, and one for the alternative.
const MAX_WRAPPERS: usize = 2;

fn only_member(value: &mut Value) -> Option<&mut Value> {
    value.as_object_mut()?.values_mut().next()
}
