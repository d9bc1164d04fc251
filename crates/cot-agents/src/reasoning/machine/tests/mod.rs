//! The machine, message by message.

mod property;

use cot_model::{ModelErrorKind, ModelReply};
use serde_json::{Value, json};

use super::*;

fn start(call_id: &str) -> Message {
    Message::Start { prompt: "2 + 2?".to_owned(), call_id: call_id.to_owned() }
}

fn replied(call_id: &str, reply: impl Into<ModelReply>) -> Message {
    Message::LlmResult { call_id: call_id.to_owned(), result: Ok(reply.into()) }
}

fn failed(call_id: &str) -> Message {
    let error = ModelError::new(ModelErrorKind::Timeout, "too slow");
    Message::LlmResult { call_id: call_id.to_owned(), result: Err(error) }
}

fn piece(call_id: &str, delta: &str, chunk_type: ChunkType) -> Message {
    Message::LlmPartial { call_id: call_id.to_owned(), delta: delta.to_owned(), chunk_type }
}

fn reasoning() -> Machine {
    let mut machine = Machine::new();
    machine.update(start("cot_1"));
    machine
}

fn map(json: Value) -> serde_json::Map<String, Value> {
    json.as_object().unwrap().clone()
}

#[test]
fn a_start_asks_the_model() {
    let mut machine = Machine::new();
    let environment = Environment { system_prompt: Some("Think.".to_owned()), now: Some(17) };
    let directives = machine.update_in(start("cot_1"), &environment);
    let expected = json!([{
        "type": "call_llm_stream",
        "call_id": "cot_1",
        "conversation": [
            { "role": "system", "content": "Think." },
            { "role": "user", "content": "2 + 2?" },
        ],
    }]);
    assert_eq!(serde_json::to_value(&directives).unwrap(), expected);
    let request = directives[0].request().unwrap();
    assert_eq!((request.system(), request.prompt()), (Some("Think."), "2 + 2?"));
    assert_eq!((machine.status, machine.prompt.as_deref()), (Status::Reasoning, Some("2 + 2?")));
    assert_eq!((machine.current_call_id.as_deref(), machine.started_at), (Some("cot_1"), Some(17)));
    assert_eq!(machine.pending().as_ref(), directives.first());
}

#[test]
fn without_a_system_prompt_the_default_is_used() {
    let directives = Machine::new().update(start("cot_1"));
    let request = directives[0].request().unwrap();
    assert_eq!(request.system(), Some(default_system_prompt()));
    let (steps, _) = extract_steps_and_conclusion("Step 1: a\nStep 2: b\nConclusion: c");
    assert_eq!(steps.len(), 2);
    for said in ["step by step", "Step 1:", "Conclusion:"] {
        assert!(default_system_prompt().contains(said), "{said}");
    }
}

#[test]
fn a_start_while_it_reasons_is_refused_as_busy() {
    let mut machine = reasoning();
    let before = machine.clone();
    let directives = machine.update(start("cot_2"));
    let [Directive::RequestError { call_id, reason, .. }] = &directives[..] else {
        panic!("{directives:?}")
    };
    assert_eq!((call_id.as_str(), *reason), ("cot_2", StartRefusal::Busy));
    assert!(directives[0].request().is_none());
    assert_eq!(machine, before);
}

#[test]
fn a_reply_completes_it() {
    let mut machine = reasoning();
    let usage = Usage::for_call(10, 5).cost(0.5);
    let reply = ModelReply::new("Step 1: add.\nConclusion: 4").usage(usage);
    assert_eq!(machine.update(replied("cot_1", reply)), []);
    assert_eq!(machine.status, Status::Completed);
    assert_eq!(machine.termination_reason, Some(TerminationReason::Success));
    assert_eq!((machine.steps.len(), machine.conclusion.as_deref()), (1, Some("4")));
    assert_eq!((machine.result(), machine.error.as_ref()), (Some("4"), None));
    assert_eq!(machine.raw_response.as_deref(), Some("Step 1: add.\nConclusion: 4"));
    assert_eq!((machine.finish.as_ref(), machine.usage()), (Some(&FinishReason::Stop), usage));
    assert_eq!(machine.pending(), None);
}

#[test]
fn without_a_conclusion_the_result_is_the_whole_text() {
    for text in ["", "It is 4.\n", "1. add\nAnswer:"] {
        let mut machine = reasoning();
        machine.update(replied("cot_1", text));
        assert_eq!((machine.result(), machine.conclusion.as_deref()), (Some(text), None));
    }
}

#[test]
fn a_failure_ends_it() {
    let mut machine = reasoning();
    machine.update(piece("cot_1", "St", ChunkType::Content));
    assert_eq!(machine.update(failed("cot_1")), []);
    assert_eq!(machine.status, Status::Error);
    assert_eq!(machine.termination_reason, Some(TerminationReason::Error));
    assert_eq!((machine.result(), machine.raw_response.as_deref()), (Some("too slow"), None));
    assert_eq!(machine.error.as_ref().map(ModelError::kind), Some(&ModelErrorKind::Timeout));
    assert_eq!(machine.streaming_text, "St");
}

