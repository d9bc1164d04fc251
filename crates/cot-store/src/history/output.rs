//! Finds the last output in a snapshot.

use serde::Deserialize;
use serde_json::{Deserializer, Value, value::RawValue};

#[derive(Deserialize)]
struct StoredOutput {
    task: String,
    output: Value,
}

/// Returns the last output of a task that was just committed, if the snapshot contains it.
pub(super) fn find_output(snapshot: &str, task: &str) -> Option<Value> {
    match find_last(snapshot, task) {
        Search::Found(output) => Some(output),
        Search::Absent => None,
        Search::Unknown => read_output(snapshot, task),
    }
}

enum Search {
    Found(Value),
    Absent,
    Unknown,
}

/// Looks for the last output from the end of the snapshot, between the fields beside it. Reading a large state at
/// every step would take time that is quadratic in the number of steps.
fn find_last(snapshot: &str, task: &str) -> Search {
    let Some((before, after)) = snapshot.rsplit_once("],\"last_output\":") else {
        return Search::Unknown;
    };
    let mut values = Deserializer::from_str(after).into_iter::<Option<StoredOutput>>();
    let value = values.next();
    if !after[values.byte_offset()..].starts_with(",\"visits\":") {
        return Search::Unknown;
    }
    match value {
        Some(Ok(Some(stored))) if stored.task == task => Search::Found(stored.output),
        Some(Ok(None)) if before.ends_with("\"history\":[") => Search::Absent,
        _ => Search::Unknown,
    }
}

/// Reads the whole snapshot.
fn read_output(snapshot: &str, task: &str) -> Option<Value> {
    #[derive(Deserialize)]
    struct Snapshot<'a> {
        #[serde(borrow, default)]
        history: Vec<&'a RawValue>,
        #[serde(borrow, default)]
        last_output: Option<&'a RawValue>,
    }
    // A text that is not a snapshot contains no output.
    let Snapshot { history, last_output } = serde_json::from_str(snapshot).ok()?;
    let stored = last_output.into_iter().chain(history.last().copied());
    let mut stored =
        stored.filter_map(|stored| serde_json::from_str::<StoredOutput>(stored.get()).ok());
    stored.find(|stored| stored.task == task).map(|stored| stored.output)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_ways_find_the_same_output() {
        let note = json!({ "task": "a", "output": "said \"last_output\":1" });
        let other =
            json!({ "task": "b", "output": { "last_output": { "task": "a", "output": 1 } } });
        let inputs = json!({ "last_output": null, "history": [] });
        for history in [json!([]), json!([note]), json!([other, note]), json!([note, other])] {
            for last in [json!(null), note.clone(), other.clone()] {
                for inputs in [json!(null), inputs.clone(), json!({ "last_output": 7 })] {
                    let snapshot = json!({
                        "state": { "history": [], "last_output": note },
                        "history": history, "last_output": last, "visits": { "a": 1 }, "halted_inputs": inputs,
                    });
                    let text = snapshot.to_string();
                    for task in ["a", "b", "c"] {
                        assert_eq!(
                            find_output(&text, task),
                            read_output(&text, task),
                            "{task}: {text}"
                        );
                    }
                }
            }
        }
        for text in ["no snapshot", "],\"last_output\":", "],\"last_output\":null,\"visits\":"] {
            assert_eq!(find_output(text, "a"), None);
        }
    }
}
