//! Todo lists as JSON.

use serde_json::{Map, Value};

use super::{item::Todo, line::State};
use crate::plan_execute::{text::shown, todo::line};

/// The members that say what a task is, the first that is there.
const TEXT: [&str; 12] = [
    "task",
    "text",
    "title",
    "todo",
    "description",
    "content",
    "name",
    "item",
    "step",
    "action",
    "label",
    "goal",
];

/// The members that say how a task stands.
const STATE: [&str; 9] =
    ["done", "completed", "complete", "checked", "finished", "is_done", "status", "state", "mark"];

/// The members that say where a task stands in its list.
const PLACE: [&str; 5] = ["id", "number", "index", "no", "order"];

/// The members that are the list, where it is in an object.
const LIST: [&str; 5] = ["todos", "items", "tasks", "steps", "list"];

/// The tasks of a list, or of an object with a member for each.
pub(super) fn todos(json: Value) -> Vec<Todo> {
    match json {
        Value::Array(items) => items.into_iter().filter_map(todo).collect(),
        Value::Object(members) if is_todo(&members) => {
            todo(Value::Object(members)).into_iter().collect()
        }
        Value::Object(mut members) if members.len() == 1 && list_in(&members).is_some() => {
            let list = list_in(&members).and_then(|name| members.shift_remove(name));
            todos(list.unwrap_or_default())
        }
        Value::Object(members) => members.into_iter().flat_map(member).collect(),
        other => todo(other).into_iter().collect(),
    }
}

fn is_todo(members: &Map<String, Value>) -> bool {
    TEXT.iter().any(|name| members.get(*name).is_some_and(Value::is_string))
}

fn list_in(members: &Map<String, Value>) -> Option<&'static str> {
    let is_list =
        |name: &&&str| matches!(members.get(**name), Some(Value::Array(_) | Value::Object(_)));
    LIST.iter().find(is_list).copied()
}

/// The one task that an item of a list is.
fn todo(item: Value) -> Option<Todo> {
    match item {
        Value::Null => None,
        Value::Object(members) if is_todo(&members) => object(members),
        other => line::single(&shown(other)),
    }
}

/// A task with members for what it is and how it stands; what else it has is kept in its text.
fn object(mut members: Map<String, Value>) -> Option<Todo> {
    let text = TEXT.iter().find(|name| members.get(**name).is_some_and(Value::is_string));
    let text = text.and_then(|name| members.shift_remove(*name)).map(shown)?;
    let mut state = None;
    for name in STATE {
        if let Some(read) = members.get(name).and_then(state_of) {
            members.shift_remove(name);
            state = Some(read);
        }
    }
    members.retain(|name, value| !value.is_null() && !PLACE.contains(&name.as_str()));
    let mut todo = line::single(&text)?;
    if let Some(State { done, mark }) = state {
        (todo.done, todo.mark) = (done, mark);
    }
    let rest = members.into_iter().map(|(name, value)| format!("{name}: {}", shown(value)));
    let rest = line::on_one_line(&rest.collect::<Vec<_>>().join(", "));
    if !rest.is_empty() {
        todo.text.push_str(&format!(" ({rest})"));
    }
    Some(todo)
}

/// The tasks of a member: its name is the number of a task, or what it is, or how all in its list stand.
fn member((name, value): (String, Value)) -> Vec<Todo> {
    let is_number = name.trim().chars().all(char::is_numeric);
    let todo = match value {
        value if is_number => todo(value),
        Value::Array(items) => return group(&name, items),
        Value::Null => line::single(&name),
        value => match state_of(&value) {
            Some(State { done, mark }) => {
                line::single(&name).map(|todo| Todo { done, mark, ..todo })
            }
            None => line::single(&format!("{name}: {}", shown(value))),
        },
    };
    todo.into_iter().collect()
}

/// The tasks of a list with a name; where the name says how they stand, they do.
fn group(name: &str, items: Vec<Value>) -> Vec<Todo> {
    let todos = items.into_iter().filter_map(todo);
    match line::state(name) {
        Some(State { done, mark }) => {
            todos.map(|todo| Todo { done, mark: mark.clone(), ..todo }).collect()
        }
        None => todos.map(|todo| Todo { text: format!("{name}: {}", todo.text), ..todo }).collect(),
    }
}

/// How a task stands, by what a member says of it.
fn state_of(value: &Value) -> Option<State> {
    match value {
        Value::Bool(done) => Some(State { done: *done, mark: None }),
        Value::String(word) => line::state(word),
        _ => None,
    }
}
