//! A for-each task with many items, without a runner.

use std::{collections::VecDeque, time::Duration};

use cot_core::{Event, MachinePoll, model::ModelReply, prelude::*};

const ITEMS: u32 = 500;

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
struct Numbers {
    items: Vec<u32>,
    twice: Vec<Number>,
}

#[derive(
    Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema, CotOutput,
)]
struct Number {
    number: u32,
}

cot_process! {
    process Doubling {
        state: Numbers,

        task double -> Number {
            for_each: item in state.items,
            max_concurrency: 100,
            full_prompt: "${item}",
            update: { twice = output },
            next: done,
        }

        task done { end }
    }
}

fn reply_to(request: &str, is_first: bool) -> ModelReply {
    let number: u32 = request.split('\n').next().unwrap_or_default().parse().unwrap();
    let is_refused = is_first && number.is_multiple_of(10);
    ModelReply::new(if is_refused {
        "?".to_owned()
    } else {
        format!(r#"{{"number":{}}}"#, 2 * number)
    })
}

/// The cost of an answer must not depend on the number of calls in flight.
#[test]
fn a_call_is_named_once_to_a_driver_that_knows_the_others() {
    let items: Vec<u32> = (0..ITEMS).collect();
    let twice: Vec<_> = items.iter().map(|item| Number { number: 2 * item }).collect();
    let mut machine = Doubling::machine();
    machine.start(Numbers { items, twice: Vec::new() }).unwrap();
    let (mut in_flight, mut named) = (VecDeque::new(), 0);
    let mut known = None;
    while let MachinePoll::Waiting(calls) = machine.poll_after(known) {
        named += calls.len();
        known = calls.last().map(|call| call.id).or(known);
        in_flight.extend(calls.to_vec());
        assert_eq!(machine.pending_calls(), in_flight.len());
        let call = in_flight.pop_front().unwrap();
        assert!(machine.is_pending(call.id));
        let prompt = call.as_model_call().unwrap().request.prompt();
        let (reply, elapsed) = (reply_to(prompt, call.key.attempt() == 1), Duration::ZERO);
        machine.handle(Event::Replied { id: call.id, reply, elapsed });
        assert!(!machine.is_pending(call.id));
    }
    assert_eq!(machine.into_state().unwrap().twice, twice);
    let refused = ITEMS.div_ceil(10);
    assert_eq!(named, (ITEMS + refused) as usize);
}
