use proptest::prelude::*;
use serde_json::json;

use super::{arbitrary::trace, *};

#[test]
fn writes_the_usual_layout() {
    assert_eq!(format(WEATHER).unwrap(), WEATHER);
    assert_eq!(
        format("plan{a↦[1•2]🏷x•b↦{}}").unwrap(),
        "plan {\n    a ↦ [ 1 • 2 ] 🏷 x •\n    b ↦ {}\n}\n"
    );
    assert_eq!(format("").unwrap(), "");
}

#[test]
fn numbers_keep_their_texts() {
    for number in [
        "123456789012345678901234567890n",
        "0xFF",
        "0b1010",
        "1_000",
        "1.50",
        "5.0",
        "1e21",
        "+7",
        "-0",
        ".5",
        "7",
    ] {
        let text = format!("plan {{\n    a ↦ {number} 𝑝 1.0 •\n    b ↦ [ {number} ]\n}}\n");
        assert_eq!(format(&text).unwrap(), text);
    }
    let act = parse("act { call ↦ { tool ↦ t • id ↦ 0x7 } }").unwrap();
    assert_eq!(act.blocks[0].calls().next().unwrap().id().unwrap(), "0x7");
}

#[test]
fn lays_out_a_list_alike_when_a_mark_came_to_nothing() {
    for list in ["1 • 2", "1 ⊨ x • 2", "1 • 2 🏷", "1 𝑝 high • 2 ※ []"] {
        let text = recover(&format!("plan {{ a ↦ [ {list} ] }}")).trace.to_string();
        assert_eq!(text, "plan {\n    a ↦ [ 1 • 2 ]\n}\n", "{list}");
    }
    let text = "USER「⊨\u{1f}\nuser a 🏷 「\nplan {\n」>>[a ↦ 10\u{1f}\u{fe0f}🏷";
    let written = recover(text).trace.to_string();
    assert_eq!(recover(&written).trace.to_string(), written);
}

#[test]
fn shows_a_trace_as_json() {
    let text = "act { call ↦ { a ↦ 1 } ⊨ 1 • call ↦ { a ↦ x } } 🏷 t";
    let json = json!([{
        "type": "act",
        "content": { "$entries": [
            ["call", { "$value": { "a": 1 }, "satisfies": [1] }],
            ["call", { "a": "x" }],
        ] },
        "tags": ["t"],
    }]);
    let trace = parse(text).unwrap();
    assert_eq!(trace.to_json(), json);
    assert_eq!(Trace::from_json(&json).unwrap(), trace);
}

#[test]
fn shows_each_value_once_where_keys_occur_again_at_every_depth() {
    let text = format!("act {}x{}", "{ a ↦ 1 • a ↦ ".repeat(MAX_DEPTH), "}".repeat(MAX_DEPTH));
    let trace = parse(&text).unwrap();
    assert_eq!(Trace::from_json(&trace.to_json()).unwrap(), trace);
}

#[test]
fn says_where_json_is_no_view_and_what_it_should_be() {
    for (json, error) in [
        (json!({}), "$: is not an array of structures"),
        (json!(["plan"]), "$[0]: is not an object"),
        (json!([{ "content": {} }]), "$[0].type: is missing"),
        (json!([{ "type": 1 }]), "$[0].type: is not a text"),
        (json!([{ "type": "pan" }]), "$[0].type: `pan` is no structure; did you mean `plan`?"),
        (
            json!([{ "type": "x" }]),
            "$[0].type: `x` is no structure; those are `system`, `tool`, `user`, `todo`, `plan`, \
             `act`, `result`, `response`",
        ),
        (json!([{ "type": "plan" }]), "$[0].content: is missing"),
        (json!([{ "type": "user", "content": {} }]), "$[0].content: is an object, not a text"),
        (
            json!([{ "type": "plan", "content": { "a": [{ "$value": 1, "x": 2 }] } }]),
            "$[0].content.a[0].x: is no mark; those are `tags`, `references`, `satisfies`, \
             `confidence`",
        ),
        (
            json!([{ "type": "user", "content": "a", "tags": [1] }]),
            "$[0].tags: is not an array of names, which are texts",
        ),
        (
            json!([{ "type": "user", "content": "a", "satisfies": [-1] }]),
            "$[0].satisfies: is not an array of whole numbers",
        ),
        (
            json!([{ "type": "user", "content": "a", "confidence": "0.5" }]),
            "$[0].confidence: is not a number",
        ),
    ] {
        assert_eq!(Trace::from_json(&json).unwrap_err().to_string(), error);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reads_what_it_writes(trace in trace()) {
        let text = trace.to_string();
        let read = recover(&text);
        prop_assert_eq!(&read.trace, &trace, "{}\n{:?}", text, read.findings);
        prop_assert!(read.findings.is_empty(), "{}\n{:?}", text, read.findings);
        prop_assert_eq!(read.trace.to_string(), text);
    }

    #[test]
    fn reads_the_json_that_it_shows(trace in trace()) {
        prop_assert_eq!(Trace::from_json(&trace.to_json()).unwrap(), trace);
    }

    #[test]
    fn reads_a_stream_as_the_whole(trace in trace(), sizes in prop::collection::vec(1..9_usize, 1..20)) {
        let text = trace.to_string();
        let (mut stream, mut blocks) = (Stream::new(), Vec::new());
        let mut chars = text.chars().peekable();
        for size in sizes.iter().cycle() {
            let piece: String = chars.by_ref().take(*size).collect();
            blocks.extend(stream.push(&piece));
            if chars.peek().is_none() {
                break;
            }
        }
        blocks.extend(stream.finish());
        prop_assert_eq!(&Trace { blocks: blocks.clone() }, &trace);
        let whole = parse(&text).unwrap();
        for (block, expected) in blocks.iter().zip(&whole.blocks) {
            prop_assert_eq!(block.position, expected.position);
            prop_assert_eq!(block.content.position, expected.content.position);
        }
        prop_assert!(stream.take_findings().is_empty());
    }
}
