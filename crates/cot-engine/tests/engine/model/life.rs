//! The life of an AI task: prompt, schema, events, history, state.

use std::sync::Arc;

use cot_engine::{Event, EventOutcome, Machine, MachinePoll, RunEvent, StartError};
use cot_model::{ModelError, ModelErrorKind, ModelReply, Usage};
use serde_json::json;

use super::lab::{Full, Goal, Lab, UsesGoal, field_named, names, started, with_fields};
use crate::harness::{Run, SECOND, go};

#[test]
fn the_prompt_has_its_parts_in_order() {
    let mut run = Run::start::<Goal>(json!({}));
    assert_eq!(run.goal(), "Serve everybody");
    let choice = "CHOICES\n- \"add\": One more\n- \"done\": words on it";
    let asked = run.reply(go("add"));
    assert_eq!(
        asked.prompt_without_format(),
        format!("GOAL\nServe everybody\n\n{choice}\n\nFields: []")
    );
    let mut run = started();
    run.reply(go("add"));
    run.reply(json!({ "name": "" }));
    let request = Arc::clone(run.only().request());
    let prompt = request.prompt_without_format();
    let (before, errors) = prompt.split_once("ERRORS\n").unwrap();
    assert_eq!(
        before,
        "Generate a field.\n\nHISTORY\n\
         [{\"task\":\"decide\",\"goTo\":\"add\",\"intent\":\"try it\",\"stepAfter\":\"see\"}]\n\n\
         Fields: []\n\n"
    );
    assert!(errors.starts_with("- $.name: "), "{errors}");
    assert!(
        errors
            .ends_with("; you gave \"\"\nWrite the whole reply again, with all of this put right."),
        "{errors}"
    );
    let whole = request.prompt();
    assert!(whole.starts_with("Generate a field.\n\nOUTPUT\n{"), "{whole}");
}

#[test]
fn a_full_prompt_replaces_everything_but_the_schema() {
    let call = Run::start::<Full>(json!({})).only();
    assert_eq!(call.prompt(), "add of Full");
    assert_eq!(call.request().prompt_without_format(), "add of Full");
    assert_eq!(call.request().schema.as_ref().unwrap().name, "add");
    assert_eq!(call.request().system(), Some("Be brief."));
}

#[test]
fn the_schema_names_visible_targets_alone() {
    let targets = |run: &mut Run| {
        let schema = run.only().request().schema.clone().unwrap();
        schema.json["properties"]["goTo"]["enum"].clone()
    };
    assert_eq!(targets(&mut started()), json!(["add", "review", "done"]));
    let mut run = with_fields(&["a", "b"]);
    assert_eq!(targets(&mut run), json!(["add", "done"]));
    assert!(!run.prompt().contains("review"));
}

#[test]
fn a_task_that_may_do_both_has_a_schema_of_both() {
    let mut run = started().after([go("review")]);
    let schema = run.only().request().schema.clone().unwrap();
    let either = schema.json["anyOf"].as_array().unwrap();
    assert_eq!(either.len(), 2);
    assert_eq!(either[0]["properties"]["goTo"]["enum"], json!(["add"]));
    assert_eq!(either[1]["required"], json!(["name"]));
    run.reply(go("add"));
    assert_eq!(run.callers(), ["decide", "review"]);
}

#[test]
fn history_is_bounded_and_has_no_retries() {
    let mut run = started();
    for name in ["a", "b"] {
        run.reply(go("add"));
        run.reply("nonsense");
        run.reply(field_named(name));
    }
    let history: Vec<_> = run.history().iter().map(|entry| entry.json()).collect();
    assert_eq!(
        history,
        [
            r#"{"task":"decide","goTo":"add","intent":"try it","stepAfter":"see"}"#,
            r#"{"task":"add","output":{"name":"b"}}"#,
        ]
    );
}

#[test]
fn a_process_without_history_keeps_none() {
    let mut run = Run::start::<Goal>(json!({})).after([go("add"), field_named("a")]);
    assert!(run.history().is_empty());
    assert!(!run.prompt().contains("HISTORY"));
}

