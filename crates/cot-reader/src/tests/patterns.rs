//! Patterns of mistakes, each read for a closed schema: as the only possible value, or rejected with an
//! issue that says what to correct.

use serde_json::{Value, json};

use crate::reader::Reader;

/// A closed object with these optional properties.
fn closed(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn record() -> Value {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": ["number", "null"] }));
    let texts = json!({ "type": "array", "items": text });
    let numbers = json!({ "type": "array", "items": { "type": "integer" } });
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    closed(&json!({
        "a": text, "b": number, "items": texts, "numbers": numbers, "map": map,
        "due_date": text, "summary": { "type": ["string", "null"] }, "country": text,
    }))
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn rows() -> Value {
    json!({ "type": "array", "items": closed(&json!({ "a": { "type": "integer" } })) })
}

#[track_caller]
fn reads(schema: &Value, cases: &[(&str, Value)]) {
    let reader = Reader::new(schema).unwrap().may_be_truncated(true);
    for (reply, value) in cases {
        let read = reader.read(reply).map(|reading| reading.value);
        assert_eq!(read.as_ref().ok(), Some(value), "{reply}: {read:?}");
    }
}

/// Asserts that each reply is rejected with this issue.
#[track_caller]
fn refuses(schema: &Value, cases: &[(&str, &str)]) {
    let reader = Reader::new(schema).unwrap().may_be_truncated(true);
    for (reply, issue) in cases {
        match reader.read(reply) {
            Ok(reading) => panic!("{reply} was read as {}", reading.value),
            Err(unreadable) => {
                let issues = unreadable.issues.to_string();
                assert!(issues.contains(issue), "{reply}: {issues}");
            }
        }
    }
}

const TWICE: &str = "write each backslash twice";
const LEFT_OUT: &str = "give all of it";
const UNCLEAR: &str = "it is not clear where";

#[test]
fn backslashes_that_are_no_escapes() {
    reads(
        &record(),
        &[
            (r#"{"a":"C:\temp\x"}"#, json!({ "a": r"C:\temp\x" })),
            (r#"{"a":"$\alpha + \beta$"}"#, json!({ "a": r"$\alpha + \beta$" })),
            (r#"{"a":"\frac{1}{2} \times \sigma"}"#, json!({ "a": r"\frac{1}{2} \times \sigma" })),
            (r#"{"a":"\\server\share\new"}"#, json!({ "a": r"\\server\share\new" })),
            (r#"{"a":"^\d+\.\d"}"#, json!({ "a": r"^\d+\.\d" })),
            (r#"{"a":"\d", "country":"C:\temp"}"#, json!({ "a": r"\d", "country": r"C:\temp" })),
            // Valid replies are unchanged.
            (r#"{'a':"one\n\ttwo"}"#, json!({ "a": "one\n\ttwo" })),
        ],
    );
    refuses(
        &record(),
        &[
            (r#"{"a":"\d+ and\nmore"}"#, TWICE),
            (r#"{"a":"\alpha\tb"}"#, TWICE),
            (r#"{"a":"\d \\ x"}"#, TWICE),
        ],
    );
}

#[test]
fn what_is_left_out() {
    refuses(
        &record(),
        &[
            (r#"{"numbers": [1, 2, ..., 10]}"#, LEFT_OUT),
            (r#"{"numbers": [1, 2, …]}"#, LEFT_OUT),
            ("{\"items\": [\"x\", // ... rest of the items\n]}", LEFT_OUT),
            (r#"{"items": ["x" /* ... */]}"#, LEFT_OUT),
            (r#"{"a": "x", ...}"#, LEFT_OUT),
            (r#"{"a": ...}"#, UNCLEAR),
            (r#"{"a": "x", "note": "y"}"#, "$.note: unknown key, which would be left out"),
            ("{\"items\": [\n \"Smith, John\"", "the reply breaks off here"),
            (r#"{"items": ["x", fa"#, "the reply breaks off here"),
        ],
    );
    reads(&record(), &[(r#"{"a": "x", "note": null}"#, json!({ "a": "x" }))]);
    let half = Reader::new(&record()).unwrap().read(r#"{"items": ["x", fa"#);
    assert!(half.unwrap_err().issues.to_string().contains("half a literal"));
}

#[test]
fn quotes_of_two_kinds() {
    reads(
        &record(),
        &[
            (r#"{"a": "open”, "b": 1}"#, json!({ "a": "open", "b": 1 })),
            (r#"{"a": "open”}"#, json!({ "a": "open" })),
            (r#"{"items": ["open”, "x"]}"#, json!({ "items": ["open", "x"] })),
            (r#"{"a”: "x"}"#, json!({ "a": "x" })),
            (r#"{"a": "“so” it is”, "b": 1}"#, json!({ "a": "“so” it is", "b": 1 })),
            (r#"{"a": "“so” it is", "b": 1,}"#, json!({ "a": "“so” it is", "b": 1 })),
        ],
    );
}

#[test]
fn values_in_a_row() {
    let one = json!({ "a": 1 });
    let twice = json!([one, one]);
    reads(
        &rows(),
        &[
            ("{\"a\":1}\n{\"a\":1}", twice.clone()),
            ("{\"a\":1},\n{\"a\":1}", twice),
            ("{\"a\":1}\n{\"a\":1}\n{\"a\":2}", json!([one, one, { "a": 2 }])),
            ("Here they are:\n{\"a\":1}\n{\"a\":2}\nDone.", json!([one, { "a": 2 }])),
        ],
    );
    refuses(&rows(), &[("Here:\n{\"a\":1}\n{\"a\":1}\nDone.", "different JSON values")]);
    // If a single object is expected, it was repeated.
    let object = closed(&json!({ "a": { "type": "integer" } }));
    reads(&object, &[("{\"a\":1}\n{\"a\":1}", one)]);
}

#[test]
fn texts_without_quotes() {
    refuses(
        &record(),
        &[
            (r#"{"items": ["Yes", No, thanks", "x"]}"#, UNCLEAR),
            (r#"{"items": ["Yes", No, thanks, "x"]}"#, UNCLEAR),
            (r#"{"a": /* keep */ this"}"#, UNCLEAR),
            (r#"{"items": [(see below)]}"#, UNCLEAR),
            (r#"{"a": (see below)}"#, UNCLEAR),
            (r#"{"a": x = 1;, "b": 1}"#, UNCLEAR),
        ],
    );
}

#[test]
fn quotes_inside_texts() {
    refuses(
        &record(),
        &[
            (r#"{"items": ["The 5" and 7", both"]}"#, UNCLEAR),
            (r#"{"items": [""No", thanks"]}"#, UNCLEAR),
        ],
    );
    reads(
        &record(),
        &[
            (r#"{"a": ""Order" #4521", "b": 1}"#, json!({ "a": "\"Order\" #4521", "b": 1 })),
            (r"{'items': ['Don't stop believin'']}", json!({ "items": ["Don't stop believin'"] })),
        ],
    );
}

#[test]
fn punctuation_of_full_width() {
    reads(
        &record(),
        &[
            (r#"{"summary": null， "b": 1}"#, json!({ "summary": null, "b": 1 })),
            (r#"{"a"： "x"， "b"：1}"#, json!({ "a": "x", "b": 1 })),
            (r#"{"items": ["x"，"y"]}"#, json!({ "items": ["x", "y"] })),
            (r#"{"a": "早上好，世界", 'b': 1}"#, json!({ "a": "早上好，世界", "b": 1 })),
        ],
    );
    refuses(&record(), &[(r#"{"a": "他说"好"，然后走了"}"#, UNCLEAR)]);
}

#[test]
fn numbers_that_may_be_others() {
    refuses(
        &record(),
        &[
            ("{\"numbers\": [4,\u{2060}078]}", "within a number"),
            ("{\"numbers\": [4,078]}", "digits after a zero"),
            (r#"{"b": 010}"#, "digits after a zero"),
        ],
    );
    reads(
        &record(),
        &[
            (r#"{"b": NumberLong("2")}"#, json!({ "b": 2 })),
            (r#"{"b": 5n}"#, json!({ "b": 5 })),
            (r#"{"b": 1,234, "a": "x"}"#, json!({ "b": 1234, "a": "x" })),
        ],
    );
}

#[test]
fn prose_that_would_be_dropped() {
    refuses(
        &texts(),
        &[
            ("the list [1, 2\"] more", "no JSON"),
            ("[a, b] is the output.", ""),
            ("see [1] and [2]", ""),
        ],
    );
    let source = json!({ "type": "object", "properties": { "source": { "type": "string" } } });
    let part = "id: \"test\"\nlang: \"en\"\nresult {source: \"agent\"}";
    refuses(&source, &[(part, "answer with one JSON object")]);
    refuses(&json!({ "type": "string" }), &[("see [1]", "")]);
}

#[test]
fn texts_and_numbers_that_stand_alone() {
    reads(
        &json!({ "type": "string" }),
        &[
            (r#""He said "yes", and left.""#, json!("He said \"yes\", and left.")),
            (r#""a"+"b""#, json!("ab")),
            (r#"callback("x");"#, json!("x")),
            ("```json\n\"f(x) = y[0]\"\n```", json!("f(x) = y[0]")),
        ],
    );
    reads(
        &json!({ "type": "integer" }),
        &[("4,", json!(4)), (r#"NumberLong("2")"#, json!(2)), ("4;", json!(4))],
    );
    refuses(&json!({ "type": "string" }), &[(r#""a" or "b""#, "no JSON")]);
}

#[test]
fn what_can_mean_one_thing_alone() {
    reads(
        &record(),
        &[
            (r#"{"map": {5: "b", null: "n"}}"#, json!({ "map": { "5": "b", "null": "n" } })),
            (r#"{"a": "x", "summary"null}"#, json!({ "a": "x", "summary": null })),
            (r#"{"b": 1112954"due_date": "x"}"#, json!({ "b": 1_112_954, "due_date": "x" })),
            (r#"{"items": ["x"]; "country": "y"}"#, json!({ "items": ["x"], "country": "y" })),
            (
                r#"{"a" => "x", "items" => ["y"], "b" => 1}"#,
                json!({ "a": "x", "items": ["y"], "b": 1 }),
            ),
            ("{&quot;a&quot;: &quot;x &amp; y&quot;}", json!({ "a": "x & y" })),
            (r#""a": "x", "b": 1}"#, json!({ "a": "x", "b": 1 })),
            (r#"{"items": ["x"]], "b": 1}"#, json!({ "items": ["x"], "b": 1 })),
            (r#"{"items": ["x", "b": 1}"#, json!({ "items": ["x"], "b": 1 })),
        ],
    );
    reads(&texts(), &[("```\n[k1, k-2]\n```", json!(["k1", "k-2"]))]);
}
