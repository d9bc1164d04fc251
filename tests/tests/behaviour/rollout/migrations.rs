//! Migrations of state and position.

use std::{
    error::Error,
    sync::{Arc, Mutex},
};

use cot_core::{ConflictKind, Machine, Migration, Process, ResumeOptions, SnapshotError};
use serde_json::{Value, json};

use super::{
    PLACES, at, conflicts, driven, first, gone, grown, orphan, other_kinds, reshaped, resume,
    stored,
};
use crate::drive::{go, note, only, outcome, prompt, reply, state};

type Migrated = Result<(), Box<dyn Error + Send + Sync>>;

fn migrating(
    migration: impl Fn(&mut Migration) -> Migrated + Send + Sync + 'static,
) -> ResumeOptions {
    ResumeOptions::new().migrate(migration)
}

fn to_choose() -> ResumeOptions {
    migrating(|run| {
        run.move_to("choose");
        Ok(())
    })
}

fn refused<P: Process<Context = ()>>(json: &str, options: ResumeOptions) -> SnapshotError {
    resume::<P>(json, options).map(drop).unwrap_err()
}

#[test]
fn a_run_moves_to_another_task_and_keeps_what_it_has_used() {
    for place in PLACES {
        let before = at(place);
        let mut run = resume::<gone::Order>(&stored(&before), to_choose()).unwrap();
        assert!(run.at_task_boundary() && run.callers().next().is_none(), "{place}");
        assert_eq!((run.usage(), run.steps()), (before.usage(), before.steps()), "{place}");
        assert_eq!(run.history().len(), before.history().len());
        let call = only(&mut run);
        assert_eq!(call.key.to_string(), "choose#3@1", "{place}");
        reply(&mut run, go("done"));
        assert!(matches!(outcome(&mut run), gone::OrderOutcome::Done));
        // From then on it is a run of the later version.
        let json = stored(&run);
        assert_eq!(conflicts::<gone::Order>(&json, ResumeOptions::new()), [""; 0]);
    }
}

#[test]
fn a_sub_process_in_progress_is_dropped_and_its_usage_is_kept() {
    let mut before = at("inner");
    reply(&mut before, note("one", 1));
    before.poll();
    let run = resume::<gone::Order>(&stored(&before), to_choose()).unwrap();
    assert_eq!((run.usage(), run.steps()), (before.usage(), before.steps()));
}

#[test]
fn a_task_starts_again() {
    let again = || {
        migrating(|run| {
            assert_eq!(run.conflicts().len(), 1);
            let task = run.task().to_owned();
            run.move_to(task);
            Ok(())
        })
    };
    for place in ["pack", "approve", "count", "inner"] {
        let mut before = at(place);
        if place == "pack" {
            reply(&mut before, json!("no note"));
        }
        let mut run = resume::<other_kinds::Order>(&stored(&before), again()).unwrap();
        assert_eq!(run.callers().map(|task| task.to_string()).collect::<Vec<_>>(), ["choose"]);
        let call = only(&mut run).key.to_string();
        assert!(call.starts_with(&format!("{place}#2")), "{call}");
    }
}

#[test]
fn a_changed_schema_can_be_accepted() {
    let mut before = at("sort");
    let first = before.poll().directives()[0].id;
    let note = note("red", 1).into();
    let elapsed = crate::drive::SECOND;
    before.handle(cot_core::Event::Replied { id: first, reply: note, elapsed });
    before.poll();
    let accept = migrating(|run| {
        assert_eq!(run.difference().changed_tasks(), ["approve", "choose", "pack", "sort"]);
        run.accept_changed_schema();
        Ok(())
    });
    let mut run = resume::<reshaped::Order>(&stored(&before), accept).unwrap();
    let calls = run.poll().directives().to_vec();
    assert_eq!(calls.iter().map(|call| call.key.item()).collect::<Vec<_>>(), [Some(1)]);
    let reply = json!({ "text": "blue", "rank": 2, "more": "m" }).into();
    run.handle(cot_core::Event::Replied { id: calls[0].id, reply, elapsed });
    assert_eq!(state(&run).boxes, ["red", "blue", "red", "blue"]);
}

#[test]
fn callers_can_be_cleared() {
    let clear = migrating(|run| {
        assert_eq!(run.callers(), ["choose"]);
        run.clear_callers();
        Ok(())
    });
    let mut run = resume::<orphan::Order>(&stored(&at("inner")), clear).unwrap();
    assert_eq!(run.callers().count(), 0);
    reply(&mut run, note("one", 1));
    reply(&mut run, note("two", 1));
    assert!(matches!(outcome(&mut run), orphan::OrderOutcome::Done));
}

