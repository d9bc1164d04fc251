//! How a chain runs.

use std::sync::Mutex;

use cot_core::{
    Usage,
    model::{FinishReason, ModelErrorKind},
};
use proptest::prelude::*;

use super::*;

#[tokio::test]
async fn it_plans_once_and_works_until_the_model_stops() {
    let (chain, model) = chain([plan(), work("a"), work("b"), stop(), stop()]);
    let mut context = Context::new("Why {context}?");
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), &context.ending), (Some("42"), &Some(Ending::Stopped)));
    assert_eq!((context.action.as_ref(), context.work.len()), (Some(&Action::Stop), 3));
    assert_eq!((context.todos.to_string().as_str(), context.usage.calls), ("- [x] z", 4));

    let messages: Vec<String> =
        model.requests().iter().map(|request| request.prompt().to_owned()).collect();
    let next = |task| format!("Continue with the first open task: {task}");
    assert_eq!(messages, ["Why {context}?".to_owned(), next("a"), next("more"), next("more")]);
    assert!(system(&model, 0).contains("Why {context}?"));
    assert!(system(&model, 1).contains("Why {context}?\n\nThe tasks:\n- [ ] a\n- [ ] b\n"));
    let third = "The tasks:\n- [x] b\n- [ ] more\n\nThe work so far:\n1. a: a!\n2. b: b!\n";
    assert!(system(&model, 3).contains(third), "{}", system(&model, 3));
    // A context whose run has ended is not changed.
    let before = context.clone();
    chain.run(&mut context).await.unwrap();
    assert_eq!(context, before);
}

#[tokio::test]
async fn prompts_can_be_replaced_and_stages_used_alone() {
    let (mut chain, model) = chain([plan(), stop()]);
    chain.plan = chain.plan.with_prompt("P {question}");
    chain.execute = chain.execute.with_prompt("E {question} | {context}");
    let mut context = Context::new("Q");
    assert_eq!(chain.plan.run(&mut context).await, Ok(Action::Continue));
    assert_eq!(context.ending, None);
    let request = chain.execute.prep(&context);
    let reply = chain.execute.exec(&request).await.unwrap();
    assert_eq!(chain.execute.post(&mut context, reply), Action::Stop);
    assert_eq!((system(&model, 0), model.requests()[0].prompt()), ("P Q".to_owned(), "Q"));
    let filled = "E Q | The tasks:\n- [ ] a\n- [ ] b\n\nThe work so far:\n(none yet)";
    assert_eq!(system(&model, 1), filled);
}

#[tokio::test]
async fn an_unreadable_reply_stops_it() {
    let unreadable = |reply: &str, finish| ModelReply::new(reply).finish(finish);
    for (text, finish, is_unreadable) in [
        ("no JSON", FinishReason::Stop, true),
        ("{}", FinishReason::Stop, true),
        ("{ \"todos\": \"- [ ]", FinishReason::Length, false),
        ("I can't help with that.", FinishReason::Refusal, false),
    ] {
        let (chain, _) = chain_of([unreadable(text, finish.clone())]);
        let chain = chain.limits(ChainLimits { retries: 0, ..ChainLimits::default() });
        let mut context = Context::new("Q");
        let error = chain.run(&mut context).await.unwrap_err();
        let is_named = match (&error, &finish) {
            (ChainError::Unreadable(_), FinishReason::Stop) => true,
            (ChainError::Truncated, FinishReason::Length) => true,
            (error, finish) => (error, finish) == (&ChainError::Refused, &FinishReason::Refusal),
        };
        assert!(is_named, "{error:?}");
        // It has the same result again.
        assert_eq!(chain.run(&mut context).await, Err(error));
        assert_eq!((context.action.as_ref(), &context.answer), (Some(&Action::Stop), &None));
        assert_eq!(matches!(context.ending, Some(Ending::Unreadable(_))), is_unreadable, "{text}");

        let (chain, _) = chain_of([plan().into(), unreadable(text, finish.clone())]);
        let mut planned = Context::new("Q");
        assert!(
            chain
                .limits(ChainLimits { retries: 0, ..ChainLimits::default() })
                .run(&mut planned)
                .await
                .is_err()
        );
        assert_eq!((&planned.ending, planned.usage.calls), (&context.ending, 2));
        assert_eq!(planned.todos.items.len(), 2);
    }
}

