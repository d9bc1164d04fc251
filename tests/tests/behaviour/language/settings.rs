//! Settings of processes and tasks: models, limits, retries, history, goals.

use std::time::Duration;

use cot_core::{
    HaltReason, History, Machine, MachineOptions, StartError,
    model::{Effort, ModelSettings, ScriptedModel},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::drive::{
    Note, after, call, engine, go, history, note, outcome, prompt, request, started, started_with,
};

cot_process! {
    process Settings {
        state: (),
        model: "common",
        max_retries: 1,
        timeout: 90s,
        max_steps: 3,
        task plain { transitions: { plain, special, never } }

        task special -> Note {
            model: "special",
            temperature: 0.25,
            max_tokens: 77,
            timeout: 1500ms,
            transitions: { plain },
        }

        task never -> Note { max_retries: 0, temperature: 1, next: done }
        task done { end }
    }
}

#[test]
fn a_task_s_settings_are_in_its_call_and_no_other() {
    let mut machine = started::<Settings>(());
    let plain = call(&mut machine);
    assert_eq!((engine(&plain), plain.timeout), (Some("common"), Some(Duration::from_secs(90))));
    assert_eq!(*request(&plain).settings, ModelSettings::default());

    let special = call(&mut after::<Settings, _>((), [go("special")]));
    let limit = Duration::from_millis(1500);
    assert_eq!((engine(&special), special.timeout), (Some("special"), Some(limit)));
    let expected =
        ModelSettings { temperature: Some(0.25), max_tokens: Some(77), ..ModelSettings::default() };
    assert_eq!(*request(&special).settings, expected);
}

cot_process! {
    process Tuned {
        state: (),
        temperature: 0.5,
        top_p: 0.9,
        max_tokens: 100,
        stop: ["END", "\n\n"],
        seed: 18446744073709551615,
        effort: high,
        extra: { "top_k": 40, "reasoning": { "summary": null } },
        task plain { transitions: { own, done } }

        task own -> Note {
            temperature: 0,
            stop: ["."],
            effort: minimal,
            extra: { "logprobs": true },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn a_task_has_the_settings_of_the_process_that_it_does_not_set() {
    let plain = call(&mut started::<Tuned>(()));
    let expected = ModelSettings {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(100),
        stop: vec!["END".to_owned(), "\n\n".to_owned()],
        seed: Some(u64::MAX),
        effort: Some(Effort::High),
        extra: members(json!({ "top_k": 40, "reasoning": { "summary": null } })),
    };
    assert_eq!(*request(&plain).settings, expected);

    let own = call(&mut after::<Tuned, _>((), [go("own")]));
    let expected = ModelSettings {
        temperature: Some(0.0),
        stop: vec![".".to_owned()],
        effort: Some(Effort::Minimal),
        extra: members(json!({ "logprobs": true })),
        ..expected
    };
    assert_eq!(*request(&own).settings, expected);
}

fn members(object: Value) -> Map<String, Value> {
    object.as_object().unwrap().clone()
}

#[test]
fn without_retries_the_first_bad_reply_is_the_last() {
    let mut machine = after::<Settings, _>((), [go("never"), json!("no")]);
    let ended = outcome(&mut machine);
    let halt = ended.halt().unwrap();
    assert!(matches!(halt.reason, HaltReason::Exhausted));
    assert_eq!((halt.task, halt.attempts.len()), (SettingsTask::Never, 1));
}

#[test]
fn the_process_s_retries_hold_where_a_task_says_nothing() {
    let mut machine = after::<Settings, _>((), [json!("no"), json!("no")]);
    assert_eq!(outcome(&mut machine).halt().unwrap().attempts.len(), 2);
}

#[test]
fn steps_and_time_are_limited_by_the_declaration() {
    let mut machine = after::<Settings, _>((), [go("plain"), go("plain"), go("plain")]);
    let ended = outcome(&mut machine);
    assert!(matches!(ended.halt().unwrap().reason, HaltReason::MaxSteps(3)));
    assert_eq!(machine.steps(), 3);
}

cot_process! {
    process Defaults {
        state: (),
        task only -> Note { may_end }
    }
}

#[test]
fn a_process_that_says_nothing_has_two_retries_and_no_limits() {
    let mut machine = started::<Defaults>(());
    let call = call(&mut machine);
    assert_eq!((engine(&call), call.timeout), (None, None));
    let mut machine = after::<Defaults, _>((), ["no", "no", "no"]);
    assert_eq!(outcome(&mut machine).halt().unwrap().attempts.len(), 3);
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Remembering {
    history: History,
}

cot_process! {
    process Bounded {
        state: Remembering,
        history: { max_items: 3, state_max_items: 2 },
        task hub { transitions: { hub, silent, write, done } }
        task silent -> Note { no_history, prompt: "silent", transitions: { hub, write } }
        task write -> Note { next: hub }
        task done { end }
    }
}

#[test]
fn the_history_and_its_mirror_keep_the_newest() {
    let replies = [go("hub"), go("hub"), go("write"), note("a", 1), go("hub")];
    let mut machine = after::<Bounded, _>(Remembering::default(), replies);
    let kept = history(&machine);
    let expected = json!([
        { "task": "hub", "goTo": "write", "intent": "try it", "stepAfter": "see" },
        { "task": "write", "output": { "text": "a", "rank": 1 } },
        { "task": "hub", "goTo": "hub", "intent": "try it", "stepAfter": "see" },
    ]);
    assert_eq!(kept, expected);
    let mirror = serde_json::to_value(&machine.state().unwrap().history).unwrap();
    assert_eq!(mirror.as_array().unwrap()[..], kept.as_array().unwrap()[1..]);
    assert!(prompt(&mut machine).contains(&serde_json::to_string(&kept).unwrap()));
}

#[test]
fn a_task_without_history_enters_nothing_but_sees_what_others_entered() {
    let replies = [go("silent"), go("write")];
    let mut machine = after::<Bounded, _>(Remembering::default(), replies);
    let tasks: Vec<_> = machine.history().iter().map(|entry| entry.task().to_owned()).collect();
    assert_eq!(tasks, ["hub"]);
    assert_eq!(machine.state().unwrap().history.len(), 1);
    assert!(prompt(&mut machine).contains("\"goTo\":\"silent\""));
}

cot_process! {
    process Forgetful {
        state: (),
        history: none,
        primers: { history: "HISTORY" },
        task hub { transitions: { hub, done } }
        task done { end }
    }
}

#[test]
fn a_process_without_history_keeps_and_shows_none() {
    let mut machine = after::<Forgetful, _>((), [go("hub"), go("hub")]);
    assert!(machine.history().is_empty());
    assert!(!prompt(&mut machine).contains("HISTORY"));
}

cot_process! {
    process Needy {
        state: (),
        primers: { goal: "GOAL" },
        task only -> Note { prompt: "For: ${goal}", may_end }
    }
}

fn goal(text: &str) -> MachineOptions {
    let mut options = MachineOptions::default();
    options.goal = Some(text.to_owned());
    options
}

#[test]
fn a_goal_that_is_used_and_missing_keeps_a_run_from_starting() {
    assert_eq!(Machine::<Needy>::new().start(()), Err(StartError::MissingGoal));
    let mut machine = started_with::<Needy>(goal("help"), ());
    assert!(prompt(&mut machine).contains("GOAL\nhelp\n\nFor: help"));
}

#[test]
fn a_goal_that_nobody_uses_is_not_needed() {
    assert_eq!(started::<Forgetful>(()).goal(), "");
}

#[tokio::test]
async fn the_runner_s_goal_comes_before_the_declared_one() {
    let model = || ScriptedModel::from_fn(|request| note(request.prompt().get(..11).unwrap(), 1));
    let missing = Needy::runner().model(model()).run(()).await;
    assert!(matches!(missing, Err(RunError::Start(StartError::MissingGoal))));

    let run = Goals::runner().model(model()).goal("theirs").run(Seen::default()).await.unwrap();
    assert_eq!(run.state.goals, ["GOAL theirs"]);
    let run = Goals::runner().model(model()).run(Seen::default()).await.unwrap();
    assert_eq!(run.state.goals, ["GOAL mine 0"]);
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Seen {
    goals: Vec<String>,
}

cot_process! {
    process Goals {
        state: Seen,
        goal: "mine ${state.goals.len()}",

        task only -> Note {
            full_prompt: "GOAL ${goal}",
            update: { goals[] = output.text },
            may_end,
        }
    }
}
