//! Replies are read leniently, and what was mended is told.

use cot_core::{
    RunEvent,
    model::ModelReply,
    prelude::*,
    reader::{Repair, RepairClass},
};
use cot_reader::internal::RepairKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::drive::{call, outcome, reply, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Desk {
    orders: Vec<Order>,
}

/// An order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[schemars(length(min = 1))]
    #[cot(check = no_spaces)]
    code: String,
    #[schemars(range(min = 1, max = 100))]
    amount: u32,
    #[serde(default)]
    #[cot(allow_loss)]
    parts: Vec<u32>,
}

fn no_spaces(code: &str) -> Result<(), Issues> {
    match code.contains(' ') {
        true => Err(Issues::at("$", "must not have spaces")),
        false => Ok(()),
    }
}

fn not_thirteen(order: &Order, _: &Desk) -> Result<(), Issues> {
    match order.amount {
        13 => Err(Issues::at("amount", "must not be 13")),
        _ => Ok(()),
    }
}

cot_process! {
    process Ordering {
        state: Desk,
        max_retries: 1,
        default_return: take,

        task take -> Order {
            prompt: "Take an order.",
            transitions: { done: "No more" },
            check: not_thirteen,
            update: orders[],
        }

        task done { end }
    }
}

/// What became of a reply: what was mended, and what was wrong.
fn events(reply_text: &str) -> (Vec<Repair>, Vec<String>, Desk) {
    let mut machine = started::<Ordering>(Desk::default());
    machine.record(true);
    call(&mut machine);
    machine.drain_events().for_each(drop);
    reply(&mut machine, reply_text);
    let (mut mended, mut wrong) = (Vec::new(), Vec::new());
    for event in machine.drain_events() {
        match event {
            RunEvent::Repaired { task, item: None, attempt: 1, repairs } => {
                assert_eq!(task, OrderingTask::Take);
                mended.extend(repairs);
            }
            RunEvent::AttemptFailed { attempt, .. } => {
                wrong.extend(attempt.issues.iter().map(ToString::to_string));
            }
            _ => {}
        }
    }
    (mended, wrong, state(&machine).clone())
}

#[test]
fn what_was_mended_is_told_before_what_came_of_it() {
    let (mended, wrong, desk) =
        events("So: {'Code': 'x', \"amount\": \"1_2\", parts: [1, 'no', 3],}");
    assert_eq!(wrong, [""; 0]);
    assert_eq!(desk.orders, [Order { code: "x".to_owned(), amount: 12, parts: vec![1, 3] }]);
    let has = |path: &str, class: RepairClass| {
        mended.iter().any(|repair| repair.path == path && repair.class == class)
    };
    assert!(has("$.code", RepairClass::Coercion), "{mended:?}");
    assert!(has("$.amount", RepairClass::Coercion), "{mended:?}");
    assert!(has("$.parts[1]", RepairClass::Loss), "{mended:?}");
    assert!(mended.iter().any(|repair| repair.class == RepairClass::Syntax), "{mended:?}");
}

#[test]
fn a_clean_reply_needs_no_repair() {
    let (mended, wrong, desk) = events(r#"{"code": "x", "amount": 1}"#);
    assert_eq!((mended, wrong.len(), desk.orders.len()), (Vec::new(), 0, 1));
}

#[test]
fn a_choice_is_found_in_what_engines_wrap_it_in() {
    let plain = r#"{"intent": "stop", "go_to": "Done", "step-after": "none"}"#;
    let exact = r#"{"intent": "stop", "goTo": "done", "stepAfter": "none"}"#;
    for text in [
        plain.to_owned(),
        format!("{{\"reply\": {exact}}}"),
        format!("{{\"reply\": {{\"done\": {exact}}}}}"),
        format!("<think>Or {{\"code\": \"y\", \"amount\": 2}}?</think> {exact}"),
    ] {
        let mut machine = started::<Ordering>(Desk::default());
        reply(&mut machine, ModelReply::new(&*text));
        assert_eq!(outcome(&mut machine), OrderingOutcome::Done, "{text}");
    }
}

#[test]
fn each_repair_of_a_choice_is_that_of_the_catalogue() {
    for kind in RepairKind::TRANSITION_REPAIRS {
        let (mended, wrong, _) = events(kind.example());
        assert_eq!(wrong, [""; 0], "{kind:?}");
        let [repair] = mended.as_slice() else { panic!("{kind:?}: {mended:?}") };
        let (before, after) = kind.sentence().split_once("{}").unwrap_or((kind.sentence(), ""));
        assert_eq!(repair.class, kind.class());
        assert!(
            repair.description.starts_with(before) && repair.description.ends_with(after),
            "{repair}"
        );
    }
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    // The check of a task, beside that of a field.
    let (_, wrong, desk) = events(r#"{"code": "a b", "amount": 13}"#);
    assert_eq!(wrong, ["$.code: must not have spaces", "$.amount: must not be 13"]);
    assert_eq!(desk.orders, []);
    // That of a field, beside what the schema says of another one.
    let (_, wrong, _) = events(r#"{"code": "a b", "amount": 1000}"#);
    assert_eq!(wrong, ["$.amount: must be at most 100", "$.code: must not have spaces"]);
    // A check sees nothing that the schema has refused.
    let (_, wrong, _) = events(r#"{"code": "", "amount": 13}"#);
    assert_eq!(wrong, ["$.code: must have at least 1 character, has 0"]);
}

#[test]
fn a_reply_that_breaks_off_is_never_taken() {
    for text in [
        r#"{"amount": 12, "code": "abc"#,
        r#"{"code": "abc", "amount": 1"#,
        r#"{"code": "abc", "amount": 1, "#,
        r#"{"code": "abc", "amount": 1, "parts"#,
        r#"{"code": "abc", "amount": 1, "parts": [1, 2"#,
    ] {
        let (_, wrong, desk) = events(text);
        let is_allowed = text.contains("[");
        assert_eq!(desk.orders.is_empty(), !is_allowed, "{text}: {wrong:?}");
    }
    // A bracket that is forgotten is none of these.
    let (mended, _, desk) = events(r#"{"amount": 12, "code": "abc""#);
    assert_eq!((mended.len(), desk.orders.len()), (1, 1));
}

#[test]
fn an_output_may_have_words_like_those_of_a_choice() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
    struct Step {
        go_to: String,
        #[serde(rename = "Intent")]
        intent: String,
    }
    #[derive(Debug, Clone, Default, Serialize, Deserialize)]
    struct Steps {
        step: Option<Step>,
    }
    cot_process! {
        process Moving {
            state: Steps,

            task take -> Step {
                prompt: "Where?",
                transitions: { done: "Nowhere" },
                update: { step = Some(output) },
                next: done,
            }

            task done { end }
        }
    }
    let mut machine = started::<Moving>(Steps::default());
    reply(&mut machine, r#"{"go_to": "Rome", "Intent": "see it"}"#);
    assert_eq!(outcome(&mut machine), MovingOutcome::Done);
    assert_eq!(state(&machine).step.as_ref().unwrap().go_to, "Rome");
}
