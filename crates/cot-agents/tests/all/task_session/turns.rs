//! The course of a turn.

use cot_model::Usage;

use super::*;

#[tokio::test]
async fn a_turn_plans_calls_and_answers() {
    let first = format!("{PLAN}{CALL}");
    let (mut session, model) = session([first.as_str(), ANSWER]);
    assert_eq!(session.user("The weather in 94103?").await.unwrap(), "It is 68 °F.");
    let text = session.trace().to_string();
    let turn = &text[text.find("user「").unwrap()..];
    let expected = r#"user「The weather in 94103?」 🏷 usr1

plan {
    todo ↦ {
        1 ↦ "Look." •
        2 ↦ "Answer."
    } •
    rationale ↦ "Easy."
}

act {
    call ↦ {
        tool ↦ get_weather •
        zip_code ↦ "94103" •
        id ↦ w1
    } ⊨ 1
}

result {
    data ↦ "68 °F in 94103"
} 🏷 w1

response「It is 68 °F.」 ※ w1 ⊨ 2
"#;
    assert_eq!(turn, expected);
    let report = cot_task_format::check(&text);
    assert!(report.is_valid() && report.warnings.is_empty(), "{report:?}");
    assert!(
        text.starts_with("system「You know the weather.」\n\ntool {\n    name ↦ get_weather •")
    );

    // The model continues the trace: nothing before its end changes.
    let prompts = prompts(&model);
    assert!(prompts[0].ends_with("user「The weather in 94103?」 🏷 usr1\n"), "{}", prompts[0]);
    assert!(prompts[1].starts_with(&prompts[0]) && text.starts_with(&prompts[1]));
    assert!(prompts[1].ends_with("} 🏷 w1\n"), "{}", prompts[1]);
    let system = model.requests()[0].system().unwrap().to_owned();
    assert!(system.contains("TASK format"), "{system}");
    assert_eq!(session.usage(), Usage { calls: 2, ..Usage::default() });
}

#[tokio::test]
async fn follow_ups_go_on_with_the_same_trace() {
    let replies =
        [format!("{PLAN}{CALL}"), ANSWER.into(), format!("{PLAN}response「Bye.」 ⊨ [1 • 2]")];
    let (mut session, _) = session(replies);
    session.user("Weather?").await.unwrap();
    assert_eq!(session.user("Bye!").await.unwrap(), "Bye.");
    let expected =
        ["system", "user", "plan", "act", "result", "response", "user", "plan", "response"];
    assert_eq!(kinds(&session), expected);
    let report = cot_task_format::validate(session.trace());
    assert!(report.is_valid() && report.warnings.is_empty(), "{report:?}");
    let users = session.trace().blocks.iter().filter(|block| block.kind == BlockKind::User);
    let tags: Vec<&str> = users.map(|block| block.content.tags()[0].value.as_str()).collect();
    assert_eq!(tags, ["usr1", "usr2"]);
}

#[tokio::test]
async fn what_happens_is_told_in_its_order() {
    let (mut session, _) = session([format!("{PLAN}{CALL}"), ANSWER.to_owned()]);
    let events = events(session.user("Weather?")).await;
    let [
        SessionEvent::Asked { round: 1, attempt: 1 },
        SessionEvent::Block(plan),
        SessionEvent::Block(act),
        SessionEvent::Calling { id, tool, arguments },
        SessionEvent::Called { result, .. },
        SessionEvent::Asked { round: 2, attempt: 1 },
        SessionEvent::Block(_),
        SessionEvent::Ended(Ok(answer)),
    ] = &events[..]
    else {
        panic!("{events:#?}")
    };
    assert_eq!((plan.kind, act.kind), (BlockKind::Plan, BlockKind::Act));
    assert_eq!(
        (id.as_str(), tool.as_str(), answer.as_str()),
        ("w1", "get_weather", "It is 68 °F.")
    );
    assert_eq!(arguments, &serde_json::json!({ "zip_code": "94103" }));
    assert_eq!(result, &Ok("68 °F in 94103".into()));
}

