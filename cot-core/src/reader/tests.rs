use proptest::prelude::*;
use serde_json::json;

use super::*;

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
    assert_eq!(message("42"), "$: the reply is a number alone; answer with one JSON object");
    assert_eq!(
        message("{\"a\": 1} or {\"a\": 2}"),
        "$: the reply holds 2 different JSON values; answer with one alone"
    );
    assert_eq!(
        message("Here:\n```json\n  {\"a\": 1,}\n```"),
        "$: the JSON is malformed at line 3, column 11 of the reply: trailing comma; \
         answer with one JSON object"
    );
}

#[test]
fn takes_no_part_of_broken_json_for_the_whole() {
    for reply in [
        r#"{"fields": [{"name": "a"}, {"name": "b"#,
        "```json\n{\"fields\": [{\"name\": \"a\"},\n```",
        r#"[{"name": "a"}, {"name""#,
    ] {
        assert!(message(reply).contains("breaks off at line"), "{reply}: {}", message(reply));
    }
}

#[test]
fn hostile_replies_take_linear_time() {
    // Anything worse than linear would not come to an end here.
    let long = 1_000_000;
    for reply in [
        "{".repeat(long),
        "[".repeat(long),
        "{}".repeat(long),
        "{\"a\":".repeat(long),
        "[{]}".repeat(long),
        "<think>".repeat(long),
        "```{".repeat(long),
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
        prop_assert_eq!(read(&format!("{before}{object}{after}")), Ok(object));
    }
}
