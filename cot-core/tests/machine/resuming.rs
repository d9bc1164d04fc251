//! Snapshots: their contents, and the reasons for rejecting them.

use cot_core::{
    Change, Conflict, ConflictKind, Event, Machine, ResumeOptions, Snapshot, SnapshotError,
    model::ModelReply,
};
use serde_json::{Value, json};

use crate::{
    drive::{SECOND, call, field, go, reply, request, started, started_with},
    lab::{Lab, LabMachine, LabOutcome, LabTask, State},
};

/// Restores the machine from its serialized snapshot.
fn transported(machine: &LabMachine) -> LabMachine {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    LabMachine::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new()).unwrap()
}

fn script() -> Vec<ModelReply> {
    let mut replies: Vec<ModelReply> = vec![go("review").into(), go("add").into()];
    replies.push("not JSON".into());
    replies.push(json!({"name": "a", "weight": 0.1}).into());
    replies.push(json!({"name": "b", "weight": 0.123_456_789_012_345_67}).into());
    replies.push(go("add").into());
    replies.push(json!({"name": 5}).into());
    replies.push(field("refused").into());
    replies.push(json!({"name": "c", "weight": 1e-7}).into());
    replies.push(go("done").into());
    replies
}

type Seen = (Vec<String>, State, LabOutcome, u64);

/// Runs the script, and restores the machine from a snapshot at some steps.
fn run(snapshot_at: impl Fn(usize) -> bool) -> Seen {
    let mut machine = started();
    let (mut script, mut asked, mut point) = (script().into_iter(), Vec::new(), 0);
    loop {
        let mut turn = |machine: &mut LabMachine| {
            if snapshot_at(point) {
                *machine = transported(machine);
            }
            point += 1;
        };
        turn(&mut machine);
        let calls = machine.poll().directives().to_vec();
        turn(&mut machine);
        let [call] = &*calls else {
            let (ending, steps) = (machine.outcome().unwrap(), machine.steps());
            return (asked, machine.into_state().unwrap(), ending, steps);
        };
        asked.push(format!("{} {} {}", call.id, call.key.attempt(), request(call).prompt()));
        let reply = script.next().unwrap();
        machine.handle(Event::Replied { id: call.id, reply, elapsed: SECOND });
    }
}

#[test]
fn a_run_that_was_interrupted_anywhere_ends_the_same() {
    let (asked, state, ending, steps) = run(|_| false);
    assert_eq!(asked.len(), script().len());
    let check = |seen: Seen| {
        assert_eq!(seen.0, asked);
        assert_eq!(seen.1, state);
        assert_eq!((format!("{:?}", seen.2), seen.3), (format!("{ending:?}"), steps));
    };
    check(run(|_| true));
    for at in 0..2 * asked.len() + 2 {
        check(run(|point| point == at));
    }
}

#[test]
fn numbers_are_kept_to_the_last_digit() {
    for i in 1..1000_u32 {
        let weight = f64::from(i).sqrt() / 7e5;
        let machine = started_with::<Lab>(State { weight, ..State::default() });
        assert_eq!(transported(&machine).state(), machine.state());
    }
}

#[test]
fn a_call_is_the_same_after_resuming() {
    let mut machine = started();
    reply(&mut machine, go("add"));
    reply(&mut machine, "bad");
    let mut resumed = transported(&machine);
    let (before, after) = (call(&mut machine), call(&mut resumed));
    assert_eq!((before.id, &before.key, before.task), (after.id, &after.key, after.task));
    assert_eq!(request(&before), request(&after));
    let resumed_waiting = transported(&machine);
    assert_eq!(resumed_waiting.steps(), machine.steps());
    assert_eq!(resumed_waiting.callers().collect::<Vec<_>>(), [LabTask::Decide]);
}

fn snapshot() -> Snapshot {
    let mut machine = started();
    reply(&mut machine, go("add"));
    machine.poll();
    machine.snapshot().unwrap()
}

fn changed(change: impl FnOnce(&mut Value)) -> SnapshotError {
    let mut json = serde_json::to_value(snapshot()).unwrap();
    change(&mut json);
    match Snapshot::from_json(&json.to_string()) {
        Ok(snapshot) => LabMachine::resume(snapshot, ResumeOptions::new()).unwrap_err(),
        Err(error) => error,
    }
}