#[tokio::test]
async fn pieces_of_any_size_give_the_same_trace() {
    let replies = [format!("{PLAN}{CALL}"), ANSWER.to_owned()];
    let mut whole = session(replies.clone()).0;
    whole.user("Weather?").await.unwrap();
    for size in [1, 2, 3, 7, 50] {
        let model = Arc::new(ScriptedModel::new(replies.clone()).streaming(size));
        let mut session = builder(&model).build().unwrap();
        let events = events(session.user("Weather?")).await;
        let said: String = events
            .iter()
            .filter_map(|event| match event {
                SessionEvent::Delta(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(said, replies.concat());
        assert_eq!(session.trace(), whole.trace(), "{size}");
    }
}

#[tokio::test]
async fn a_model_may_go_on_step_by_step_and_think_between() {
    let think = "act { think ↦ \"A sweater.\" 𝑝 0.9 ※ w1 🏷 idea ⊨ 2 }";
    let (mut session, _) = session([PLAN, CALL, think, PLAN, "response「Yes.」 ※ idea"]);
    session.user("Weather?").await.unwrap();
    let expected = ["system", "user", "plan", "act", "result", "act", "plan", "response"];
    assert_eq!(kinds(&session), expected);
    assert_sound(&session);
}

#[tokio::test]
async fn todos_are_followed_and_open_ones_are_told() {
    let replies = [format!("{PLAN}{CALL}"), "response「I don't know.」".to_owned()];
    let (mut session, _) = session(replies);
    let mut turn = session.user("Weather?");
    while let Some(event) = turn.next().await {
        if matches!(event, SessionEvent::Called { .. }) {
            let todos = turn.session().trace().todos();
            let open: Vec<&str> =
                todos.iter().filter(|todo| !todo.is_satisfied).map(|todo| &*todo.text).collect();
            assert_eq!((todos.len(), open), (2, vec!["Answer."]));
        }
        match event {
            SessionEvent::Finding(found) => {
                assert_eq!(found.code, Code::UnsatisfiedTodo);
                assert_eq!(found.message, "nothing satisfies the todo item 2");
                let rest = events(turn).await;
                assert_eq!(rest, [SessionEvent::Ended(Ok("I don't know.".to_owned()))]);
                return;
            }
            SessionEvent::Ended(_) => break,
            _ => {}
        }
    }
    panic!("the open item is not told");
}

#[tokio::test]
async fn a_primer_and_settings_go_along() {
    let model = scripted([format!("{PLAN}{ANSWER}"), format!("{PLAN}{ANSWER}")]);
    let builder = builder(&model).settings(ModelSettings {
        temperature: Some(0.5),
        max_tokens: Some(99),
        ..ModelSettings::default()
    });
    builder.clone().primer(Some("P".into())).build().unwrap().user("Q").await.unwrap();
    builder.primer(None).build().unwrap().user("Q").await.unwrap();
    let requests = model.requests();
    assert_eq!((requests[0].system(), requests[1].system()), (Some("P"), None));
    assert_eq!(
        (requests[0].settings.temperature, requests[0].settings.max_tokens),
        (Some(0.5), Some(99))
    );
}

/// The example in the primer is valid, and calls a tool of the session with its own parameters.
#[tokio::test]
async fn the_primer_is_in_the_format() {
    let (mut session, model) = session([format!("{PLAN}{ANSWER}")]);
    session.user("Q").await.unwrap();
    let primer = model.requests()[0].system().unwrap().to_owned();
    let (_, example) = primer.split_once("what you write:\n").unwrap();
    let replies: Vec<cot_task_format::Block> = parse(example).unwrap().blocks;
    let [plan, act, response] = &replies[..] else { panic!("{example}") };
    let tool =
        "system「s」 tool { name ↦ get_weather • params ↦ { zip_code ↦ { type ↦ string } } }";
    let text =
        format!("{tool} user「Q」🏷 usr1\n{plan}\n{act}\nresult {{ data ↦ x }} 🏷 call1\n{response}");
    let report = cot_task_format::check(&text);
    assert!(report.is_valid() && report.warnings.is_empty(), "{report:?}");
}

#[tokio::test]
async fn the_primer_of_a_session_without_tools_has_no_example() {
    let model = scripted([format!("{PLAN}{ANSWER}")]);
    Session::builder(Arc::clone(&model)).build().unwrap().user("Q").await.unwrap();
    assert!(!model.requests()[0].system().unwrap().contains("example"));
}

#[test]
fn sessions_can_be_sent_and_shared() {
    fn is_shared<T: Send + Sync + Clone>() {}
    fn is_sent<T: Send>() {}
    is_shared::<Session>();
    is_sent::<ActiveTurn<'_>>();
}
