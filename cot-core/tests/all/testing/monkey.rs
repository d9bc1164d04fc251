//! The monkey.

use std::{cell::Cell, error::Error, rc::Rc};

use cot_core::{
    MachineOptions,
    testing::{Coverage, Mixture, Monkey, MonkeyError, Problem, ReplyKind},
};

use crate::testing::{
    desk::{Desk, DeskOutcome, DeskTask, Notes},
    office::{Line, Office, OfficeTask, Papers},
};

fn desk() -> Monkey<Desk> {
    Monkey::new(Notes::default).seed(7).runs(200)
}

fn office() -> Monkey<Office> {
    Monkey::with_states(|run| Papers { limit: run as usize % 7, ..Papers::default() })
        .code(OfficeTask::Stamp, |call| Line { text: format!("stamp {}", call.key.attempt()) })
}

#[test]
fn runs_end_in_all_ways_and_come_everywhere() {
    let report = desk().run().unwrap();
    assert_eq!((report.runs(), report.seed()), (200, 7));
    assert!(report.ended("send") > 50 && report.ended("discard") > 5, "{report}");
    for reason in ["exhausted", "truncated", "refused", "unreachable"] {
        assert!(report.ended(&format!("halted: {reason}")) > 0, "{report}");
    }
    assert_eq!(report.endings().map(|(_, count)| count).sum::<u64>(), 200);
    assert!(report.calls() == report.answers() && report.answers() > report.steps());
    assert_eq!(report.coverage().missing(), [""; 0], "{report}");
    assert!(report.to_string().contains("\nreview "), "{report}");
}

#[test]
fn tasks_of_all_kinds_are_answered() {
    let report = office()
        .runs(400)
        .invariant("lines are bounded", |papers| papers.lines.len() <= papers.limit)
        .invariant("lines have text", |papers| {
            papers.lines.iter().chain(&papers.copies).all(|line| !line.text.is_empty())
        })
        .step_invariant("lines are never lost", |old, new| new.lines.starts_with(&old.lines))
        .machine_invariant("nobody waits twice", |machine| machine.callers().count() < 9)
        .run()
        .unwrap();
    assert_eq!(report.coverage().missing(), [""; 0], "{report}");
    assert!(report.ended("done") > 100 && report.ended("lost") > 0, "{report}");
    assert!(report.answers() > report.calls(), "{report}");
    assert!(report.ended("halted: code failed") > 0, "{report}");
}

