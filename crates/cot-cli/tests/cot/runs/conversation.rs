//! Stored conversations at the command line.

use cot_core::{
    model::ScriptedModel,
    task_format::{self, session::Session},
};

use super::world::{World, wait};

fn reply(text: &str) -> String {
    format!("plan {{ rationale ↦ \"Short.\" }}\nresponse「{text}」")
}

#[test]
fn a_message_from_the_command_line_is_answered_by_the_next_program() {
    let world = World::new();
    let replies = ["Hello.", "Fine.", "Bye."].map(reply);
    let builder = Session::builder(ScriptedModel::new(replies));
    let open = || builder.clone().open(world.store(), "talk");
    let mut session = wait(open()).unwrap();
    assert_eq!(wait(session.user("Hello?").finish()).unwrap(), "Hello.");
    drop(session);

    let listed = world.printed(&["show", "talk"]);
    assert!(listed.contains("Hello."), "{listed}");
    let wrong = world.cot(&["answer", "talk", "user", r#"{"message": "Hi"}"#]);
    assert_eq!((wrong.out.as_str(), wrong.code), ("", 1), "{}", wrong.err);
    let message = r#"{"text": "How are you?"}"#;
    let answered = world.cot(&["answer", "talk", "user", message]);
    assert_eq!((answered.out.as_str(), answered.code), ("user#2@1\n", 0), "{}", answered.err);

    let mut session = wait(open()).unwrap();
    assert_eq!(wait(session.user("Bye!").finish()).unwrap(), "Bye.");
    let trace = session.trace().to_string();
    assert!(trace.contains("user「How are you?」 🏷 usr2"), "{trace}");
    assert!(
        trace.contains("response「Fine.」") && trace.contains("user「Bye!」 🏷 usr3"),
        "{trace}"
    );

    // The run of a conversation is traced like any other.
    let printed = world.printed(&["trace", "talk"]);
    let report = task_format::check(&printed);
    assert!(report.is_valid(), "{printed}\n{report:?}");
    assert!(printed.contains("How are you?"), "{printed}");
}
