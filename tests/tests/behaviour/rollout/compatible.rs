//! Which changes of a process let its runs continue, for a run at each place.

use cot_core::{Machine, Process, ResumeOptions, SnapshotError};
use serde_json::{Value, json};

use super::{
    PLACES, asking, at, conflicts, first, gone, grown, orphan, other_kinds, reshaped, resume,
    reworded, stored,
};
use crate::drive::{go, note, outcome, prompt, reply};

/// Compares a run at each place with a version. Places that are not listed have no conflict.
fn check<P: Process<Context = ()>>(
    options: impl Fn() -> ResumeOptions,
    expected: &[(&str, &[&str])],
) {
    for place in PLACES {
        let found = conflicts::<P>(&stored(&at(place)), options());
        let expected = expected.iter().find(|(expected, _)| *expected == place);
        assert_eq!(found, expected.map_or(&[][..], |(_, names)| names), "{place}");
    }
}

/// The calls of a machine.
fn calls<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Vec<String> {
    machine.poll().directives().iter().map(|call| format!("{} {}", call.id, call.key)).collect()
}

#[test]
fn tasks_elsewhere_come_and_go() {
    check::<grown::Order>(ResumeOptions::new, &[]);
    for place in PLACES {
        let mut before = at(place);
        let mut after = resume::<grown::Order>(&stored(&before), ResumeOptions::new()).unwrap();
        assert_eq!(calls(&mut after), calls(&mut before), "{place}");
        assert_eq!(after.history().len(), before.history().len());
        assert_eq!(after.callers().map(|task| task.to_string()).collect::<Vec<_>>(), ["choose"]);
        // Should the task return, its calls must not have the same keys again.
        assert!(stored(&after).contains(r#""spare":1"#), "its visits are kept");
    }
}

#[test]
fn a_run_takes_the_routes_of_the_later_version() {
    let mut run = resume::<grown::Order>(&stored(&at("pack")), ResumeOptions::new()).unwrap();
    reply(&mut run, note("p", 1));
    assert!(prompt(&mut run).contains("Log."));
    // `log` returns to the caller, and a choice that no longer exists is rejected.
    reply(&mut run, note("l", 1));
    reply(&mut run, go("spare"));
    assert!(prompt(&mut run).contains("spare"));
    reply(&mut run, go("done"));
    assert!(matches!(outcome(&mut run), grown::OrderOutcome::Done));
}

#[test]
fn prompts_count_where_something_was_asked_with_them() {
    let prompt: &[&str] = &["task_prompt"];
    let asked = [("pack", prompt), ("approve", prompt), ("sort", prompt)];
    check::<reworded::Order>(ResumeOptions::new, &asked);
    check::<reworded::Order>(|| ResumeOptions::new().accept_changed_prompts(), &[]);
    let mut run = resume::<reworded::Order>(&stored(&at("between")), ResumeOptions::new()).unwrap();
    assert!(super::super::drive::prompt(&mut run).contains("Pack well."));
}

#[test]
fn outputs_count_where_something_was_asked_for_them() {
    let schema: &[&str] = &["task_schema"];
    let inner: &[&str] = &["state_type", "state_type"];
    let expected = [("pack", schema), ("approve", schema), ("sort", schema), ("inner", inner)];
    check::<reshaped::Order>(ResumeOptions::new, &expected);
}

#[test]
fn another_kind_counts_once_the_task_has_begun() {
    let kind: &[&str] = &["task_kind"];
    let expected = [
        ("pack", kind),
        ("approve", kind),
        ("sort", kind),
        ("count", kind),
        ("inner", &["task_process"]),
    ];
    check::<other_kinds::Order>(ResumeOptions::new, &expected);
}

#[test]
fn a_run_can_not_be_at_a_task_that_is_gone() {
    let gone: &[&str] = &["task_gone"];
    check::<gone::Order>(ResumeOptions::new, &PLACES.map(|place| (place, gone)));
    let error = resume::<gone::Order>(&stored(&at("rest")), ResumeOptions::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the process `Order` has changed since the run was stored: its task `rest` no longer exists: move the \
         run to another task in a migration"
    );
}

#[test]
fn a_run_can_not_return_to_a_caller_that_is_gone_or_of_another_kind() {
    let (gone, kind): (&[&str], &[&str]) = (&["caller_gone"], &["caller_kind"]);
    check::<orphan::Order>(ResumeOptions::new, &PLACES.map(|place| (place, gone)));
    check::<asking::Order>(ResumeOptions::new, &PLACES.map(|place| (place, kind)));
}

#[test]
fn conflicts_within_a_sub_process_name_it() {
    let mut run = at("inner");
    reply(&mut run, note("one", 1));
    run.poll();
    let error = resume::<reshaped::Order>(&stored(&run), ResumeOptions::new()).unwrap_err();
    let SnapshotError::Incompatible { conflicts, .. } = &error else { panic!("{error}") };
    assert!(conflicts.iter().all(|conflict| conflict.sub_process.as_deref() == Some("Inner")));
    let lines: Vec<_> = error.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    assert_eq!(
        lines[3],
        "  in the sub-process `Inner`, its task `two` no longer exists: move the run to another task in a \
         migration"
    );
    assert_eq!(
        serde_json::to_value(&conflicts[2]).unwrap(),
        json!({ "sub_process": "Inner", "conflict": "task_gone", "task": "two" })
    );
}

#[test]
fn a_run_that_ended_needs_its_end() {
    let mut run = at("pack");
    reply(&mut run, note("p", 1));
    reply(&mut run, go("done"));
    outcome(&mut run);
    let end = resume::<grown::Order>(&stored(&run), ResumeOptions::new()).unwrap();
    assert!(matches!(end.outcome(), Some(grown::OrderOutcome::Done)));
    // Its callers do not matter any more.
    let end = resume::<orphan::Order>(&stored(&run), ResumeOptions::new()).unwrap();
    assert!(matches!(end.outcome(), Some(orphan::OrderOutcome::Done)));
    let mut json: Value = serde_json::from_str(&stored(&run)).unwrap();
    json["position"]["finished"]["End"] = json!("sent");
    json["fingerprint"]["graph"]["sent"] = json!("0");
    assert_eq!(conflicts::<first::Order>(&json.to_string(), ResumeOptions::new()), ["end_task"]);
}

#[test]
fn names_that_no_version_has_are_corrupt() {
    for pointer in ["/position/calling/visit/task", "/callers/0/task"] {
        let mut json: Value = serde_json::from_str(&stored(&at("pack"))).unwrap();
        *json.pointer_mut(pointer).unwrap() = json!("nowhere");
        let error = resume::<grown::Order>(&json.to_string(), ResumeOptions::new()).unwrap_err();
        assert!(matches!(error, SnapshotError::Inconsistent(_)), "{error}");
    }
}
