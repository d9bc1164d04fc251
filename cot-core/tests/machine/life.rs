//! The life of an AI task: prompt, schema, events, history, state.

use cot_core::{
    Event, EventOutcome, Machine, MachineOptions, MachinePoll, RunEvent, StartError,
    model::ModelReply,
};
use serde_json::json;

use crate::{
    drive::{SECOND, call, field, go, names, reply, request, started, started_with},
    lab::{Full, Goal, LabMachine, LabTask, State, UsesGoal},
};

#[test]
fn the_prompt_has_its_parts_in_order() {
    let mut machine = started_with::<Goal>(State::default());
    assert_eq!(machine.goal(), "Serve everybody");
    let choice = "CHOICES\n- \"add\": One more\n- \"done\": words on it";
    let asked = reply(&mut machine, go("add"));
    assert_eq!(
        asked.prompt_without_format(),
        format!("GOAL\nServe everybody\n\n{choice}\n\nFields: []")
    );
    let mut machine = started();
    reply(&mut machine, go("add"));
    reply(&mut machine, json!({"name": ""}));
    let prompt = request(&call(&mut machine)).prompt_without_format().into_owned();
    let (before, errors) = prompt.split_once("ERRORS\n").unwrap();
    assert_eq!(
        before,
        "Generate a field.\n\nHISTORY\n\
         [{\"task\":\"decide\",\"goTo\":\"add\",\"intent\":\"try it\",\"stepAfter\":\"see\"}]\n\n\
         Fields: []\n\n"
    );
    assert!(errors.starts_with("[{\"path\":\"$.name\",\"message\":\""), "{errors}");
    assert!(errors.ends_with(']'), "{errors}");
    let whole = request(&call(&mut machine)).prompt().to_owned();
    assert!(whole.starts_with("Generate a field.\n\nOUTPUT\n{"), "{whole}");
}

#[test]
fn a_full_prompt_replaces_everything_but_the_schema() {
    let mut machine = started_with::<Full>(State::default());
    let request = request(&call(&mut machine)).clone();
    assert_eq!(request.prompt(), "add of Full");
    assert_eq!(request.prompt_without_format(), "add of Full");
    assert_eq!(request.schema.as_ref().unwrap().name, "add");
    assert!(request.system().is_some());
}

#[test]
fn the_schema_names_visible_targets_alone() {
    let mut machine = started();
    let schema = request(&call(&mut machine)).schema.clone().unwrap();
    assert_eq!(schema.json["properties"]["goTo"]["enum"], json!(["add", "review", "done"]));
    for name in ["a", "b"] {
        reply(&mut machine, go("add"));
        reply(&mut machine, field(name));
    }
    let request = request(&call(&mut machine)).clone();
    let schema = request.schema.clone().unwrap();
    assert_eq!(schema.json["properties"]["goTo"]["enum"], json!(["add", "done"]));
    assert!(!request.prompt().contains("review"));
}

#[test]
fn a_task_that_may_do_both_has_a_schema_of_both() {
    let mut machine = started();
    reply(&mut machine, go("review"));
    let schema = request(&call(&mut machine)).schema.clone().unwrap();
    let either = schema.json["anyOf"].as_array().unwrap();
    assert_eq!(either.len(), 2);
    assert_eq!(either[0]["properties"]["goTo"]["enum"], json!(["add"]));
    assert_eq!(either[1], json!({"$ref": "#/$defs/Field"}));
    assert!(schema.json["$defs"]["Field"].is_object());
    reply(&mut machine, go("add"));
    assert_eq!(machine.callers().collect::<Vec<_>>(), [LabTask::Decide, LabTask::Review]);
}

#[test]
fn history_is_bounded_and_mirrored_and_has_no_retries() {
    let mut machine = started();
    for name in ["a", "b"] {
        reply(&mut machine, go("add"));
        reply(&mut machine, "nonsense");
        reply(&mut machine, field(name));
    }
    let history: Vec<_> = machine.history().iter().map(|entry| entry.json()).collect();
    assert_eq!(
        history,
        [
            r#"{"task":"decide","goTo":"add","intent":"try it","stepAfter":"see"}"#,
            r#"{"task":"add","output":{"name":"b","weight":0.0}}"#,
        ]
    );
    let mirror = &machine.state().unwrap().history;
    assert_eq!(mirror.iter().collect::<Vec<_>>(), [machine.history().last().unwrap()]);
}

#[test]
fn a_process_without_history_keeps_none() {
    let mut machine = started_with::<Goal>(State::default());
    reply(&mut machine, go("add"));
    reply(&mut machine, field("a"));
    assert!(machine.history().is_empty());
    assert!(!request(&call(&mut machine)).prompt().contains("HISTORY"));
}

