//! Functions that are called once for each item.

use cot_engine::{
    Effect, Event, EventOutcome, HaltReason,
    private::{Collect, Ending},
};
use serde_json::json;

use crate::harness::{Run, SECOND, each_code, end, process};

process! {
    Pay {
        pay: each_code(Effect::Once).items(None, Collect::Ok).next(&[Self::done]),
        done: end(),
    }
}

#[test]
fn each_call_is_announced_and_one_of_unknown_outcome_is_not_made_again() {
    let mut run = Run::start::<Pay>(json!({ "items": [7, 8, 9] }));
    let calls = run.directives();
    for call in &calls[..2] {
        assert_eq!(run.handle(Event::Started { id: call.id }), EventOutcome::Applied);
        assert_eq!(run.handle(Event::Started { id: call.id }), EventOutcome::Stale);
    }
    run.finish(&calls[0], Ok(json!(7)));
    let mut run = run.resumed();
    let starts = |run: &mut Run| {
        let calls = run.directives().into_iter();
        calls.map(|call| (call.key.to_string(), call.function().is_started())).collect::<Vec<_>>()
    };
    let expected = [("pay#1[1]@1".to_owned(), true), ("pay#1[2]@1".to_owned(), false)];
    assert_eq!(starts(&mut run), expected);
    assert_eq!(run.handle(Event::Interrupted { id: calls[2].id }), EventOutcome::Stale);
    run.handle(Event::Interrupted { id: calls[1].id });
    run.handle(Event::Started { id: calls[2].id });
    run.handle(Event::Ran { id: calls[2].id, result: Ok(json!(9)), elapsed: SECOND });
    assert_eq!(run.ending(), Ending::End("done"));
    let paid = run.state()["pay"].as_array().unwrap();
    assert_eq!((&paid[0], &paid[2]), (&json!({ "Ok": 7 }), &json!({ "Ok": 9 })));
    let reason = HaltReason::Interrupted.to_string();
    assert_eq!(paid[1], json!({ "Err": { "item": 1, "reason": reason } }));
}
