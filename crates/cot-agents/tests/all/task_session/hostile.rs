//! Large replies.

use super::*;

#[tokio::test]
async fn a_large_reply_is_read_in_linear_time() {
    let thought = format!("act {{ think ↦ \"{}\" }}\n", "x".repeat(1_000));
    let large = format!("{PLAN}{}{ANSWER}", thought.repeat(900));
    let model = Arc::new(ScriptedModel::new([large]).streaming(3));
    let mut session = builder(&model).build().unwrap();
    assert_eq!(session.user("Q").await.unwrap(), "It is 68 °F.");
    assert_eq!(session.trace().blocks.len(), 1 + 4 + 1 + 1 + 900 + 1);
    assert_sound(&session);
}

#[tokio::test]
async fn a_deep_reply_is_refused_or_mended() {
    let deep = format!("{PLAN}act {{ think ↦ {} }}", "[".repeat(100_000));
    let (mut session, _) = session([deep, ANSWER.to_owned()]);
    session.user("Q").await.unwrap();
    assert_sound(&session);
}

#[tokio::test]
async fn many_mistakes_are_told_in_few_words() {
    let calls = "{ tool ↦ echo } • ".repeat(90);
    let wrong = format!("{PLAN}act {{ call ↦ [ {calls} ] }}");
    let (mut session, model) = session([wrong, ANSWER.to_owned()]);
    session.user("Q").await.unwrap();
    let prompt = &prompts(&model)[1];
    let (_, told) = prompt.split_once("What is wrong with it:").unwrap();
    assert_eq!(told.matches("needs the argument").count(), 20);
    assert!(prompt.len() < 10_000);
}
