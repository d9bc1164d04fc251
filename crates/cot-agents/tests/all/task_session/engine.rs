//! What runs have, on conversations: budgets, captures, replays, coverage, descriptions, traces.

use std::sync::Mutex;

use cot_agents::recorder::RunRecorder;
use cot_core::{
    Budget, Process, RunEvent,
    replay::Capture,
    testing::{Coverage, Monkey},
};

use super::*;

#[tokio::test]
async fn a_budget_bounds_a_conversation() {
    let reply = format!("{PLAN}{ANSWER}");
    let model = scripted([reply.clone(), reply]);
    let budget = Budget { calls: Some(1), ..Budget::default() };
    let builder = builder(&model).configure(move |runner| runner.budget(budget));
    let mut session = builder.build().unwrap();
    session.user("1").await.unwrap();
    let error = session.user("2").await.unwrap_err();
    assert!(error.to_string().contains("budget"), "{error}");
    assert_eq!(model.requests().len(), 1);
    assert!(session.is_unfinished());
}

#[tokio::test]
async fn a_captured_conversation_can_be_replayed() {
    let (capture, captured) = Capture::to_memory();
    let model =
        scripted([format!("{PLAN}{CALL}"), ANSWER.into(), format!("{PLAN}response「Bye.」")]);
    let recorded = builder(&model).configure(move |runner| runner.capture(capture.clone()));
    let mut session = recorded.build().unwrap();
    session.user("Weather?").await.unwrap();
    session.user("Bye!").await.unwrap();

    // A replay answers in place of the model, the tools and the user.
    let unused = Arc::new(ScriptedModel::from_fn(|_| -> String { panic!("no model is called") }));
    let (runner, state) = builder(&unused).runner().unwrap();
    let replay = captured.replay().unwrap();
    let mut run = runner.replay(replay.clone()).start(state).unwrap();
    let mut said = Vec::new();
    while let Some(event) = run.next().await {
        if let RunEvent::Committed { output: ConversationOutput::Model(reply), .. } = event {
            said.push(reply.text);
        } else if matches!(event, RunEvent::Asked { .. }) && said.len() == 3 {
            break;
        }
    }
    assert_eq!(said.len(), 3);
    assert!(said[2].contains("Bye."), "{said:?}");
    assert!(replay.unused().is_empty(), "{:?}", replay.unused());
}

#[tokio::test]
async fn conversations_are_covered_and_observed() {
    let coverage = Coverage::<Conversation>::new();
    let (watched, seen) = (coverage.clone(), Arc::new(Mutex::new(Vec::new())));
    let list = Arc::clone(&seen);
    let model = scripted([format!("{PLAN}{CALL}"), ANSWER.into()]);
    let builder = builder(&model).configure(move |runner| {
        let list = Arc::clone(&list);
        runner.observe(watched.watch()).observe(move |event, context| {
            if let RunEvent::TaskStarted { task, .. } = event {
                list.lock().unwrap().push((*task, context.run_id.clone()));
            }
        })
    });
    builder.build().unwrap().user("Weather?").await.unwrap();
    assert_eq!(coverage.visits(ConversationTask::Model), 2);
    assert_eq!(coverage.visits(ConversationTask::CallTools), 1);
    assert!(coverage.missing().iter().any(|missing| missing.contains("stopped")));
    // A session is one run.
    let seen = seen.lock().unwrap();
    assert!(seen.windows(2).all(|pair| pair[0].1 == pair[1].1), "{seen:?}");
}

#[test]
fn the_process_is_described_and_drawn() {
    let description = Conversation::describe();
    let text = description.text();
    for expected in ["The user sends a message.", "call_tools", "stopped", "read_reply"] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }
    assert!(description.mermaid().contains("call_tools"), "{}", description.mermaid());
    assert!(description.dot().contains("\"call_tools\""), "{}", description.dot());
    assert!(description.manifest().to_string().contains("call_tools"));
    assert_eq!(Conversation::DEFINITION.about.name, "Conversation");
}

/// Answers of all kinds from models, tools and people, at the level of the machine.
#[test]
fn a_monkey_breaks_no_conversation() {
    let model = scripted([""]);
    let (_, state) = builder(&model).runner().unwrap();
    let first = state.clone();
    let context = builder(&model)
        .limits(SessionLimits { rounds: 4, ..SessionLimits::default() })
        .context()
        .unwrap();
    let report = Monkey::<Conversation>::with_context(context, move |_| first.clone())
        .max_steps(60)
        .runs(40)
        .run()
        .unwrap();
    assert!(report.to_string().contains("model"), "{report}");
}

#[tokio::test]
async fn a_mocked_conversation_asks_no_model() {
    let model = Arc::new(ScriptedModel::from_fn(|_| -> String { panic!("no model is called") }));
    let builder = builder(&model).configure(|runner| runner.mock_mode(true));
    let mut session = builder.build().unwrap();
    assert_eq!(session.user("Q").await.unwrap(), "Noted.");
    assert_eq!(session.user("Q").await.unwrap(), "Noted.");
    assert_sound(&session);
}

#[tokio::test]
async fn the_run_of_a_conversation_is_traced_like_others() {
    let recorder = RunRecorder::<Conversation>::new("Answer the user");
    let watched = recorder.clone();
    let model = scripted([format!("{PLAN}{CALL}"), ANSWER.into()]);
    let builder = builder(&model).configure(move |runner| runner.observe(watched.observer()));
    builder.build().unwrap().user("Weather?").await.unwrap();
    let trace = recorder.trace();
    let report = cot_task_format::validate(&trace);
    assert!(report.is_valid(), "{trace}\n{report:?}");
    let text = trace.to_string();
    assert!(text.contains("68 °F in 94103") && text.contains("It is 68 °F."), "{text}");
}