#[tokio::test]
async fn a_plan_may_say_stop() {
    let (chain, _) = chain([json!({ "action": "stop", "final": "4" })]);
    let mut context = Context::new("2 + 2?");
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), context.ending), (Some("4"), Some(Ending::Stopped)));
}

#[tokio::test]
async fn a_step_without_todos_keeps_them() {
    let (chain, _) = chain([plan(), json!({ "action": "stop", "final": "4" })]);
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.todos.items.len(), context.work.len()), (2, 0));
    assert_eq!(context.todos.to_string(), "- [ ] a\n- [ ] b");
}

#[tokio::test]
async fn a_step_without_todos_ticks_its_task() {
    let step = |current: &str| json!({ "action": "continue", "current": current, "result": "4" });
    let plan =
        json!({ "action": "continue", "todos": "- [ ] price of a lamp\n- [ ] price of a desk" });
    let (chain, model) =
        chain([plan, step("The price of a desk."), step("something else"), stop()]);
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    let ticked = "The tasks:\n- [ ] price of a lamp\n- [x] price of a desk\n";
    assert!(system(&model, 2).contains(ticked) && system(&model, 3).contains(ticked));
}

#[tokio::test]
async fn a_reply_of_placeholders_is_asked_for_again() {
    let copied = json!({ "todos": "- [ ] task 1\n- [ ] task 2", "action": "continue" });
    let (mut chain, model) = chain([copied.clone(), plan(), stop()]);
    chain.plan = chain.plan.with_prompt(&format!("Plan {{question}} like this: {copied}"));
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert!(model.requests()[1].prompt().contains("$.todos: is a text of the form"));
    assert_eq!(context.usage.calls, 3);

    // The built-in prompts have no text to copy but the names of types.
    let typed = json!({ "action": "continue", "current": "string", "result": "string" });
    let (chain, model) = super::chain([plan(), typed, stop()]);
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert!(model.requests()[2].prompt().contains("$.current: is a text of the form"));
    assert_eq!(context.work.len(), 1);
}

#[tokio::test]
async fn a_list_that_replaces_the_plan_is_asked_for_again() {
    let plan = json!({ "todos": "- [ ] price of a lamp\n- [ ] the sum", "action": "continue" });
    let step = |todos: &str| json!({ "current": "x", "result": "y", "todos": todos, "action": "continue" });
    let other = step("- [x] a task that is done\n- [ ] a task that is left");
    let changed = step("- [x] find the price of a lamp: 40\n- [ ] the price of a desk");
    let (chain, model) = chain([plan, other, changed, stop()]);
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert!(model.requests()[2].prompt().contains("$.todos: has none of the tasks of the plan"));
    assert!(system(&model, 2).contains("- [ ] price of a lamp\n- [ ] the sum\n"));
    assert!(system(&model, 3).contains("- [ ] the price of a desk"));
    assert_eq!(context.work.len(), 2);
}

#[tokio::test]
async fn a_reply_that_can_not_be_used_is_asked_for_again_with_the_issue() {
    let half = json!({ "current": "a", "result": "4", "action": "stop" });
    let whole = json!({ "current": "a", "result": "4", "action": "stop", "final": "It is 4." });
    let replies = ["what?".into(), plan().into(), ModelReply::from(half), whole.into()];
    let (chain, model) = chain_of(replies);
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert_eq!(context.answer.as_deref(), Some("It is 4."));
    assert_eq!((context.ending, context.work.len()), (Some(Ending::Stopped), 1));
    let asked = model.requests();
    let prompts: Vec<&str> = asked.iter().map(|request| request.prompt()).collect();
    assert_eq!((prompts[0], prompts[2]), ("Q", "Continue with the first open task: a"));
    let rejected = "\n\nYour last reply could not be used:\n- ";
    assert!(prompts[1].starts_with(&format!("Q{rejected}")), "{}", prompts[1]);
    assert!(prompts[1].ends_with("\nReply again."), "{}", prompts[1]);
    assert!(prompts[3].starts_with(&format!("{}{rejected}", prompts[2])), "{}", prompts[3]);
    assert!(prompts[3].contains("final: is missing"), "{}", prompts[3]);
}

#[tokio::test]
async fn a_stop_that_never_answers_is_no_success() {
    let model = Arc::new(ScriptedModel::from_fn(|_| json!({ "action": "stop" })));
    let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
    let mut context = Context::new("Q");
    let error = chain
        .limits(ChainLimits { retries: 3, ..ChainLimits::default() })
        .run(&mut context)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("$.final: is missing"), "{error}");
    assert!(matches!(context.ending, Some(Ending::Unreadable(_))), "{context:?}");
    assert_eq!((context.answer, context.usage.calls), (None, 4));
}