#[test]
fn a_broken_invariant_is_told_with_what_led_there() {
    let found = desk().invariant("few notes", |notes| notes.notes.len() < 4).run().unwrap_err();
    assert!(
        matches!(found.problem(), Problem::Invariant { name, why: None } if name == "few notes")
    );
    let told = found.to_string();
    let last = found.last_answers().last().unwrap();
    assert!(last.starts_with("revise: replied") || last.starts_with("ask: replied"), "{told}");
    for part in ["Desk: `few notes` does not hold", "runs failed", r#"{"notes":["#, "seed(7)"] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    assert_eq!(format!("{found:?}"), told);

    let again = desk().invariant("few notes", |notes| notes.notes.len() < 4).only_run(found.run());
    let again = again.run().unwrap_err();
    assert_eq!((again.run(), again.step()), (found.run(), found.step()));
    assert_eq!(again.task(), found.task());
    assert!(again.last_answers().eq(found.last_answers()));
    let _: Box<dyn Error + Send + Sync> = found.into();
}

#[test]
fn invariants_say_why_by_results_and_by_asserting() {
    let why = |found: &MonkeyError<Desk>| match found.problem() {
        Problem::Invariant { why, .. } => why.clone().unwrap(),
        other => panic!("{other}"),
    };
    let few = |notes: &Notes| match notes.notes.len() {
        count @ 3.. => Err(format!("there are {count}")),
        _ => Ok(()),
    };
    assert_eq!(why(&desk().invariant("few", few).run().unwrap_err()), "there are 3");
    let asserting = desk().invariant("few", |notes| assert!(notes.notes.is_empty(), "found one"));
    let found = asserting.run().unwrap_err();
    assert_eq!(why(&found), "found one");
    assert_eq!(found.task(), Some(DeskTask::Classify));
}

#[test]
fn ends_and_steps_are_checked() {
    let found = desk()
        .end_invariant("nothing is discarded", |outcome, _| *outcome != DeskOutcome::Discard)
        .run()
        .unwrap_err();
    assert_eq!(found.task(), Some(DeskTask::Discard));
    let grows = |old: &Notes, new: &Notes| new.notes.len() == old.notes.len();
    let found = desk().step_invariant("nothing changes", grows).run().unwrap_err();
    assert_eq!((found.step(), found.last_answers().count()), (1, 1));
}

#[test]
fn what_a_process_within_leaves_is_checked_too() {
    let monkey = office().mixture(Mixture::only(ReplyKind::Valid));
    let found = monkey.step_invariant("good is one more", |old, new| new.good <= old.good + 1);
    assert_eq!(found.run().unwrap_err().task(), Some(OfficeTask::Inner));
}

#[test]
fn checks_between_tasks_are_fewer() {
    let count = |monkey: Monkey<Desk>| {
        let checks = Rc::new(Cell::new(0));
        let counted = Rc::clone(&checks);
        let monkey = monkey.mixture(Mixture::default()).invariant("counts", move |_| {
            counted.set(counted.get() + 1);
        });
        let report = monkey.run().unwrap();
        (checks.get(), report.answers())
    };
    let (all, answers) = count(desk());
    assert_eq!(all, answers + 200);
    let (some, same) = count(desk().between_tasks_only());
    assert!(some < all && same == answers);
}

#[test]
fn the_limits_of_runs_are_kept() {
    let found = desk().max_steps(4).run().unwrap_err();
    assert!(matches!(found.problem(), Problem::Steps { steps: 5, limit: 4 }), "{found}");
    let mut options = MachineOptions::default();
    options.max_steps = Some(3);
    let report = desk().max_steps(4).options(options).run().unwrap();
    assert!(report.ended("halted: max_steps") > 50, "{report}");
    let endless = office().runs(50).people(Mixture::only(ReplyKind::Invalid)).max_steps(500);
    assert!(matches!(endless.run().unwrap_err().problem(), Problem::Endless(_)));
}

#[test]
fn functions_that_wait_are_told() {
    let real = || Monkey::<Office>::new(Papers::default).call_code(OfficeTask::Stamp);
    let found = real().run().unwrap_err();
    assert!(matches!(found.problem(), Problem::FunctionWaits), "{found}");
    assert_eq!(found.task(), Some(OfficeTask::Stamp));
    Monkey::<Office>::new(Papers::default).runs(50).run().unwrap();
    let found = office().code(OfficeTask::Stamp, |_| -> Line { panic!("no ink") }).run();
    let found = found.unwrap_err();
    assert!(matches!(found.problem(), Problem::FunctionPanicked(said) if said == "no ink"));
}

#[test]
fn hooks_are_there_after_a_resumption_too() {
    let starts = Rc::new(Cell::new(0));
    let counted = Rc::clone(&starts);
    let report = desk()
        .prepare(move |machine| {
            counted.set(counted.get() + 1);
            machine.before_commit(|commit| {
                commit.update(|notes| notes.notes.push("by the hook".to_owned()));
                Ok(())
            });
        })
        .invariant("the hook has its say", |notes| notes.notes.len() % 2 == 0)
        .run()
        .unwrap();
    assert!(starts.get() > report.runs());

    let panics = desk().prepare(|machine| machine.before_commit(|_| panic!("in a hook"))).run();
    assert!(matches!(panics.unwrap_err().problem(), Problem::Panicked(_)));
}

#[test]
fn reports_fill_a_coverage_of_ones_own() {
    let coverage = Coverage::<Desk>::new();
    desk().coverage(&coverage).runs(3).run().unwrap();
    let visits = coverage.visits(DeskTask::Classify);
    desk().coverage(&coverage).runs(3).run().unwrap();
    assert_eq!((visits, coverage.visits(DeskTask::Classify)), (3, 6));
}

#[test]
fn failing_functions_are_part_of_it() {
    let fails = |faults| {
        let monkey = office().runs(100).faults(faults);
        monkey.run().unwrap().ended("halted: code failed")
    };
    assert!(fails(100) > fails(0));
}