#[test]
fn events_tell_what_happened_in_its_order() {
    let mut run = started().after([go("add")]);
    run.reply("");
    run.reply(ModelReply::from(field_named("a")).usage(Usage::for_call(3, 4)));
    run.reply(go("done"));
    run.ending();
    let events = run.drain_events().into_iter().map(|event| match event {
        RunEvent::TaskStarted { task, step, .. } => format!("{step} {task}"),
        RunEvent::Prompt { attempt, .. } => format!("ask {attempt}"),
        RunEvent::AttemptFailed { attempt, will_retry, .. } => {
            format!("failed {} {will_retry}", attempt.number)
        }
        RunEvent::Committed { output, usage, elapsed, .. } => {
            format!("got {output} for {} in {elapsed:?}", usage.total_tokens())
        }
        RunEvent::Transitioned { go_to, intent, .. } => format!("to {go_to}: {intent}"),
        RunEvent::TaskFinished { task, next, route } => {
            format!("{task} -> {} by {route:?}", next.unwrap_or("end"))
        }
        RunEvent::Finished { ending, usage, elapsed } => {
            format!("{ending:?} after {} calls in {elapsed:?}", usage.calls)
        }
        other => panic!("unexpected {other:?}"),
    });
    assert_eq!(
        events.collect::<Vec<_>>(),
        [
            "1 decide",
            "ask 1",
            "to add: try it",
            "decide -> add by Transition",
            "2 add",
            "ask 1",
            "failed 1 true",
            "ask 2",
            r#"got {"name":"a"} for 7 in 1s"#,
            "add -> decide by Return",
            "3 decide",
            "ask 1",
            "to done: try it",
            "decide -> done by Transition",
            "done -> end by End",
            "End(\"done\") after 4 calls in 4s",
        ]
    );
    assert!(run.drain_events().is_empty());
    assert_eq!(run.usage().calls, 4);
    assert_eq!(names(&run), ["a"]);
}

#[test]
fn undrained_events_do_not_pile_up() {
    let mut run = started();
    for number in 0..500 {
        run.reply(go("add"));
        run.reply("{");
        run.reply(field_named(&format!("f{number}")));
    }
    assert!(run.drain_events().len() < 300);
}

#[test]
fn polling_twice_gives_the_same_call() {
    let mut run = started();
    let (first, second) = (run.only(), run.only());
    assert_eq!(first.id, second.id);
    assert!(Arc::ptr_eq(first.request(), second.request()));
    assert_eq!(run.steps(), 1);
}

#[test]
fn stale_events_change_nothing() {
    let mut run = started();
    let stale = run.only().id;
    run.reply(go("add"));
    let late = || Event::Replied { id: stale, reply: field_named("x").into(), elapsed: SECOND };
    assert_eq!(run.handle(late()), EventOutcome::Stale);
    let id = run.only().id;
    assert_ne!(id, stale);
    let error = ModelError::new(ModelErrorKind::Other, "late");
    for event in [
        late(),
        Event::Failed { id: stale, error, elapsed: SECOND },
        Event::TimedOut { id: stale, elapsed: SECOND },
    ] {
        assert_eq!(run.handle(event), EventOutcome::Stale);
    }
    assert_eq!(run.only().id, id);
    assert!(names(&run).is_empty());
}

#[test]
fn a_machine_is_started_once_at_a_time() {
    let mut machine = Machine::<Lab>::new();
    assert!(machine.is_idle());
    assert!(matches!(machine.poll(), MachinePoll::Idle));
    let cancel = Event::Cancelled { reason: "x".into(), calls: 0 };
    assert_eq!(machine.handle(cancel), EventOutcome::NotRunning);
    machine.start(json!({})).unwrap();
    assert_eq!(machine.start(json!({})), Err(StartError::Busy));
    let first = machine.poll().directives()[0].id;
    machine.handle(Event::Replied { id: first, reply: go("done").into(), elapsed: SECOND });
    machine.poll();
    machine.start(json!({})).unwrap();
    assert!(machine.ending().is_none() && machine.steps() == 0 && machine.history().is_empty());
    assert!(machine.poll().directives()[0].id > first);
}

#[test]
fn a_goal_that_is_used_is_needed() {
    let mut machine = Machine::<UsesGoal>::new();
    assert_eq!(machine.start(json!({})), Err(StartError::MissingGoal));
    assert!(machine.is_idle());
    let mut run =
        Run::with::<UsesGoal>(|options| options.goal = Some("Mine".to_owned()), json!({}));
    assert!(run.prompt().contains("GOAL\nMine\n\n"));
}

#[test]
fn boundaries_lie_between_tasks() {
    let mut run = started();
    assert!(run.is_at_boundary());
    run.only();
    assert!(!run.is_at_boundary());
    run.reply("{}");
    assert!(!run.is_at_boundary());
    run.reply(go("done"));
    assert!(run.is_at_boundary());
    run.ending();
    assert!(!run.is_at_boundary());
}

#[test]
fn machines_go_from_thread_to_thread() {
    fn sent<T: Send + Sync>(_: &T) {}
    let mut machine = Machine::<Lab>::new();
    sent(&machine);
    machine.start(json!({})).unwrap();
    sent(&machine.snapshot().unwrap());
}
