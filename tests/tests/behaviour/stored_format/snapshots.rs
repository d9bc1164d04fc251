//! Snapshots that were taken at every step of a run.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{
    calls::{Calls, Sums},
    endings::{Ends, KINDS, Plan},
    engine::{begun, ended, poll, resumed, snapshot, step, told},
    sample::{assert_same, joined, lines, pretty, read},
    tale::Tale,
    tour::{Journey, Tour},
};

/// A run with snapshots of each kind of place to which it comes.
#[derive(Default)]
struct Taken {
    snapshots: Vec<String>,
    places: HashSet<String>,
    /// What has been told before each snapshot.
    before: Vec<usize>,
    events: Vec<String>,
}

impl Taken {
    /// Runs a process to its end, with snapshots of calls in flight and of tasks about to start.
    fn run<P: Tale>(state: P::State) -> (Self, Value) {
        let (mut taken, mut machine) = (Self::default(), begun::<P>(state));
        loop {
            if machine.at_task_boundary() {
                taken.take(snapshot(&machine));
            }
            poll(&mut machine);
            taken.events.extend(told(&mut machine));
            taken.take(snapshot(&machine));
            let goes_on = step(&mut machine);
            taken.events.extend(told(&mut machine));
            if !goes_on {
                return (taken, ended(&machine));
            }
        }
    }

    /// Leaves only the run that has ended.
    fn last(mut self) -> Self {
        self.snapshots.drain(..self.snapshots.len() - 1);
        self.before.drain(..self.before.len() - 1);
        self
    }

    fn take(&mut self, snapshot: String) {
        if self.places.insert(place(&snapshot)) {
            self.snapshots.push(snapshot);
            self.before.push(self.events.len());
        }
    }
}

/// Where a run stands, but for most values.
fn place(snapshot: &str) -> String {
    let snapshot: Value = serde_json::from_str(snapshot).unwrap();
    outline("position", &snapshot["position"], false).to_string()
}

fn outline(name: &str, value: &Value, is_within: bool) -> Value {
    match value {
        Value::String(_) if name == "task" => value.clone(),
        // One task that is about to start is like another.
        Value::Object(arrival) if name == "arrival" => json!(arrival.len()),
        Value::Object(process) if name == "process" => outline("", &process["position"], true),
        Value::Array(_) if name == "attempts" && is_within => Value::Null,
        Value::Array(items) => {
            items.first().map_or(json!([]), |item| json!([outline("", item, is_within)]))
        }
        Value::Object(members) => {
            let members = members.iter();
            members.map(|(name, value)| (name.clone(), outline(name, value, is_within))).collect()
        }
        _ => Value::Null,
    }
}

fn write<P: Tale>(name: &str, (taken, end): (Taken, Value)) {
    assert_same(&format!("snapshots/{name}.jsonl"), &joined(taken.snapshots));
    let end = json!({ "end": end, "events": taken.events, "before": taken.before });
    assert_same(&format!("snapshots/{name}.end.json"), &pretty(&end));
}

fn resume<P: Tale>(name: &str) {
    let expected: Value =
        serde_json::from_str(&read(&format!("snapshots/{name}.end.json"))).unwrap();
    let all = expected["events"].as_array().unwrap();
    let before = expected["before"].as_array().unwrap();
    let snapshots = lines(&format!("snapshots/{name}.jsonl"));
    assert_eq!(snapshots.len(), before.len());
    for (number, (text, before)) in snapshots.iter().zip(before).enumerate() {
        let mut machine = resumed::<P>(text);
        assert_eq!(snapshot(&machine), *text, "{name}: snapshot {number} is the same again");
        let mut events = Vec::new();
        loop {
            poll(&mut machine);
            events.extend(told(&mut machine));
            let goes_on = step(&mut machine);
            events.extend(told(&mut machine));
            if !goes_on {
                break;
            }
        }
        let what = format!("{name} from snapshot {number}");
        assert_eq!(ended(&machine), expected["end"], "{what}");
        let since = before.as_u64().unwrap() as usize;
        assert_eq!(json!(events), json!(all[since..]), "{what}");
    }
}

fn file(kind: &str) -> String {
    kind.replace(' ', "_")
}

#[test]
fn snapshots_are_written_as_they_were() {
    write::<Tour>("tour", Taken::run::<Tour>(Journey::to("Lisbon")));
    write::<Calls>("calls", Taken::run::<Calls>(Sums::new()));
    for kind in KINDS {
        let (taken, end) = Taken::run::<Ends>(Plan::new(kind));
        write::<Ends>(&file(kind), (taken.last(), end));
    }
}

#[test]
fn runs_resume_from_every_snapshot() {
    resume::<Tour>("tour");
    resume::<Calls>("calls");
    for kind in KINDS {
        resume::<Ends>(&file(kind));
    }
}

/// Phases and kinds of tasks, as positions in snapshots.
#[test]
fn snapshots_show_every_position() {
    let mut all =
        ["tour", "calls"].map(|name| lines(&format!("snapshots/{name}.jsonl")).concat()).concat();
    all.extend(KINDS.map(|kind| lines(&format!("snapshots/{}.jsonl", file(kind))).concat()));
    for position in [
        r#""position":{"at":"#,
        r#""position":{"waiting":"#,
        r#""position":{"calling":"#,
        r#""position":{"calling_tools":"#,
        r#""position":{"each":"#,
        r#""position":{"running":"#,
        r#""position":{"asking":"#,
        r#""position":{"within":"#,
        r#""position":{"finished":"#,
        r#""is_pausing":true"#,
        r#""checking":{"#,
        r#""last_failure":{"#,
        r#""out_of_budget":["#,
        r#""inputs":{"#,
    ] {
        assert!(all.contains(position), "{position}");
    }
}
