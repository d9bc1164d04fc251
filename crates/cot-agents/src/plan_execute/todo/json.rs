//! Parses todo lists in JSON.

use serde_json::{Map, Value};

use super::{item::Todo, line::TaskState};
use crate::plan_execute::{text::value_text, todo::line};

/// Names of the member with the description of a task. The first that exists is used.
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

/// Names of the member with the state of a task.
const STATE: [&str; 9] =
    ["done", "completed", "complete", "checked", "finished", "is_done", "status", "state", "mark"];

/// Names of the member with the position of a task in its list.
const PLACE: [&str; 5] = ["id", "number", "index", "no", "order"];

/// Names of the member with the list, if the list is inside an object.
const LIST: [&str; 5] = ["todos", "items", "tasks", "steps", "list"];

/// Parses the tasks of a list, or of an object with one member per task.
pub(super) fn parse_tasks(json: Value) -> Vec<Todo> {
    match json {
        Value::Array(items) => items.into_iter().filter_map(todo_from_item).collect(),
        Value::Object(members) if is_todo(&members) => {
            todo_from_item(Value::Object(members)).into_iter().collect()
        }
        Value::Object(mut members) if members.len() == 1 && list_in(&members).is_some() => {
            let list = list_in(&members).and_then(|name| members.shift_remove(name));
            parse_tasks(list.unwrap_or_default())
        }
        Value::Object(members) => members.into_iter().flat_map(todos_from_member).collect(),
        other => todo_from_item(other).into_iter().collect(),
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

/// Parses one item of a list.
fn todo_from_item(item: Value) -> Option<Todo> {
    match item {
        Value::Null => None,
        Value::Object(members) if is_todo(&members) => todo_from_object(members),
        other => line::parse_task(&value_text(other)),
    }
}

/// Parses an object with a description and a state. Other members are appended to the description.
fn todo_from_object(mut members: Map<String, Value>) -> Option<Todo> {
    let text = TEXT.iter().find(|name| members.get(**name).is_some_and(Value::is_string));
    let text = text.and_then(|name| members.shift_remove(*name)).map(value_text)?;
    let mut state = None;
    for name in STATE {
        if let Some(read) = members.get(name).and_then(state_from_value) {
            members.shift_remove(name);
            state = Some(read);
        }
    }
    members.retain(|name, value| !value.is_null() && !PLACE.contains(&name.as_str()));
    let mut todo = line::parse_task(&text)?;
    if let Some(TaskState { done, mark }) = state {
        (todo.done, todo.mark) = (done, mark);
    }
    let rest = members.into_iter().map(|(name, value)| format!("{name}: {}", value_text(value)));
    let rest = line::on_one_line(&rest.collect::<Vec<_>>().join(", "));
    if !rest.is_empty() {
        todo.text.push_str(&format!(" ({rest})"));
    }
    Some(todo)
}

/// Parses a member of an object. Its name is the number of a task, its description, or the state of a list
/// of tasks.
fn todos_from_member((name, value): (String, Value)) -> Vec<Todo> {
    let is_number = name.trim().chars().all(char::is_numeric);
    let todo = match value {
        value if is_number => todo_from_item(value),
        Value::Array(items) => return todos_from_group(&name, items),
        Value::Null => line::parse_task(&name),
        value => match state_from_value(&value) {
            Some(TaskState { done, mark }) => {
                line::parse_task(&name).map(|todo| Todo { done, mark, ..todo })
            }
            None => line::parse_task(&format!("{name}: {}", value_text(value))),
        },
    };
    todo.into_iter().collect()
}

/// Parses a named list. If the name is a state, all tasks in the list have it.
fn todos_from_group(name: &str, items: Vec<Value>) -> Vec<Todo> {
    let todos = items.into_iter().filter_map(todo_from_item);
    match line::parse_state(name) {
        Some(TaskState { done, mark }) => {
            todos.map(|todo| Todo { done, mark: mark.clone(), ..todo }).collect()
        }
        None => todos.map(|todo| Todo { text: format!("{name}: {}", todo.text), ..todo }).collect(),
    }
}

/// Parses the state of a task from the value of a member.
fn state_from_value(value: &Value) -> Option<TaskState> {
    match value {
        Value::Bool(done) => Some(TaskState { done: *done, mark: None }),
        Value::String(word) => line::parse_state(word),
        _ => None,
    }
}