#[tokio::test]
async fn an_answer_counts_whatever_the_action_is() {
    let done = |action: &str| json!({ "todos": "- [x] a", "action": action, "final": "42" });
    for action in ["done", "STOP!", "continue", "hand_in"] {
        let model = Arc::new(ScriptedModel::from_fn(move |_| done(action)));
        let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
        let mut context = Context::new("Q");
        chain.run(&mut context).await.unwrap();
        assert_eq!(context.answer.as_deref(), Some("42"), "{action}");
        assert_eq!((context.ending, context.usage.calls), (Some(Ending::Stopped), 1), "{action}");
    }
    // An early answer is kept until another replaces it.
    let early = json!({ "todos": "- [ ] a", "action": "continue.", "final": "41" });
    let (chain, _) = chain([early, json!({ "action": "stop" })]);
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), context.usage.calls), (Some("41"), 2));
}

#[tokio::test]
async fn steps_are_limited_and_the_run_can_go_on() {
    let (chain, _) = chain([plan(), work("a"), work("b"), stop()]);
    let chain = chain.limits(ChainLimits { steps: 2, ..ChainLimits::default() });
    let mut context = Context::new("Q");
    assert_eq!(chain.run(&mut context).await, Err(ChainError::StepLimit { limit: 2 }));
    assert_eq!((context.work.len(), &context.ending), (2, &None));

    let kept = serde_json::to_string(&context).unwrap();
    let mut context: Context = serde_json::from_str(&kept).unwrap();
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), context.work.len()), (Some("42"), 3));
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_context_as_it_is() {
    let (chain, _) = chain([plan()]);
    let mut context = Context::new("Q");
    let error = chain.run(&mut context).await.unwrap_err();
    let ChainError::Model(cause) = &error else { panic!("{error}") };
    assert_eq!(cause.kind(), &ModelErrorKind::ScriptEnded);
    let usage = Usage::uncounted_call();
    assert_eq!((context.action, context.usage), (Some(Action::Continue), usage));
}

#[tokio::test]
async fn observers_are_told_what_happens() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&told);
    let (chain, _) = chain([plan(), work("a"), stop()]);
    let chain = chain.observe(move |progress| list.lock().unwrap().push(progress.clone()));
    chain.run(&mut Context::new("Q")).await.unwrap();
    let told = told.lock().unwrap();
    let [Progress::Planned { todos, .. }, first, second, end] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!(todos.items.len(), 2);
    let Progress::Worked { step: 1, current, result, .. } = first else { panic!("{first:?}") };
    assert_eq!((&**current, &**result), ("a", "a!"));
    assert!(matches!(second, Progress::Worked { step: 2, action: Action::Stop, .. }));
    let answer = Some("42".to_owned());
    assert_eq!(end, &Progress::Ended { ending: Ending::Stopped, answer });
}

#[test]
fn long_results_are_cut_in_the_prompt() {
    let mut context = Context::new("Q");
    let result = "ü".repeat(10_000);
    context.work.push(Work::Task { current: "a".to_owned(), result });
    let shown = context.progress();
    assert!(shown.len() < 9_000 && shown.ends_with("ü… (12000 bytes more)"), "{}", shown.len());
}

proptest! {
    #[test]
    fn any_replies_come_to_an_end(
        replies in prop::collection::vec(prop_oneof![
            any::<String>(),
            "\\{ \"action\": \"(continue|stop|\\PC{0,4})\" \\}",
            "\\{ \"todos\": \"\\PC{0,9}\", \"action\": \"continue\", \"result\": [1] \\}",
        ], 0..6),
    ) {
        let model = Arc::new(ScriptedModel::new(replies));
        let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut context = Context::new("Q");
        let ended = runtime.block_on(chain.limits(ChainLimits { steps: 3, ..ChainLimits::default() }).run(&mut context));
        prop_assert_eq!(ended.is_ok(), context.ending == Some(Ending::Stopped));
        prop_assert_eq!(ended.is_ok(), context.answer.is_some() && context.ending.is_some());
        let kept = serde_json::to_string(&context).unwrap();
        let kept: Context = serde_json::from_str(&kept).unwrap();
        prop_assert_eq!(kept.progress(), context.progress());
    }
}