#[test]
fn content_of_the_current_call_is_appended() {
    let mut machine = reasoning();
    machine.update(piece("cot_1", "Hel", ChunkType::Content));
    machine.update(piece("cot_1", "hm", ChunkType::Thinking));
    machine.update(piece("cot_1", "{}", ChunkType::Other));
    machine.update(piece("cot_0", "no", ChunkType::Content));
    machine.update(piece("cot_1", "lo", ChunkType::Content));
    assert_eq!(machine.streaming_text, "Hello");
    machine.update(Message::LlmRestart { call_id: "cot_0".to_owned() });
    assert_eq!(machine.streaming_text, "Hello");
    machine.update(Message::LlmRestart { call_id: "cot_1".to_owned() });
    assert_eq!(machine.streaming_text, "");
}

#[test]
fn other_calls_are_ignored_and_so_is_all_that_comes_after_the_end() {
    let messages = |call_id| {
        let restart = Message::LlmRestart { call_id: "cot_1".to_owned() };
        let content = piece(call_id, "x", ChunkType::Content);
        [replied(call_id, "Answer: 5"), failed(call_id), content, restart]
    };
    let mut ended = [Machine::new(), reasoning(), reasoning()];
    ended[1].update(replied("cot_1", "Answer: 4"));
    ended[2].update(failed("cot_1"));
    for machine in &mut ended {
        let before = machine.clone();
        let late = if machine.status == Status::Idle { None } else { Some(start("cot_1")) };
        for message in messages("cot_1").into_iter().chain(late) {
            assert_eq!(machine.update(message), []);
            assert_eq!(*machine, before);
        }
    }
    let mut machine = reasoning();
    for message in messages("").into_iter().chain(messages("cot_2")) {
        assert_eq!(machine.update(message), []);
        assert_eq!(machine, reasoning());
    }
}

#[test]
fn a_machine_survives_its_map_wherever_it_stands() {
    let mut streaming = reasoning();
    streaming.update(piece("cot_1", "Step 1: ü", ChunkType::Content));
    let mut done = streaming.clone();
    let text = "99999999999999999999. a\n- b\nAnswer: 4";
    let usage = Usage::for_call(3, 4).cost(0.1);
    done.update(replied("cot_1", ModelReply::new(text).usage(usage)));
    let mut broken = streaming.clone();
    broken.update(failed("cot_1"));
    for machine in [Machine::new(), streaming, done, broken] {
        let map = machine.to_map();
        assert_eq!(Machine::from_map(map.clone()).unwrap(), machine);
        let text = serde_json::to_string(&map).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&text).unwrap(), machine);
    }
}

#[test]
fn a_map_may_lack_what_is_as_in_a_new_machine() {
    assert_eq!(Machine::from_map(map(json!({}))).unwrap(), Machine::new());
    let nulls = json!({ "status": null, "steps": null, "streaming_text": null, "usage": null, "further": 1 });
    assert_eq!(Machine::from_map(map(nulls)).unwrap(), Machine::new());
    let given = json!({
        "status": "reasoning", "current_call_id": "c", "usage": { "input_tokens": 1, "calls": null },
    });
    let mut machine = Machine::from_map(map(given)).unwrap();
    machine.update(replied("c", ModelReply::new("").usage(Usage::for_call(2, 3))));
    assert_eq!(machine.usage(), Usage::for_call(3, 3));
    let failed = json!({ "status": "error", "result": "rate_limited" });
    let failed = Machine::from_map(map(failed)).unwrap();
    assert_eq!(failed.error.as_ref().unwrap().to_string(), "rate_limited");
}

#[test]
fn a_map_has_the_totals() {
    let given = json!({ "status": "reasoning", "current_call_id": "c",
        "usage": { "input_tokens": 1, "output_tokens": 2, "total_tokens": 10 } });
    let mut machine = Machine::from_map(map(given)).unwrap();
    assert_eq!(machine.to_map()["usage"]["total_tokens"], 10);
    machine.update(replied("c", ModelReply::new("").usage(Usage::for_call(2, 3))));
    assert_eq!(machine.to_map()["usage"]["total_tokens"], 15);
    assert_eq!(Machine::from_map(machine.to_map()).unwrap(), machine);
    assert_eq!(Machine::new().to_map()["usage"]["total_tokens"], 0);
}

#[test]
fn a_map_may_have_a_result_of_any_type_and_a_time_below_zero() {
    for result in [json!({ "reason": "rate_limited" }), json!(42), json!([null])] {
        let given =
            json!({ "status": "error", "result": result, "started_at": -576_460_748_900_i64 });
        let machine = Machine::from_map(map(given)).unwrap();
        assert_eq!(machine.result(), Some(&*result.to_string()));
        assert_eq!(machine.error.as_ref().unwrap().to_string(), result.to_string());
        assert_eq!(machine.started_at, Some(-576_460_748_900));
        assert_eq!(machine.to_map()["result"], result);
    }
}

#[test]
fn a_map_of_something_else_is_refused() {
    for other in [
        json!({ "status": "thinking" }),
        json!({ "status": 1 }),
        json!({ "steps": [{ "number": -1, "content": "" }] }),
        json!({ "usage": { "input_tokens": "many" } }),
        json!({ "streaming_text": [] }),
    ] {
        let error = Machine::from_map(map(other)).unwrap_err();
        assert!(
            error.to_string().starts_with("the map does not describe a reasoning machine: "),
            "{error}"
        );
    }
}
