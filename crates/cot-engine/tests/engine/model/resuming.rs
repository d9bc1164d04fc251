//! Snapshots: their contents, and the reasons for rejecting them.

use cot_engine::{
    Change, Conflict, ConflictKind, Event, Machine, Migration, ResumeOptions, Snapshot,
    SnapshotError, private::Ending,
};
use cot_model::ModelReply;
use serde_json::{Value, json};

use super::lab::{Lab, field_named, names, started};
use crate::harness::{Run, SECOND, go};

fn script() -> Vec<ModelReply> {
    vec![
        go("review").into(),
        go("add").into(),
        "not JSON".into(),
        json!({ "name": "a", "weight": 0.1 }).into(),
        json!({ "name": "b", "weight": 0.123_456_789_012_345_67 }).into(),
        go("add").into(),
        json!({ "name": 5 }).into(),
        field_named("refused").into(),
        json!({ "name": "c", "weight": 1e-7 }).into(),
        go("done").into(),
    ]
}

type Seen = (Vec<String>, Value, Ending<&'static str>, u64);

/// Runs the script, and resumes the run from its snapshot at some points.
fn run(snapshot_at: impl Fn(usize) -> bool) -> Seen {
    let mut run = started();
    let (mut script, mut asked, mut point) = (script().into_iter(), Vec::new(), 0);
    loop {
        let mut turn = |run: &mut Run| {
            if snapshot_at(point) {
                *run = run.resumed();
            }
            point += 1;
        };
        turn(&mut run);
        let calls = run.directives();
        turn(&mut run);
        let [call] = &*calls else {
            return (asked, run.state().clone(), run.ending(), run.steps());
        };
        asked.push(format!("{} {} {}", call.id, call.attempt(), call.prompt()));
        let reply = script.next().unwrap();
        run.handle(Event::Replied { id: call.id, reply, elapsed: SECOND });
    }
}

#[test]
fn a_run_that_was_interrupted_anywhere_ends_the_same() {
    let uninterrupted = run(|_| false);
    let calls = uninterrupted.0.len();
    assert_eq!(calls, script().len());
    assert_eq!(run(|_| true), uninterrupted);
    for at in 0..2 * calls + 2 {
        assert_eq!(run(|point| point == at), uninterrupted, "{at}");
    }
}

#[test]
fn numbers_are_kept_to_the_last_digit() {
    for i in 1..1000_u32 {
        let run = Run::start::<Lab>(json!({ "weight": f64::from(i).sqrt() / 7e5 }));
        assert_eq!(run.resumed().state(), run.state());
    }
}

#[test]
fn a_call_is_the_same_after_resuming() {
    let mut run = started().after([go("add").to_string(), "bad".to_owned()]);
    let mut resumed = run.resumed();
    let (before, after) = (run.only(), resumed.only());
    assert_eq!((before.id, &before.key, before.task), (after.id, &after.key, after.task));
    assert_eq!(before.request(), after.request());
    let resumed = run.resumed();
    assert_eq!(resumed.steps(), run.steps());
    assert_eq!(resumed.callers(), ["decide"]);
}

/// A run that waits for the reply to `add`.
fn at_add() -> Run {
    let mut run = started().after([go("add")]);
    run.only();
    run
}

fn changed(change: impl FnOnce(&mut Value)) -> SnapshotError {
    at_add().changed(change, &ResumeOptions::new()).err().unwrap()
}

#[test]
fn what_cannot_be_read_is_refused() {
    assert!(matches!(Machine::<Lab>::new().snapshot(), Err(SnapshotError::Idle)));
    let json = at_add().snapshot().to_json().unwrap();
    for cut in (1..json.len()).filter(|cut| json.is_char_boundary(*cut)) {
        let error = Snapshot::from_json(&json[..cut]).unwrap_err();
        assert!(matches!(error, SnapshotError::Truncated { .. }), "{cut}: {error}");
    }
    assert!(matches!(Snapshot::from_json("[2]"), Err(SnapshotError::NotASnapshot(_))));
    assert!(matches!(Snapshot::from_json("{\"format\":2}"), Err(SnapshotError::NotASnapshot(_))));
    let error = changed(|json| json["format"] = json!(1));
    assert!(matches!(error, SnapshotError::Format { found: 1, expected: 2 }));
    let error = changed(|json| json["process"] = json!("other"));
    assert_eq!(error.to_string(), "the snapshot is of the process `other`, not of `Lab`");
}

#[test]
fn what_contradicts_itself_is_refused() {
    let changes: [fn(&mut Value); 6] = [
        |json| json["callers"] = json!([{ "task": "decide" }, { "task": "decide" }]),
        |json| json["callers"] = json!([{ "task": "add" }]),
        |json| json["callers"] = json!([{ "task": "nobody" }]),
        |json| json["position"]["calling"]["visit"]["task"] = json!("gate"),
        |json| json["position"]["calling"]["visit"]["task"] = json!("nobody"),
        |json| json["position"]["calling"]["asked"]["call"] = json!(99),
    ];
    for change in changes {
        assert!(matches!(changed(change), SnapshotError::Inconsistent(_)));
    }
}

/// Returns the only conflict.
fn conflict(error: SnapshotError) -> ConflictKind {
    let SnapshotError::Incompatible { process, conflicts } = error else { panic!("{error}") };
    assert_eq!(process, "Lab");
    let Ok([Conflict { sub_process: None, kind, .. }]) = <[_; 1]>::try_from(conflicts) else {
        panic!("more than one conflict")
    };
    kind
}

/// Another graph, in which the run is at the same task.
fn other_graph(json: &mut Value) {
    let graph = json["fingerprint"]["graph"].as_object_mut().unwrap();
    graph["add"] = json!("0");
    graph["decide"] = json!("0");
    graph.remove("gate");
    graph.insert("old".to_owned(), json!("0"));
    json["visits"]["old"] = json!(3);
    json["out_of_budget"] = json!(["old"]);
    json["last_output"] = json!({ "task": "old", "output": 1 });
}

#[test]
fn another_graph_is_resumed_where_the_run_does_not_depend_on_it() {
    let mut run = at_add().changed(other_graph, &ResumeOptions::new()).unwrap();
    assert_eq!(run.task(), "add");
    let again = run.snapshot().to_json().unwrap();
    // Only the number of its visits is kept, so that no call gets the same key again.
    assert_eq!(again.matches("\"old\"").count(), 1, "{again}");
    assert!(again.contains("\"old\":3"), "{again}");
}

/// Adds a type to the state of the snapshot that the process does not have.
fn old_type(json: &mut Value) {
    json["fingerprint"]["state"]["Old"] = json!("0");
}

#[test]
fn another_graph_is_refused_with_what_the_run_depends_on() {
    let error = changed(|json| {
        other_graph(json);
        old_type(json);
        json["position"]["calling"]["visit"]["task"] = json!("old");
        json["callers"] = json!([{ "task": "old" }]);
    });
    assert_eq!(
        error.to_string(),
        "the process `Lab` has changed since the run was stored:\n  \
         the type `Old` of the state no longer exists: convert the state in a migration\n  \
         its task `old` no longer exists: move the run to another task in a migration\n  \
         the task `old`, to which it returns, no longer exists: clear the callers in a migration"
    );
}

#[test]
fn other_prompts_are_accepted_where_that_is_allowed() {
    let change = |json: &mut Value| json["fingerprint"]["prompts"]["(process)"] = json!("0");
    assert_eq!(conflict(changed(change)), ConflictKind::CommonPrompt { task: "add".to_owned() });
    let options = ResumeOptions::new().accept_changed_prompts();
    assert_eq!(at_add().changed(change, &options).unwrap().task(), "add");
}

#[test]
fn another_type_of_the_state_needs_a_migration() {
    let old = |json: &mut Value| {
        old_type(json);
        json["fingerprint"]["schemas"]["add"] = json!("0");
        json["state"] = json!({ "names": ["a"] });
    };
    let SnapshotError::Incompatible { conflicts, .. } = changed(old) else { panic!("no conflict") };
    let kinds: Vec<_> = conflicts.into_iter().map(|conflict| conflict.kind).collect();
    let schema = ConflictKind::TaskSchema { task: "add".to_owned() };
    let of_state = ConflictKind::StateType { name: "Old".to_owned(), change: Change::Removed };
    assert_eq!(kinds, [of_state, schema.clone()]);
    let error = changed(|json| json["fingerprint"]["schemas"]["add"] = json!("0"));
    assert_eq!(conflict(error), schema);
    let migration = |run: &mut Migration| {
        let name = run.state()["names"][0].as_str().ok_or("no name")?;
        *run.state_mut() = json!({ "fields": [{ "name": name }] });
        run.accept_changed_schema();
        Ok(())
    };
    let run = at_add().changed(old, &ResumeOptions::new().migrate(migration)).unwrap();
    assert_eq!(names(&run), ["a"]);
    let options = ResumeOptions::new().migrate(|_| Err("won't".into()));
    let error = at_add().changed(old, &options).err().unwrap();
    assert!(matches!(error, SnapshotError::Migration(_)));
}
