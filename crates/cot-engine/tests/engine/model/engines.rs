//! Engines that stand in for each other.

use cot_engine::{
    Failure, Fallback, HaltReason,
    private::{Definition, Ending, OnRoutes},
};
use cot_model::{FinishReason, ModelErrorKind, ModelReply};
use serde_json::json;

use crate::harness::{NOTE, PROCESS, Run, ai, end, note, process};

process! {
    Choir {
        sing: ai("")
            .output(NOTE)
            .on(OnRoutes {
                refused: Some(Self::silent),
                exhausted: Some(Self::silent),
                ..OnRoutes::NONE
            })
            .next(&[Self::hum]),
        hum: ai("").engines(&["own"]).output(NOTE).next(&[Self::silent]),
        silent: end(),
    }
    definition: Definition { engines: &["first", "second"], max_retries: Some(1), ..PROCESS };
}

fn choir(fallback: Fallback) -> Run {
    Run::with::<Choir>(|options| options.fallback = fallback, json!({}))
}

fn refusal() -> ModelReply {
    ModelReply::new("no").finish(FinishReason::Refusal)
}

#[test]
fn the_next_engine_is_asked_where_one_can_not_be_reached() {
    let mut run = choir(Fallback::Unreachable);
    assert_eq!(run.only().engine(), Some("first"));
    run.fail(ModelErrorKind::Connection);
    assert_eq!((run.only().engine(), run.only().attempt()), (Some("second"), 2));
    run.survives();
    run.reply(note("a", 1));
    assert_eq!(run.only().engine(), Some("own"));
    run.fail(ModelErrorKind::Connection);
    let halt = run.halt();
    assert!(matches!(halt.reason, HaltReason::Unreachable(_)));
    assert_eq!(halt.attempts[0].engine.as_deref(), Some("own"));
}

#[test]
fn the_last_engine_that_can_not_be_reached_halts() {
    let mut run = choir(Fallback::Unreachable);
    run.fail(ModelErrorKind::Connection);
    run.fail(ModelErrorKind::Timeout);
    let halt = run.halt();
    let engines: Vec<_> = halt.attempts.iter().filter_map(|it| it.engine.as_deref()).collect();
    assert_eq!(engines, ["first", "second"]);
    assert!(halt.attempts.iter().all(|attempt| attempt.failure == Failure::Unreachable));
    assert_eq!(run.usage().calls, 2);
}

#[test]
fn the_next_engine_has_retries_of_its_own() {
    let mut run = choir(Fallback::Unreachable);
    run.reply("bad");
    run.fail(ModelErrorKind::Connection);
    run.reply("bad");
    assert_eq!((run.only().engine(), run.only().attempt()), (Some("second"), 4));
    run.reply("bad");
    assert_eq!(run.ending(), Ending::End("silent"));
    assert_eq!(run.last_failure().unwrap().attempts.len(), 4);
}

#[test]
fn a_reply_that_is_rejected_moves_to_no_other_engine() {
    let mut run = choir(Fallback::Refused);
    run.reply("bad");
    assert_eq!(run.only().engine(), Some("first"));
    run.reply("bad");
    assert_eq!(run.ending(), Ending::End("silent"));
}

#[test]
fn a_refusal_moves_on_only_where_that_is_wanted() {
    let mut run = choir(Fallback::Unreachable);
    run.reply(refusal());
    assert_eq!(run.ending(), Ending::End("silent"));
    let mut run = choir(Fallback::Refused);
    run.reply(refusal());
    assert_eq!(run.only().engine(), Some("second"));
    run.survives();
    run.reply(refusal());
    assert_eq!(run.ending(), Ending::End("silent"));
    assert!(
        matches!(run.last_failure().unwrap().reason, HaltReason::Refused(said) if said == "no")
    );
}

#[test]
fn a_replay_that_diverged_halts_at_once() {
    let mut run = choir(Fallback::Refused);
    run.fail(ModelErrorKind::Diverged);
    let halt = run.halt();
    assert_eq!((halt.task, halt.attempts.len()), ("sing", 1));
}
