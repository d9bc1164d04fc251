//! Properties that hold for every sequence of messages.

use cot_model::{ModelErrorKind, ModelReply};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn call_id() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["cot_1", "cot_2", ""]).prop_map(str::to_owned)
}

fn message() -> impl Strategy<Value = Message> {
    let text = || prop_oneof![Just("1. a\nSo: b".to_owned()), any::<String>()];
    let chunks =
        prop::sample::select(vec![ChunkType::Content, ChunkType::Thinking, ChunkType::Other]);
    let usage =
        (any::<u64>(), any::<u64>()).prop_map(|(input, output)| Usage::for_call(input, output));
    prop_oneof![
        (text(), call_id()).prop_map(|(prompt, call_id)| Message::Start { prompt, call_id }),
        (call_id(), text(), usage).prop_map(|(call_id, text, usage)| Message::LlmResult {
            call_id,
            result: Ok(ModelReply::new(text).usage(usage)),
        }),
        (call_id(), text()).prop_map(|(call_id, text)| Message::LlmResult {
            call_id,
            result: Err(ModelError::new(ModelErrorKind::Other, text)),
        }),
        (call_id(), text(), chunks).prop_map(|(call_id, delta, chunk_type)| {
            Message::LlmPartial { call_id, delta, chunk_type }
        }),
        call_id().prop_map(|call_id| Message::LlmRestart { call_id }),
    ]
}

/// Arbitrary JSON.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec![
            "idle",
            "reasoning",
            "completed",
            "error",
            "success",
            "cot_1",
            ""
        ])
        .prop_map(Value::from),
        Just(json!({ "number": 1, "content": "a", "further": 1 })),
        Just(json!({ "input_tokens": u64::MAX, "total_tokens": 3 })),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{0,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn map() -> impl Strategy<Value = Map<String, Value>> {
    let known: Vec<String> = Machine::new().to_map().keys().cloned().collect();
    let key = prop_oneof![9 => prop::sample::select(known), 1 => any::<String>()];
    prop::collection::vec((key, value()), 0..5).prop_map(|members| members.into_iter().collect())
}

proptest! {
    #[test]
    fn messages_in_any_order_keep_it_in_order(messages in prop::collection::vec(message(), 0..12)) {
        let mut machine = Machine::new();
        for message in messages {
            let before = machine.clone();
            let asked = machine.update(message);
            prop_assert_eq!(&Machine::from_map(machine.to_map()).unwrap(), &machine);
            let is_busy = matches!(asked.first(), Some(Directive::RequestError { .. }));
            match (before.status, machine.status) {
                (Status::Idle, Status::Reasoning) => prop_assert_eq!(asked, vec![machine.pending().unwrap()]),
                (Status::Reasoning, Status::Completed | Status::Error) => prop_assert!(asked.is_empty()),
                (Status::Reasoning, Status::Reasoning) => {
                    prop_assert_eq!(asked.len(), usize::from(is_busy));
                    prop_assert!(!is_busy || before == machine);
                }
                (was, is) => prop_assert!(was == is && before == machine && asked.is_empty()),
            }
        }
    }

    #[test]
    fn any_map_is_read_or_refused(map in map(), message in message()) {
        if let Ok(mut machine) = Machine::from_map(map) {
            machine.update(message);
            let kept = machine.to_map();
            let back = Machine::from_map(kept.clone()).unwrap();
            prop_assert_eq!(back.to_map(), kept);
        }
    }
}