#[test]
fn events_tell_what_happened() {
    let mut machine = LabMachine::new();
    machine.record(true);
    machine.start(State::default()).unwrap();
    reply(&mut machine, go("add"));
    reply(&mut machine, "");
    reply(&mut machine, ModelReply::from(field("a")).usage(cot_core::Usage::for_call(3, 4)));
    reply(&mut machine, go("done"));
    machine.poll();
    let events: Vec<String> = machine
        .drain_events()
        .map(|event| match event {
            RunEvent::TaskStarted { task, step } => format!("{step} {task}"),
            RunEvent::Prompt { attempt, .. } => format!("ask {attempt}"),
            RunEvent::AttemptFailed { attempt, will_retry, .. } => {
                format!("failed {} {will_retry}", attempt.number)
            }
            RunEvent::Committed { output, usage, elapsed, .. } => {
                let name = serde_json::to_value(output).unwrap();
                format!("got {name} for {} in {elapsed:?}", usage.total_tokens())
            }
            RunEvent::Transitioned { go_to, intent, .. } => format!("to {go_to}: {intent}"),
            RunEvent::TaskFinished { task, next, route } => match next {
                Some(next) => format!("{task} -> {next} by {route:?}"),
                None => format!("{task} -> end by {route:?}"),
            },
            RunEvent::Finished { ending, usage, elapsed } => {
                let outcome = <crate::lab::Lab as cot_core::Process>::outcome(ending);
                format!("{outcome:?} after {} calls in {elapsed:?}", usage.calls)
            }
            other => panic!("unexpected {other:?}"),
        })
        .collect();
    assert_eq!(
        events,
        [
            "1 decide",
            "ask 1",
            "to add: try it",
            "decide -> add by Transition",
            "2 add",
            "ask 1",
            "failed 1 true",
            "ask 2",
            r#"got {"name":"a","weight":0.0} for 7 in 1s"#,
            "add -> decide by Return",
            "3 decide",
            "ask 1",
            "to done: try it",
            "decide -> done by Transition",
            "done -> end by End",
            "Done after 4 calls in 4s",
        ]
    );
    assert_eq!(machine.drain_events().count(), 0);
    assert_eq!(machine.usage().calls, 4);
    assert_eq!(names(machine.into_state().as_ref()), ["a"]);
}

#[test]
fn undrained_events_do_not_pile_up() {
    let mut machine = started();
    machine.record(true);
    for _ in 0..500 {
        reply(&mut machine, go("add"));
        reply(&mut machine, "{");
        let name = format!("f{}", machine.steps());
        reply(&mut machine, field(&name));
    }
    assert!(machine.drain_events().count() < 300);
}

#[test]
fn polling_twice_gives_the_same_call() {
    let mut machine = started();
    let (first, second) = (call(&mut machine), call(&mut machine));
    assert_eq!(first.id, second.id);
    assert!(std::sync::Arc::ptr_eq(request(&first), request(&second)));
    assert_eq!(machine.steps(), 1);
}

#[test]
fn stale_events_change_nothing() {
    let mut machine = started();
    let stale = call(&mut machine).id;
    reply(&mut machine, go("add"));
    let again = || Event::Replied { id: stale, reply: field("x").into(), elapsed: SECOND };
    assert_eq!(machine.handle(again()), EventOutcome::Stale);
    let id = call(&mut machine).id;
    assert_ne!(id, stale);
    assert_eq!(machine.handle(again()), EventOutcome::Stale);
    let error = cot_core::model::ModelError::new(cot_core::model::ModelErrorKind::Other, "late");
    assert_eq!(
        machine.handle(Event::Failed { id: stale, error, elapsed: SECOND }),
        EventOutcome::Stale
    );
    assert_eq!(machine.handle(Event::TimedOut { id: stale, elapsed: SECOND }), EventOutcome::Stale);
    assert_eq!(call(&mut machine).id, id);
    assert!(names(machine.state()).is_empty());
}

#[test]
fn a_machine_is_started_once_at_a_time() {
    let mut machine = LabMachine::new();
    assert!(machine.is_idle());
    assert!(matches!(machine.poll(), MachinePoll::Idle));
    assert_eq!(machine.handle(Event::Cancelled { reason: "x".into() }), EventOutcome::NotRunning);
    machine.start(State::default()).unwrap();
    assert_eq!(machine.start(State::default()), Err(StartError::Busy));
    let first = call(&mut machine).id;
    reply(&mut machine, go("done"));
    machine.poll();
    machine.start(State::default()).unwrap();
    assert!(machine.outcome().is_none() && machine.steps() == 0 && machine.history().is_empty());
    assert!(call(&mut machine).id > first);
}

#[test]
fn a_goal_that_is_used_is_needed() {
    let mut machine = Machine::<UsesGoal>::new();
    assert_eq!(machine.start(State::default()), Err(StartError::MissingGoal));
    assert!(machine.is_idle());
    let mut options = MachineOptions::default();
    options.goal = Some("Mine".to_owned());
    let mut machine = Machine::<UsesGoal>::new().options(options);
    machine.start(State::default()).unwrap();
    assert!(request(&call(&mut machine)).prompt().contains("GOAL\nMine\n\n"));
}

#[test]
fn boundaries_lie_between_tasks() {
    let mut machine = started();
    assert!(machine.at_task_boundary());
    call(&mut machine);
    assert!(!machine.at_task_boundary());
    reply(&mut machine, "{}");
    assert!(!machine.at_task_boundary());
    reply(&mut machine, go("done"));
    assert!(machine.at_task_boundary());
    machine.poll();
    assert!(!machine.at_task_boundary());
}

#[test]
fn machines_go_from_thread_to_thread() {
    fn sent<T: Send + Sync>(_: &T) {}
    let machine = started();
    sent(&machine);
    sent(&machine.snapshot().unwrap());
}
