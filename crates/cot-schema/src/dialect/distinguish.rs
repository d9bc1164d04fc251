//! Makes the objects of a choice distinguishable by their first member.

use serde_json::{Map, Value};

use super::{references::definition_name, root::wrapped};

/// Wraps the objects of a choice that begin with the same member, each into an object with a member of a
/// unique name. Objects are left as they are if their first member has a different constant in each.
pub(super) fn distinguish_branches(schema: &mut Value, definitions: &Map<String, Value>) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(|value| distinguish_branches(value, definitions));
            if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
                wrap_ambiguous(branches, definitions);
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|item| distinguish_branches(item, definitions));
        }
        _ => {}
    }
}

fn wrap_ambiguous(branches: &mut [Value], definitions: &Map<String, Value>) {
    let firsts: Vec<_> =
        branches.iter().map(|branch| First::from_branch(branch, definitions)).collect();
    let is_alike = |index: usize| {
        let mut others = firsts.iter().enumerate().filter(|(other, _)| *other != index);
        others.any(|(_, other)| First::are_alike(firsts[index].as_ref(), other.as_ref()))
    };
    let alike: Vec<usize> = (0..branches.len()).filter(|index| is_alike(*index)).collect();
    let mut taken: Vec<String> = firsts.iter().flatten().map(|first| first.name.clone()).collect();
    for index in alike {
        let mut name =
            tag(&branches[index], definitions).unwrap_or_else(|| format!("option_{}", index + 1));
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        branches[index] = Value::Object(wrapped(&name, branches[index].take()));
    }
}

/// The first member of an object, and its value if it is constant.
struct First {
    name: String,
    value: Option<Value>,
}

impl First {
    fn from_branch(branch: &Value, definitions: &Map<String, Value>) -> Option<Self> {
        let (name, schema) = members(branch, definitions)?.iter().next()?;
        Some(Self { name: name.clone(), value: only_value(schema).cloned() })
    }

    fn are_alike(one: Option<&Self>, other: Option<&Self>) -> bool {
        let (Some(one), Some(other)) = (one, other) else {
            return false;
        };
        let have_values = one.value.is_some() && other.value.is_some();
        one.name == other.name && !(have_values && one.value != other.value)
    }
}

fn members<'v>(
    branch: &'v Value,
    definitions: &'v Map<String, Value>,
) -> Option<&'v Map<String, Value>> {
    target(branch, definitions)
        .and_then(|name| definitions.get(name))
        .unwrap_or(branch)
        .get("properties")?
        .as_object()
}

fn target<'v>(branch: &'v Value, definitions: &Map<String, Value>) -> Option<&'v str> {
    let name = definition_name(branch)?;
    definitions.contains_key(name).then_some(name)
}

/// Returns the value that a schema accepts if it accepts only one.
fn only_value(schema: &Value) -> Option<&Value> {
    match schema.get("enum") {
        Some(Value::Array(values)) if values.len() == 1 => values.first(),
        _ => None,
    }
}

/// Returns a name for a branch: the value of a constant member, or the name of its type.
fn tag(branch: &Value, definitions: &Map<String, Value>) -> Option<String> {
    let values = members(branch, definitions)?.values().filter_map(only_value);
    let value = values.filter_map(Value::as_str).next();
    let title = || branch.get("title").and_then(Value::as_str);
    value.or_else(|| target(branch, definitions)).or_else(title).map(str::to_owned)
}
