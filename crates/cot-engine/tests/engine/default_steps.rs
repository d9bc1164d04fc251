//! The limit of steps of a process that could run without end and sets no limit.

use cot_engine::{
    Budget, EventOutcome, HaltReason, Machine, MachineOptions, ResumeOptions, RunEvent,
    private::{AtMost, BoundsDefinition, Collect, Definition},
};
use serde_json::json;

use crate::harness::{
    NOTE, PROCESS, Run, ai, append, each_process, end, go, human, note, process, sub_process, to,
};

/// The bounds of a process with a default limit of ten steps.
const TEN: BoundsDefinition =
    BoundsDefinition { default_steps: Some(10), ..BoundsDefinition::NONE };

process! {
    Talk {
        hub: ai("").go(&[to(Self::ask), to(Self::inner), to(Self::each), to(Self::hub), to(Self::done)]),
        ask: human("What?").output(NOTE).commit(append).next(&[Self::hub]),
        inner: sub_process::<Inner>().next(&[Self::hub]),
        each: each_process::<Inner>().items(Some(2), Collect::All).next(&[Self::hub]),
        done: end(),
    }
    definition: Definition { bounds: TEN, ..PROCESS };
}

process! {
    Inner {
        think: ai("").go(&[to(Self::think), to(Self::ask), to(Self::done)]),
        ask: human("Sure?").output(NOTE).next(&[Self::think]),
        done: end(),
    }
    definition: Definition { bounds: TEN, ..PROCESS };
}

process! {
    Promise {
        hub: ai("").go(&[to(Self::hub), to(Self::done)]),
        done: end(),
    }
    definition: Definition {
        bounds: BoundsDefinition {
            at_most: Some(AtMost { calls: Some(30), output_tokens: None, questions: None }),
            ..TEN
        },
        budget: Budget { calls: Some(30), ..Budget::NONE },
        ..PROCESS
    };
}

fn warnings(run: &mut Run) -> Vec<u64> {
    let events = run.drain_events().into_iter();
    let near = events.filter_map(|event| match event {
        RunEvent::StepsRunLow { steps, limit: 10, .. } => Some(steps),
        _ => None,
    });
    near.collect()
}

#[test]
fn a_run_halts_at_the_default_and_a_retry_continues_it() {
    let mut run = Run::start::<Talk>(json!({})).after((0..9).map(|_| go("hub")));
    assert_eq!(warnings(&mut run), [8]);
    run.survives();
    run.reply(go("hub"));
    let halt = run.halt();
    assert_eq!((&halt.reason, run.steps()), (&HaltReason::DefaultSteps(10), 10));
    let said = halt.reason.to_string();
    assert!(said.contains("`max_steps`") && said.contains("a retry continues it"), "{said}");
    let mut again = run.resume(run.snapshot(), &ResumeOptions::new().retry_halted()).unwrap();
    again = again.after((0..9).map(|_| go("hub")));
    assert_eq!((again.task(), again.steps()), ("hub", 20));
    again.reply(go("hub"));
    assert_eq!(again.halt().reason, HaltReason::DefaultSteps(10));
}

#[test]
fn an_answer_of_a_person_starts_the_count_anew() {
    let mut run = Run::start::<Talk>(json!({}));
    for round in 1..=20_u64 {
        run = run.after((0..7).map(|_| go("hub")));
        run.reply(go("ask"));
        assert_eq!(run.answer(note("yes", 1)), EventOutcome::Applied);
        assert_eq!((run.task(), run.steps()), ("hub", 9 * round + 1));
    }
    assert!(!run.is_over());
}

