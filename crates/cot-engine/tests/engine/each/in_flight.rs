//! A for-each task with many items.

use std::{collections::VecDeque, time::Duration};

use cot_engine::{
    Event,
    private::{Collect, Ending},
};
use serde_json::{Value, json};

use crate::harness::{Call, Run, each_ai, end, process, schema};

const ITEMS: u64 = 500;

schema! {
    number: {
        "type": "object",
        "properties": { "number": { "type": "integer" } },
        "required": ["number"],
    }
}

process! {
    Doubling {
        double: each_ai().output(number).items(Some(100), Collect::All).next(&[Self::done]),
        done: end(),
    }
}

fn reply_to(call: &Call) -> String {
    let number: u64 = call.prompt().lines().next().unwrap().parse().unwrap();
    let is_refused = call.attempt() == 1 && number.is_multiple_of(10);
    if is_refused { "?".to_owned() } else { json!({ "number": 2 * number }).to_string() }
}

/// The cost of an answer must not depend on the number of calls in flight.
#[test]
fn a_call_is_named_once_to_a_driver_that_knows_the_others() {
    let mut run = Run::start::<Doubling>(json!({ "items": (0..ITEMS).collect::<Vec<_>>() }));
    let (mut in_flight, mut named) = (VecDeque::new(), 0);
    let mut known = None;
    loop {
        let calls = run.directives_after(known);
        named += calls.len();
        known = calls.last().map(|call| call.id).or(known);
        in_flight.extend(calls);
        assert_eq!(run.pending_calls(), in_flight.len());
        let Some(call) = in_flight.pop_front() else { break };
        assert!(run.is_pending(call.id));
        let (reply, elapsed) = (reply_to(&call).into(), Duration::ZERO);
        run.handle(Event::Replied { id: call.id, reply, elapsed });
        assert!(!run.is_pending(call.id));
    }
    assert_eq!(run.ending(), Ending::End("done"));
    let doubled: Vec<Value> = (0..ITEMS).map(|item| json!({ "number": 2 * item })).collect();
    assert_eq!(run.state()["double"], json!(doubled));
    assert_eq!(named as u64, ITEMS + ITEMS.div_ceil(10));
}
