//! Sessions out of traces.

use super::*;
use crate::task_format::Trace;

fn replies() -> [String; 4] {
    let act = "act { call ↦ [ { tool ↦ get_weather • zip_code ↦ \"94103\" • id ↦ w1 } • \
        { tool ↦ echo • text ↦ \"「\" • id ↦ e1 } ] ⊨ 1 }";
    let again = format!("{PLAN}response「Bye.」 ⊨ [ 1 • 2 ]");
    [PLAN.to_owned(), act.to_owned(), ANSWER.to_owned(), again]
}

/// A model that knows how the conversation goes on by where it stands.
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
            } else if let Some(turn) = session.go_on() {
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
        ("plan { rationale ↦ x }", 0, "`plan` stands in no turn of the user"),
        ("user「Q」 response「A」", 1, "`response` stands before the plan"),
        ("user「Q」 user「Q」", 1, "the turn before has no response"),
        ("user「Q」 plan { } result { data ↦ 1 } 🏷 x", 2, "the result answers no open call"),
        ("tool { name ↦ x }", 0, "the session has no such tool"),
        ("system「s」", 0, "stands in no turn"),
        ("user「Q」 plan { } act { call ↦ { tool ↦ x • id ↦ y } }", 2, "no tool `x` is defined"),
        (
            "user「Q」 plan { } act { call ↦ { tool ↦ echo • text ↦ a • id ↦ y } } response「A」",
            3,
            "the response stands before the results of calls",
        ),
    ] {
        let (at, said) = resumed(rest).unwrap_err();
        assert!(at == index && said.contains(message), "{rest}\n{at}: {said}");
    }
}

#[test]
fn the_tools_have_to_be_the_same() {
    let (own, _) = session([""]);
    let build = || Session::builder(ScriptedModel::new([""])).system("Another.");
    let error = build().resume(own.trace().clone()).unwrap_err();
    assert!(error.to_string().contains("the session has no such tool"), "{error}");

    let said = async |said: Said| Ok::<_, Infallible>(said.text);
    let other = build().tool("get_weather", "Another", said).resume(own.trace().clone());
    assert_eq!(other.unwrap_err(), SessionBuildError::OtherTool("get_weather".to_owned()));
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