#[test]
fn steps_of_sub_processes_count_and_answers_in_them_too() {
    let mut run = Run::start::<Talk>(json!({})).after([go("hub"), go("hub"), go("inner")]);
    // Four steps of the run, and six of the sub-process.
    run = run.after((0..5).map(|_| go("think")));
    run.survives();
    let mut halted = run.resumed();
    halted.reply(go("think"));
    assert_eq!(halted.halt().reason, HaltReason::DefaultSteps(10));
    run.reply(go("ask"));
    assert_eq!(run.halt().reason, HaltReason::DefaultSteps(10));

    let mut run = Run::start::<Talk>(json!({})).after([go("hub"), go("hub"), go("inner")]);
    run = run.after((0..4).map(|_| go("think")));
    run.reply(go("ask"));
    run.survives();
    assert_eq!(run.answer(note("yes", 1)), EventOutcome::Applied);
    // Ten more steps of the sub-process, which outlive the sub-process.
    run = run.after((0..8).map(|_| go("think")));
    run.survives();
    run.reply(go("done"));
    assert_eq!(run.task(), "hub");
    run.reply(go("hub"));
    assert_eq!(run.halt().reason, HaltReason::DefaultSteps(10));
}

#[test]
fn limits_of_the_program_take_the_place_of_the_default() {
    for with_budget in [false, true] {
        let mut run = Run::with::<Talk>(
            |options| match with_budget {
                true => options.budget = Some(Budget { calls: Some(100), ..Budget::NONE }),
                false => options.max_steps = Some(15),
            },
            json!({}),
        );
        run = run.after((0..14).map(|_| go("hub")));
        assert_eq!((run.task(), run.steps()), ("hub", 15));
        assert!(warnings(&mut run).is_empty());
    }
}

#[test]
fn a_run_keeps_the_limit_with_which_it_started() {
    let run = Run::start::<Talk>(json!({}));
    let mut stored = run.snapshot_json();
    assert_eq!(stored["unattended"], json!({ "own": { "limit": 10, "until": 10 } }));
    stored["unattended"]["own"] = json!({ "limit": 3, "until": 3 });
    let mut short = run.changed(|json| *json = stored.clone(), &ResumeOptions::new()).unwrap();
    short = short.after([go("hub"), go("hub")]);
    short.reply(go("hub"));
    assert_eq!(short.halt().reason, HaltReason::DefaultSteps(3));
    // A run of an earlier version has none.
    let mut old = run
        .changed(
            |json| drop(json.as_object_mut().unwrap().remove("unattended")),
            &ResumeOptions::new(),
        )
        .unwrap();
    old = old.after((0..20).map(|_| go("hub")));
    assert!(!old.is_over());
}

#[test]
fn a_limit_on_which_a_proof_rests_can_only_be_lowered() {
    type Change = fn(&mut MachineOptions);
    let start = |change: Change| {
        let mut options = MachineOptions::default();
        change(&mut options);
        Machine::<Promise>::new().options(options).start(json!({}))
    };
    let refused: [(Change, &str); 3] = [
        (|options| options.max_steps = Some(11), "a `max_steps` of 10"),
        (
            |options| options.budget = Some(Budget { calls: Some(31), ..Budget::NONE }),
            "a `budget.calls` of 30",
        ),
        (
            |options| options.budget = Some(Budget { cost: Some(1.0), ..Budget::NONE }),
            "a `budget.calls` of 30",
        ),
    ];
    for (change, said) in refused {
        let error = start(change).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    start(|options| options.max_steps = Some(10)).unwrap();
    // A lower budget does not take the place of the default.
    let mut run = Run::with::<Promise>(
        |options| options.budget = Some(Budget { calls: Some(20), ..Budget::NONE }),
        json!({}),
    );
    run = run.after((0..9).map(|_| go("hub")));
    run.reply(go("hub"));
    assert_eq!(run.halt().reason, HaltReason::DefaultSteps(10));
}

#[test]
fn a_jump_over_the_mark_is_told_once() {
    // Steps 8 and 9 are those of a sub-process.
    let mut run = Run::start::<Talk>(json!({})).after((0..5).map(|_| go("hub")));
    run.reply(go("inner"));
    run = run.after([go("think")]);
    run.survives();
    run.reply(go("done"));
    assert_eq!((run.task(), run.steps()), ("hub", 10));
    assert_eq!(warnings(&mut run), [10]);
}