#[test]
fn what_cannot_be_read_is_refused() {
    assert!(matches!(LabMachine::new().snapshot(), Err(SnapshotError::Idle)));
    let json = snapshot().to_json().unwrap();
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
        |json| json["callers"] = json!([{"task": "decide"}, {"task": "decide"}]),
        |json| json["callers"] = json!([{"task": "add"}]),
        |json| json["callers"] = json!([{"task": "nobody"}]),
        |json| json["position"]["calling"]["visit"]["task"] = json!("gate"),
        |json| json["position"]["calling"]["visit"]["task"] = json!("nobody"),
        |json| json["position"]["calling"]["asked"]["call"] = json!(99),
    ];
    for change in changes {
        assert!(matches!(changed(change), SnapshotError::Inconsistent(_)));
    }
    let error = changed(|json| json["state"]["fields"] = json!([{"name": 5}]));
    let SnapshotError::UnreadableState { path, .. } = error else { panic!("{error}") };
    assert_eq!(path, "$.fields[0].name");
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
    json["last_output"] = json!({"task": "old", "output": 1});
}

#[test]
fn another_graph_is_resumed_where_the_run_does_not_depend_on_it() {
    let mut json = serde_json::to_value(snapshot()).unwrap();
    other_graph(&mut json);
    let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
    let mut machine = LabMachine::resume(snapshot, ResumeOptions::new()).unwrap();
    assert_eq!(call(&mut machine).task, LabTask::Add);
    let again = machine.snapshot().unwrap().to_json().unwrap();
    // Only the number of its visits is kept, so that no call gets the same key again.
    assert_eq!(again.matches("\"old\"").count(), 1, "{again}");
    assert!(again.contains("\"old\":3"), "{again}");
}

#[test]
fn another_graph_is_refused_with_what_the_run_depends_on() {
    let error = changed(|json| {
        other_graph(json);
        json["position"]["calling"]["visit"]["task"] = json!("old");
        json["callers"] = json!([{"task": "old"}]);
        json["fingerprint"]["state"]["Field"] = json!("0");
    });
    assert_eq!(
        error.to_string(),
        "the process `Lab` has changed since the run was stored:\n  \
         the type `Field` of the state has changed: convert the state in a migration\n  \
         its task `old` no longer exists: move the run to another task in a migration\n  \
         the task `old`, to which it returns, no longer exists: clear the callers in a migration"
    );
}

#[test]
fn other_prompts_are_accepted_where_that_is_allowed() {
    let change = |json: &mut Value| json["fingerprint"]["prompts"]["(process)"] = json!("0");
    let error = changed(change);
    assert_eq!(conflict(error), ConflictKind::CommonPrompt { task: "add".to_owned() });
    let mut json = serde_json::to_value(snapshot()).unwrap();
    change(&mut json);
    let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
    let options = ResumeOptions::new().accept_changed_prompts();
    let mut machine = Machine::<Lab>::resume(snapshot, options).unwrap();
    assert_eq!(call(&mut machine).task, LabTask::Add);
}

#[test]
fn another_state_type_needs_a_migration() {
    let old = |json: &mut Value| {
        json["fingerprint"]["state"]["Field"] = json!("0");
        json["fingerprint"]["schemas"]["add"] = json!("0");
        json["state"] = json!({"names": ["a"]});
    };
    let error = changed(old);
    let SnapshotError::Incompatible { conflicts, .. } = error else { panic!("{error}") };
    let kinds: Vec<_> = conflicts.into_iter().map(|conflict| conflict.kind).collect();
    let schema = ConflictKind::TaskSchema { task: "add".to_owned() };
    let change = Change::Changed;
    assert_eq!(
        kinds,
        [ConflictKind::StateType { name: "Field".to_owned(), change }, schema.clone()]
    );
    let error = changed(|json| json["fingerprint"]["schemas"]["add"] = json!("0"));
    assert_eq!(conflict(error), schema);
    let mut json = serde_json::to_value(snapshot()).unwrap();
    old(&mut json);
    let migration = |run: &mut cot_core::Migration| {
        let name = run.state()["names"][0].as_str().ok_or("no name")?;
        *run.state_mut() = json!({"fields": [{"name": name}], "weight": 0.0, "history": []});
        run.accept_changed_schema();
        Ok(())
    };
    let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
    let options = ResumeOptions::new().migrate(migration);
    let machine = LabMachine::resume(snapshot.clone(), options).unwrap();
    assert_eq!(crate::drive::names(machine.state()), ["a"]);
    let options = ResumeOptions::new().migrate(|_| Err("won't".into()));
    let error = LabMachine::resume(snapshot, options).unwrap_err();
    assert!(matches!(error, SnapshotError::Migration(_)));
}