/// Migrates the runs of all earlier versions.
fn to_driven(called: &Arc<Mutex<Vec<String>>>) -> ResumeOptions {
    let called = Arc::clone(called);
    migrating(move |run| {
        called.lock().unwrap().push(format!("{} at {}", run.process(), run.task()));
        if run.difference().has_type("Van") {
            run.state_mut()["plate"] = json!("AB 12");
        }
        if run.difference().has_type("Lines") {
            let texts = run.state()["texts"].as_array().map_or(0, Vec::len);
            run.state_mut()["lines"] = json!(texts);
        }
        if run.process() == "Inner" && run.task() == "two" {
            run.move_to("three");
        }
        if run.process() == "Order" && matches!(run.task(), "rest" | "count") {
            run.move_to("pack");
        }
        Ok(())
    })
}

#[test]
fn a_migration_reaches_each_level_that_differs() {
    let called = Arc::default();
    let mut before = at("inner");
    reply(&mut before, note("one", 1));
    before.poll();
    let mut run = resume::<driven::Order>(&stored(&before), to_driven(&called)).unwrap();
    assert_eq!(*called.lock().unwrap(), ["Order at inner", "Inner at two"]);
    assert!(prompt(&mut run).contains("Three."));
    assert_eq!(state(&run).plate, "AB 12");
    let json: Value = serde_json::from_str(&stored(&run)).unwrap();
    let inner = &json["position"]["within"]["process"]["state"];
    assert_eq!(*inner, json!({ "texts": ["one"], "lines": 1 }));
    // Nothing is left to do for a run of the present version.
    resume::<driven::Order>(&json.to_string(), to_driven(&called)).unwrap();
    assert_eq!(called.lock().unwrap().len(), 2);
}

#[test]
fn one_migration_serves_runs_at_every_place() {
    for place in PLACES {
        let called = Arc::default();
        let mut run = resume::<driven::Order>(&stored(&at(place)), to_driven(&called)).unwrap();
        assert_eq!(state(&run).plate, "AB 12", "{place}");
        assert!(!run.poll().directives().is_empty());
    }
}

#[test]
fn a_migration_is_not_called_where_a_run_goes_on() {
    for place in PLACES {
        let never = || migrating(|run| panic!("called for {run:?}"));
        resume::<first::Order>(&stored(&at(place)), never()).unwrap();
        resume::<grown::Order>(&stored(&at(place)), never()).unwrap();
    }
}

#[test]
fn a_state_that_was_not_migrated_is_named() {
    let lazy = || migrating(|_| Ok(()));
    let error = refused::<driven::Order>(&stored(&at("pack")), lazy());
    let SnapshotError::UnreadableState { path, .. } = &error else { panic!("{error}") };
    assert_eq!(path, "$");
    let error = refused::<driven::Order>(&stored(&at("pack")), ResumeOptions::new());
    assert_eq!(
        error.to_string().lines().skip(1).collect::<Vec<_>>(),
        [
            "  the type `Cart` of the state no longer exists: convert the state in a migration",
            "  the type `Van` of the state is new: convert the state in a migration",
        ]
    );
}

#[test]
fn a_migration_can_not_move_a_run_where_it_can_not_start() {
    let to = |task: &'static str| {
        migrating(move |run| {
            run.move_to(task);
            Ok(())
        })
    };
    let json = stored(&at("pack"));
    for (task, why) in [
        ("nowhere", "which the process does not have"),
        ("pack", "which the process does not have"),
        ("addressed", "which takes inputs"),
    ] {
        let error = refused::<gone::Order>(&json, to(task));
        let said = format!("the migration of `Order` moves the run to `{task}`, {why}");
        assert_eq!(error.to_string(), said);
        assert!(matches!(error, SnapshotError::InvalidMove { .. }));
    }
    let mut over = at("pack");
    reply(&mut over, note("p", 1));
    reply(&mut over, go("done"));
    outcome(&mut over);
    let error = refused::<driven::Order>(&stored(&over), to("pack"));
    assert!(error.to_string().ends_with("but the run has ended"), "{error}");
}

#[test]
fn a_migration_that_fails_or_panics_is_the_error() {
    let json = stored(&at("pack"));
    let error = refused::<gone::Order>(&json, migrating(|_| Err("not today".into())));
    assert!(matches!(error, SnapshotError::Migration(_)));
    assert_eq!(error.source().unwrap().to_string(), "not today");
    let error = refused::<gone::Order>(&json, migrating(|_| panic!("no plate")));
    assert!(
        matches!(&error, SnapshotError::MigrationPanicked(said) if said == "it panicked: no plate"),
        "{error}"
    );
    // The snapshot is as it was.
    resume::<first::Order>(&json, ResumeOptions::new()).unwrap();
}

#[test]
fn what_a_migration_leaves_is_reported() {
    let error = refused::<orphan::Order>(&stored(&at("pack")), migrating(|_| Ok(())));
    let SnapshotError::Incompatible { conflicts, .. } = &error else { panic!("{error}") };
    assert_eq!(conflicts[0].kind, ConflictKind::CallerGone { task: "choose".to_owned() });
    // A move drops the callers that are gone.
    let again = migrating(|run| {
        run.move_to("pack");
        Ok(())
    });
    let run = resume::<orphan::Order>(&stored(&at("pack")), again).unwrap();
    assert_eq!(Machine::callers(&run).count(), 0);
}
