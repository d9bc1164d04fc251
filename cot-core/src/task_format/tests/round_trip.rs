use proptest::prelude::*;

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
fn shows_a_trace_as_json() {
    let text = "act { call ↦ { a ↦ 1 } ⊨ 1 • call ↦ { a ↦ x } } 🏷 t";
    let json = serde_json::json!([{
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
fn says_where_json_is_no_view() {
    let error = |json: serde_json::Value| Trace::from_json(&json).unwrap_err().to_string();
    assert_eq!(error(serde_json::json!({})), "$: is not an array");
    assert_eq!(error(serde_json::json!([{ "type": "plan" }])), "$[0].content: is missing");
    let json =
        serde_json::json!([{ "type": "plan", "content": { "a": [{ "$value": 1, "x": 2 }] } }]);
    assert_eq!(error(json), "$[0].content.a[0].x: is no mark");
    let json = serde_json::json!([{ "type": "user", "content": {} }]);
    assert_eq!(error(json), "$[0].content: is an object, not a text");
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
