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
fn items_keep_the_texts_of_their_numbers() {
    for item in ["1", "0x1", "007", "1_0", "[1 • 0b1]"] {
        let text = format!("act {{\n    think ↦ x ⊨ {item}\n}}\n");
        assert_eq!(format(&text).unwrap(), text);
    }
    assert_eq!(format("act { think ↦ x ⊨ \"+7\" }").unwrap(), "act {\n    think ↦ x ⊨ \"+7\"\n}\n");
}

#[test]
fn json_has_all_digits_of_a_number() {
    for (number, view) in [
        ("123456789012345678901234567890", json!({ "$number": "123456789012345678901234567890" })),
        ("-18446744073709551617n", json!({ "$number": "-18446744073709551617n" })),
        ("0.12345678901234567890", json!({ "$number": "0.12345678901234567890" })),
        ("0xFFFFFFFFFFFFFFFFFF", json!({ "$number": "0xFFFFFFFFFFFFFFFFFF" })),
        ("0.99999999999999999999", json!({ "$number": "0.99999999999999999999" })),
        ("9007199254740993.5", json!({ "$number": "9007199254740993.5" })),
        ("1e-400", json!({ "$number": "1e-400" })),
        ("18446744073709551615", json!(u64::MAX)),
        ("0e5", json!(0)),
        ("0x1F", json!(31)),
        ("1_000.50", json!(1000.5)),
        ("0.1", json!(0.1)),
        ("1e21", json!(1e21)),
    ] {
        let trace = parse(&format!("plan {{ a ↦ {number} }}")).unwrap();
        let json = trace.to_json();
        assert_eq!(json[0]["content"]["a"], view);
        let read = Trace::from_json(&json).unwrap();
        assert_eq!(read, trace);
        if view.is_object() {
            assert_eq!(read.to_string(), trace.to_string());
        }
    }
    for wrong in
        [json!({ "$number": 1 }), json!({ "$number": "x" }), json!({ "$number": "1", "b": 2 })]
    {
        let json = json!([{ "type": "plan", "content": { "a": wrong } }]);
        let error = Trace::from_json(&json).unwrap_err().to_string();
        assert_eq!(error, "$[0].content.a[\"$number\"]: is not the text of a number");
    }
    // A key with this name is an ordinary key.
    let trace = parse("plan { \"$number\" ↦ 1 }").unwrap();
    assert_eq!(Trace::from_json(&trace.to_json()).unwrap(), trace);
}

#[test]
fn escapes_what_steers_a_terminal_or_is_not_seen() {
    for (value, written) in [
        ("\u{1b}[31mred", r#""\u{1b}[31mred""#),
        ("a\u{9b}1m \u{7f}", r#""a\u{9b}1m \u{7f}""#),
        ("\u{202e}drow\u{2066}", r#""\u{202e}drow\u{2066}""#),
        ("a\u{200b}b\u{feff}", r#""a\u{200b}b\u{feff}""#),
        ("over\rwritten", r#""over\rwritten""#),
        // Several lines would be written between special quotes, which have no escapes.
        ("say \"a\"\n\u{1b}c\\", r#""say \"a\"\n\u{1b}c\\""#),
        ("a\u{200b}\r\nb", r#""a\u{200b}\r\nb""#),
        ("\u{3164}", r#""\u{3164}""#),
        ("a\u{115f}\u{2800}", r#""a\u{115f}\u{2800}""#),
        // Line ends, tabs and joiners are kept.
        ("a\r\nb", "「a\r\nb」"),
        ("a\tb", "\"a\tb\""),
        ("👩\u{200d}🚀 می\u{200c}خواهم", "\"👩\u{200d}🚀 می\u{200c}خواهم\""),
    ] {
        let json = json!([{ "type": "plan", "content": { "a": value } }]);
        let trace = Trace::from_json(&json).unwrap();
        let text = trace.to_string();
        assert_eq!(text, format!("plan {{\n    a ↦ {written}\n}}\n"));
        assert_eq!(parse(&text).unwrap(), trace);
        let message = json!([{ "type": "user", "content": value, "tags": [value] }]);
        let trace = Trace::from_json(&message).unwrap();
        assert_eq!(parse(&trace.to_string()).unwrap(), trace);
    }
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
