//! Examples of replies and their readings.

use cot_schema::Issues;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Reader, parse::has_odd_escapes};

mod echoes;
mod fits;
mod found;
mod mistakes;
mod patterns;
mod recorded;
mod reports;

fn read(text: &str) -> Result<Value, Issues> {
    let read = Reader::any().may_be_truncated(true).read(text);
    read.map(|read| read.value).map_err(|unreadable| unreadable.issues)
}

fn message(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn finds_json_wherever_it_is() {
    let object = json!({ "name": "a{b", "list": [1, 2] });
    let text = r#"{"name": "a{b", "list": [1, 2]}"#;
    for reply in [
        format!(" {text}\n"),
        format!("Sure, see [1]:\n```json\n{text}\n```\nDone."),
        format!("<think>maybe {{\"x\": 1}}</think>\n{text}"),
        format!("maybe {{\"x\": 1}} </think>{text}"),
        format!("<thinking>hm {{</thinking> here it is: {text}."),
        format!("Write a {{ first, then {text}"),
        format!("{text}\n\nOnce more: {text}"),
        format!("{{not json}} but \"{text}\""),
        format!("a ] stray }} bracket {text}"),
    ] {
        assert_eq!(read(&reply), Ok(object.clone()), "{reply}");
    }
    assert_eq!(read("the list: [1, 2]"), Ok(json!([1, 2])));
}

#[test]
fn says_what_came_instead() {
    assert_eq!(message(" \n"), "$: the reply is empty; answer with one JSON object");
    assert_eq!(message("I can't."), "$: the reply holds no JSON; answer with one JSON object");
    assert_eq!(
        message("{\"a\": 1} or {\"a\": 2}"),
        "$: the reply holds 2 different JSON values; answer with one alone"
    );
}

#[test]
fn takes_no_part_of_broken_json_for_the_whole() {
    for (reply, path) in [
        (r#"{"fields": [{"name": "a"}, {"name": "b"#, "$.fields[1].name"),
        ("```json\n{\"fields\": [{\"name\": \"a\"},\n```", "$.fields"),
        (r#"[{"name": "a"}, {"name""#, "$[1]"),
    ] {
        assert!(message(reply).starts_with(path), "{reply}: {}", message(reply));
    }
}

#[test]
fn takes_no_example_for_an_answer() {
    for reply in [
        "I could say {\"intent\":\"stop\",\"goTo\":\"done\",\"stepAfter\":\"none\"} but a field is \
         missing, so:\n{\"intent\":\"add a date\",\"goTo\":\"add\",\"stepAfter\":\"done\",}",
        "A wrong one would be {\"name\":\"WRONG\",\"size\":1}. The answer:\n\
         ```json\n{'name':'right','size':2}\n```",
        r#"{"name":"WRONG"} is wrong; [{name : "right"}] is not."#,
        r#"{"a": 1} and {a: 1, {not json, but long enough}}"#,
    ] {
        assert!(read(reply).is_err(), "{reply}: {:?}", read(reply));
    }
}

#[test]
fn reads_an_object_beside_brackets_in_prose() {
    for prose in ["{not json}", "{x}", "[x]", "{a, b}", "{", "[see: {x}]", "{\n:}", "{…}"] {
        let reply = format!("{{\"a\": 1}} as {prose}");
        assert_eq!(read(&reply), Ok(json!({ "a": 1 })), "{reply}");
    }
}

#[test]
fn refuses_a_key_given_twice() {
    let twice = r#"{"intent":"a","goTo":"add","goTo":"done","stepAfter":"b"}"#;
    let issue = "$.goTo: `goTo` is given twice; give each field once";
    assert_eq!(message(twice), issue);
    assert_eq!(message(&format!("Here: {twice}.")), issue);
    assert_eq!(message(&format!("Not {{\"a\": 1}} but {twice}.")), issue);
    assert_eq!(
        message(r#"{"fields": [{}, {"name": {"a": 1, "\u0061": 2}}]}"#),
        "$.fields[1].name.a: `a` is given twice; give each field once"
    );
    let odd = r#"{"a b": [{"": 1, "": 2}]}"#;
    assert!(message(odd).starts_with(r#"$["a b"][0][""]: `` is given twice"#), "{}", message(odd));
    let long = "k".repeat(10_000);
    assert!(message(&format!("{{\"{long}\": 1, \"{long}\": 2}}")).len() < 300);
}

#[test]
fn reads_values_as_serde_json_does() {
    for text in [
        r#"{"z": [0, -0, -0.0, 1e2, 0.1, 1.0, 3.141592653589793238, 5e-324, 1e308]}"#,
        r#"{"z": [18446744073709551615, 18446744073709551616, -9223372036854775808]}"#,
        r#"{"z": null, "a": [true, false, {}], "m": "\ud83d\ude00\n", "": {"z": 1}}"#,
    ] {
        let expected: Value = serde_json::from_str(text).unwrap();
        assert_eq!(read(text).unwrap().to_string(), expected.to_string());
    }
    let deep = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&deep(128)).is_ok());
    assert!(message(&deep(129)).contains("128"), "{}", message(&deep(129)));
}

#[test]
fn keeps_an_answer_before_a_stray_closing_tag() {
    for reply in [
        "{\"a\": 1}\n</think>",
        "{\"a\": 1}</thinking> See {x} and [1].",
        "{\"b\": 1}</think>{\"a\": 1}</think> {not json}",
        "{\"b\": 1,</think>{\"a\": 1}",
        "{\"b\": 1}</think> [1] </think> {\"a\": 1}",
    ] {
        assert_eq!(read(reply), Ok(json!({ "a": 1 })), "{reply}");
    }
    assert_eq!(read("{\"a\": 1} </think> {'a': 2}"), Ok(json!({ "a": 2 })));
}

#[test]
fn hostile_replies_take_linear_time() {
    // An algorithm that is not linear would take minutes.
    let long = 60_000;
    for reply in [
        "{".repeat(long),
        "[".repeat(long),
        "{}".repeat(long),
        "{\"a\":".repeat(long),
        "[{]}".repeat(long),
        "<think>".repeat(long),
        "```{".repeat(long),
        "{a".repeat(long),
        "{'".repeat(long),
        "{} </think>".repeat(long),
        "{\"a\":1,}".repeat(long),
        "[ ".repeat(long) + "</think>",
        format!("{{{}", "a".repeat(long)).repeat(10),
        "{ ".repeat(long),
        "{\"\\".repeat(long),
        (0..long).map(|i| format!("[{i}]")).collect(),
        format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{{\"a\": \"{}\"}} and no more", "x".repeat(10 * long)),
    ] {
        let _ = read(&reply);
    }
}

proptest! {
    #[test]
    fn never_panics(text in "(?s).{0,200}", brackets in r#"[{}\[\]"\\`<>/a-c:,\n ]{0,60}"#) {
        let _ = read(&text);
        let _ = read(&brackets);
    }

    #[test]
    fn finds_an_object_in_prose(
        before in r"[^{}\[\]<`]{0,80}",
        after in r"[^{}\[\]<`]{0,80}",
        key in ".{0,10}",
        text in ".{0,40}",
    ) {
        let object = json!({ key: [text, 1, null] });
        prop_assume!(!has_odd_escapes(&object.to_string()));
        prop_assert_eq!(read(&format!("{before}{object}{after}")), Ok(object));
    }
}

#[test]
fn numbers_for_texts_are_taken_as_they_are_written_or_not_at_all() {
    let text = json!({ "type": "string" });
    let schema = json!({ "type": "object", "properties": { "v": text, "w": text } });
    let reader = Reader::new(&schema).expect("a schema");
    for written in ["42", "-5", "1.5", "7.0"] {
        let reading = reader.read(&format!("{{\"v\": {written}}}")).expect(written);
        assert_eq!(reading.value, json!({ "v": written }));
    }
    let lossy = ["1.10", "1e5", "12345678901234567890123", "+4179123", "1_000", "0x1F", ".5"];
    for written in lossy {
        let reply = format!("{{\"w\": 7, \"v\": {written}}}");
        let issues = reader.read(&reply).expect_err(written).issues.to_string();
        assert!(issues.contains("$.v: is a number where a text is wanted"), "{written}: {issues}");
    }
}
