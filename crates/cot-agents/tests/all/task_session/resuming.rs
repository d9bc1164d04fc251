//! Sessions resumed from traces.

use cot_task_format::Trace;

use super::*;

fn replies() -> [String; 4] {
    let act = "act { call ↦ [ { tool ↦ get_weather • zip_code ↦ \"94103\" • id ↦ w1 } • \
        { tool ↦ echo • text ↦ \"「\" • id ↦ e1 } ] ⊨ 1 }";
    let again = format!("{PLAN}response「Bye.」 ⊨ [ 1 • 2 ]");
    [PLAN.to_owned(), act.to_owned(), ANSWER.to_owned(), again]
}

/// A model whose reply depends only on the position in the conversation.
fn knowing() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::from_fn(|request| {
        let [plan, act, answer, again] = replies();
        let prompt = request.prompt();
        let turn = prompt.split("🏷 usr2").nth(1);
        match () {
            () if turn.is_some_and(|turn| turn.contains("plan {")) => {
                again[PLAN.len()..].to_owned()
            }
            () if turn.is_some() => again,
            () if prompt.contains("🏷 e1") => answer,
            () if prompt.contains("plan {") => act,
            () => plan,
        }
    }))
}

#[tokio::test]
async fn a_session_goes_on_from_every_place_of_its_trace() {
    let model = knowing();
    let mut session = builder(&model).build().unwrap();
    session.user("Weather?").await.unwrap();
    session.user("Bye!").await.unwrap();
    let whole = session.trace();
    let first = whole.blocks.iter().position(|block| block.kind == BlockKind::User).unwrap();
    for end in first..=whole.blocks.len() {
        let part = Trace::from(whole.blocks[..end].to_vec());
        let written = parse(&part.to_string()).unwrap();
        let shown = Trace::from_json(&part.to_json()).unwrap();
        for part in [part, written, shown] {
            let users = part.blocks.iter().filter(|block| block.kind == BlockKind::User).count();
            let mut session = builder(&knowing()).resume(part.clone()).unwrap();
            assert_eq!(session.trace(), &part);
            if users == 0 {
                session.user("Weather?").await.unwrap();
            } else if let Some(turn) = session.continue_turn() {
                turn.await.unwrap();
            }
            if users < 2 {
                session.user("Bye!").await.unwrap();
            }
            assert_eq!(session.trace(), whole, "{end}");
            assert_sound(&session);
        }
    }
}

#[tokio::test]
async fn a_resumed_session_asks_as_the_first_would_have() {
    let (mut first, model) = session([format!("{PLAN}{CALL}"), ANSWER.into(), "x".into()]);
    first.user("Weather?").await.unwrap();
    let trace = first.trace().clone();
    drop(first.user("More?").await);
    let other = scripted(["x"]);
    let mut second = builder(&other).system("Another.").resume(trace).unwrap();
    drop(second.user("More?").await);
    assert_eq!(prompts(&other)[0], prompts(&model)[2]);
}

#[test]
fn traces_that_no_session_made_are_refused() {
    let (own, _) = session([""]);
    let opening = own.trace().to_string();
    let resumed = |rest: &str| {
        let trace = parse(&format!("{opening}\n{rest}")).unwrap();
        builder(&scripted([""])).resume(trace).map(|_| ()).map_err(|error| match error {
            SessionBuildError::Trace { index, message, .. } => (index - 5, message),
            other => panic!("{other}"),
        })
    };
    assert_eq!(resumed(""), Ok(()));
    assert_eq!(resumed("user「Q」 plan { rationale ↦ x }"), Ok(()));
    for (rest, index, message) in [
        ("plan { rationale ↦ x }", 0, "`plan` is outside of a turn"),
        ("user「Q」 response「A」", 1, "`response` stands before the plan"),
        ("user「Q」 user「Q」", 1, "the previous turn has no response"),
        ("user「Q」 plan { } result { data ↦ 1 } 🏷 x", 2, "the result belongs to no open call"),
        ("tool { name ↦ x }", 0, "the session has no such tool"),
        ("system「s」", 0, "is outside of a turn"),
        ("user「Q」 plan { } act { call ↦ { tool ↦ x • id ↦ y } }", 2, "no tool `x` is defined"),
        (
            "user「Q」 plan { } act { call ↦ { tool ↦ echo • text ↦ a • id ↦ y } } response「A」",
            3,
            "the response precedes the results of calls",
        ),
    ] {
        let (at, said) = resumed(rest).unwrap_err();
        assert!(at == index && said.contains(message), "{rest}\n{at}: {said}");
    }
}

#[tokio::test]
async fn tools_may_be_described_otherwise_and_there_may_be_more() {
    let (mut own, _) = session([format!("{PLAN}{CALL}"), ANSWER.into()]);
    own.user("Weather?").await.unwrap();
    assert!(own.tool_changes().is_empty());
    let model = scripted(["x"]);
    let said = async |said: Said| Ok::<_, Infallible>(said.text);
    let weather = async |place: Place| Ok::<_, Infallible>(place.zip_code);
    let session = builder(&model)
        .tools(
            tools()
                .tool("get_weather", "The weather anywhere", weather)
                .tool("shout", "Says it loudly", said)
                .tool("echo", "Says it", weather),
        )
        .resume(own.trace().clone())
        .unwrap();
    let tool = |name: &str| name.to_owned();
    assert_eq!(
        session.tool_changes(),
        [
            ToolChange::Described { tool: tool("get_weather") },
            ToolChange::Added { tool: tool("shout") },
            ToolChange::Parameters { tool: tool("echo") },
        ]
    );
    assert_sound(&session);
    let text = session.trace().to_string();
    assert!(text.contains("The weather anywhere") && text.contains("name ↦ shout"), "{text}");
    // A call in the trace that the tool no longer accepts.
    let other = builder(&model).tools(tools().tool("get_weather", "The weather at a place", said));
    let error = other.resume(own.trace().clone()).unwrap_err();
    assert!(matches!(error, SessionBuildError::Trace { .. }), "{error}");
}

#[test]
fn a_tool_of_the_trace_is_one_of_the_session() {
    let (own, _) = session([""]);
    let build = || Session::builder(ScriptedModel::new([""])).system("Another.");
    let error = build().resume(own.trace().clone()).unwrap_err();
    assert!(error.to_string().contains("the session has no such tool"), "{error}");

    let error = build().resume(parse("user「Q」").unwrap()).unwrap_err();
    assert!(error.to_string().contains("a trace begins with the system message"), "{error}");
}

#[tokio::test]
async fn a_clone_goes_on_by_itself() {
    let model = knowing();
    let mut session = builder(&model).build().unwrap();
    session.user("Weather?").await.unwrap();
    let mut other = session.clone();
    other.user("Bye!").await.unwrap();
    assert!(other.trace().blocks.len() > session.trace().blocks.len());
}
