//! Calls of tools in streamed replies.

use cot_model::{FinishReason, LanguageModel, ModelErrorKind, ModelReply};
use proptest::{prelude::*, sample::Index};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::{
    builder, model,
    server::{Answer, Server},
    sink::{Record, recording_sink},
    streams::{end, piece, text},
    tools::request,
};

/// The data of an event with pieces of calls.
fn pieces(calls: Value) -> String {
    piece(json!({ "tool_calls": calls }), None)
}

fn call(index: usize, id: &str, name: &str, arguments: &str) -> String {
    let function = json!({ "name": name, "arguments": arguments });
    pieces(json!([{ "index": index, "id": id, "type": "function", "function": function }]))
}

fn arguments(index: usize, arguments: &str) -> String {
    pieces(json!([{ "index": index, "function": { "arguments": arguments } }]))
}

async fn streamed(events: &[String]) -> (ModelReply, Record) {
    let server = Server::start([Answer::events(events)]).await;
    let (sink, record) = recording_sink();
    (model(&server.base_url).stream(&request(), &sink).await.unwrap(), record)
}

fn calls(reply: &ModelReply) -> Vec<(&str, &str, &str)> {
    let calls = reply.tool_calls.iter();
    calls.map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str())).collect()
}

#[tokio::test]
async fn calls_are_put_together_by_index() {
    let events = [
        text("I look."),
        call(0, "a", "weather", ""),
        arguments(0, "{\"ci"),
        call(1, "b", "now", ""),
        pieces(
            json!([{ "index": 0, "function": { "arguments": "ty\":" } }, { "index": 1, "function": { "arguments": "{}" } }]),
        ),
        arguments(0, "\"Paris\"}"),
        end("tool_calls"),
    ];
    let (reply, record) = streamed(&events).await;
    assert_eq!(calls(&reply), [("a", "weather", r#"{"city":"Paris"}"#), ("b", "now", "{}")]);
    assert_eq!((reply.text.as_str(), reply.finish), ("I look.", FinishReason::Stop));
    assert_eq!(record.pieces(), ["I look."]);
}

/// The event with a piece of one call that has all its members.
fn whole(index: Value, id: &str, name: &str, arguments: Value) -> String {
    let function = json!({ "name": name, "arguments": arguments });
    pieces(json!([{ "index": index, "id": id, "function": function }]))
}

fn paris() -> Value {
    json!(r#"{"city":"Paris"}"#)
}

fn rome() -> Value {
    json!(r#"{"city":"Rome"}"#)
}

const TWO: [(&str, &str, &str); 2] =
    [("a", "weather", r#"{"city":"Paris"}"#), ("b", "weather", r#"{"city":"Rome"}"#)];

/// Asserts which calls a stream with these events has.
async fn assert_calls(what: &str, mut events: Vec<String>, expected: &[(&str, &str, &str)]) {
    events.push(end("tool_calls"));
    let (reply, _) = streamed(&events).await;
    assert_eq!(calls(&reply), expected, "{what}");
}

#[tokio::test]
async fn calls_without_an_index_of_their_own_are_told_apart() {
    for (what, events, expected) in [
        (
            "no index",
            vec![
                whole(Value::Null, "a", "weather", paris()),
                whole(Value::Null, "b", "weather", rome()),
            ],
            &TWO[..],
        ),
        (
            "the same index for all",
            vec![whole(json!(0), "a", "weather", paris()), whole(json!(0), "b", "weather", rome())],
            &TWO,
        ),
        (
            "the same index for all, and no ids",
            vec![whole(json!(0), "", "weather", paris()), whole(json!(0), "", "now", json!("{}"))],
            &[("", "weather", r#"{"city":"Paris"}"#), ("", "now", "{}")],
        ),
        (
            "an object instead of a text",
            vec![
                whole(json!(0), "a", "weather", json!({ "city": "Paris" })),
                whole(json!(1), "b", "weather", rome()),
            ],
            &TWO,
        ),
        (
            "a new id and the name with each piece",
            vec![
                whole(json!(0), "a", "weather", json!("{\"city\":")),
                whole(json!(0), "x", "weather", json!("\"Paris\"}")),
                whole(json!(1), "b", "weather", rome()),
            ],
            &TWO,
        ),
    ] {
        assert_calls(what, events, expected).await;
    }
}

#[tokio::test]
async fn members_may_come_late_or_never() {
    for (what, events, expected) in [
        (
            "the name in a later chunk, and the id after it",
            vec![
                pieces(json!([{ "index": 0, "function": {} }])),
                pieces(json!([{ "index": 0, "function": { "name": "weather" } }])),
                pieces(
                    json!([{ "index": 0, "id": "a", "function": { "name": null, "arguments": "{\"city\":\"Paris\"}" } }]),
                ),
                whole(json!(1), "b", "weather", rome()),
            ],
            &TWO[..],
        ),
        (
            "odd indices",
            vec![
                whole(json!(u64::MAX), "a", "weather", paris()),
                whole(json!("x"), "b", "weather", rome()),
            ],
            &TWO,
        ),
        (
            "no ids, no arguments, and a null",
            vec![pieces(Value::Null), whole(json!(0), "", "now", Value::Null)],
            &[("", "now", "{}")],
        ),
        (
            "the older API",
            vec![
                piece(json!({ "function_call": { "name": "weather", "arguments": "" } }), None),
                piece(json!({ "function_call": { "arguments": "{\"city\":" } }), None),
                piece(json!({ "function_call": { "arguments": "\"Paris\"}" } }), None),
            ],
            &[("", "weather", r#"{"city":"Paris"}"#)],
        ),
    ] {
        assert_calls(what, events, expected).await;
    }
}

#[tokio::test]
async fn thoughts_before_a_call_are_handed_on_and_sent_back() {
    let think = |thought: &str| piece(json!({ "reasoning_content": thought }), None);
    let details = |text: &str| piece(json!({ "reasoning_details": [{ "text": text }] }), None);
    let events = [
        think("H"),
        think("m."),
        details("a"),
        details("b"),
        call(0, "a", "now", "{}"),
        end("tool_calls"),
    ];
    let (reply, record) = streamed(&events).await;
    assert_eq!(record.pieces(), ["<thought>H", "<thought>m."]);
    let expected = json!({ "message": {
        "reasoning_content": "Hm.", "reasoning_details": [{ "text": "a" }, { "text": "b" }],
    } });
    let data = &reply.tool_calls[0].engine_data;
    assert_eq!(data["message"], expected["message"]);
}

#[tokio::test]
async fn a_broken_stream_starts_over_without_the_calls_before() {
    let failure = json!({ "error": { "message": "no room", "code": 503 } }).to_string();
    let broken = Answer::events([text("We"), call(0, "a", "now", "{}"), failure]);
    let whole = Answer::events([call(0, "b", "weather", "{}"), end("tool_calls")]);
    let server = Server::start([broken, whole]).await;
    let (sink, record) = recording_sink();
    let reply = model(&server.base_url).stream(&request(), &sink).await.unwrap();
    assert_eq!(calls(&reply), [("b", "weather", "{}")]);
    assert_eq!(record.pieces(), ["We", "<restart>"]);
    // A stream that ends in the middle of a call is no reply.
    let cut = Server::start([Answer::events([call(0, "a", "weather", "{\"city")])]).await;
    let model = builder(&cut.base_url).max_retries(0).build().unwrap();
    let (sink, _) = recording_sink();
    let error = model.stream(&request(), &sink).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Connection);
}

#[tokio::test]
async fn calls_count_towards_the_limit() {
    let long =
        [call(0, "a", "weather", &"x".repeat(600)), arguments(0, &"x".repeat(600)), end("stop")];
    let many = (0..100).map(|n| call(n, &format!("call_{n}"), "", ""));
    let many: Vec<String> = many.chain([end("stop")]).collect();
    let thoughts = piece(json!({ "reasoning_details": ["x".repeat(1200)] }), None);
    for events in [long.to_vec(), many, vec![thoughts, end("stop")]] {
        let server = Server::start([Answer::events(events)]).await;
        let model = builder(&server.base_url).max_body_bytes(1000).build().unwrap();
        let (sink, _) = recording_sink();
        let error = model.stream(&request(), &sink).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::TooLarge);
    }
}

#[tokio::test]
async fn many_calls_with_large_arguments_are_read() {
    let starts = (0..500).map(|n| call(n, &format!("call_{n}"), "weather", "{\"city\":\""));
    let parts = (0..1 << 10).map(|_| arguments(499, &"x".repeat(1 << 10)));
    let ends = (0..500).map(|n| arguments(n, "\"}"));
    let events: Vec<String> = starts.chain(parts).chain(ends).chain([end("tool_calls")]).collect();
    let (reply, _) = streamed(&events).await;
    assert_eq!(reply.tool_calls.len(), 500);
    assert_eq!(reply.tool_calls[498].arguments, r#"{"city":""}"#);
    assert_eq!(reply.tool_calls[499].arguments.len(), (1 << 20) + 11);
}

/// A call in the property test: id, name, and arguments.
type Called = (String, String, String);

fn any_calls() -> impl Strategy<Value = Vec<Called>> {
    let arguments = prop_oneof![
        any::<String>(),
        prop::collection::vec("[{}\", :a-é]{0,8}", 0..4)
            .prop_map(|texts| json!({ "city": texts, "at": { "{": "}" } }).to_string()),
    ];
    // Servers with ids give each call its own.
    let calls = prop::collection::vec(("[a-z_]{1,12}", arguments), 0..5);
    calls.prop_map(|calls| {
        let numbered = calls.into_iter().enumerate();
        numbered.map(|(at, (name, arguments))| (format!("call_{at}"), name, arguments)).collect()
    })
}

/// The events of a stream with these calls, whose arguments are cut at the given places, and whose pieces are
/// in an order in which those of each call keep theirs.
fn events(calls: &[Called], cuts: &[Index], order: &[Index]) -> Vec<String> {
    let mut queues: Vec<Vec<String>> = Vec::new();
    for (at, (id, name, all)) in calls.iter().enumerate() {
        let mut ends: Vec<usize> =
            cuts.iter().map(|cut| all.floor_char_boundary(cut.index(all.len() + 1))).collect();
        ends.push(all.len());
        ends.sort_unstable();
        let mut start = 0;
        let mut queue = vec![call(at, id, name, "")];
        for end in ends {
            queue.push(arguments(at, &all[start..end]));
            start = end;
        }
        queue.reverse();
        queues.push(queue);
    }
    let mut events = Vec::new();
    let mut order = order.iter().cycle();
    while queues.iter().any(|queue| !queue.is_empty()) {
        let left: Vec<usize> = (0..queues.len()).filter(|at| !queues[*at].is_empty()).collect();
        let at = order.next().map_or(left[0], |index| *index.get(&left));
        // Calls start in their order.
        let at =
            left.iter().copied().find(|other| queues[*other].len() == cuts.len() + 2).unwrap_or(at);
        events.extend(queues[at].pop());
    }
    events
}

proptest! {
    #[test]
    fn any_split_of_a_stream_gives_the_calls_of_the_whole_reply(
        called in any_calls(),
        cuts in prop::collection::vec(any::<Index>(), 0..4),
        order in prop::collection::vec(any::<Index>(), 1..8),
        bytes in 1..200usize,
    ) {
        let whole: Vec<Value> = called.iter().map(|(id, name, arguments)| {
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        }).collect();
        let events: Vec<String> = events(&called, &cuts, &order).into_iter().chain([end("tool_calls")]).collect();
        let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        Runtime::new().unwrap().block_on(async {
            let message = json!({ "content": null, "tool_calls": whole });
            let server = Server::start([Answer::choice(message, "tool_calls")]).await;
            let whole = model(&server.base_url).reply(&request()).await.unwrap();
            let base_url = crate::server::in_pieces(stream.into_bytes(), bytes).await;
            let (sink, _) = recording_sink();
            let streamed = model(&base_url).stream(&request(), &sink).await.unwrap();
            prop_assert_eq!(&streamed.tool_calls, &whole.tool_calls);
            prop_assert_eq!(whole.tool_calls.len(), called.len());
            Ok(())
        })?;
    }
}
