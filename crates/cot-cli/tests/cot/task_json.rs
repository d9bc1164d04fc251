//! The output and exit status of `cot task json` and `cot task from-json`.

use serde_json::{Value, json};

use super::{FINE, STRAY, cot, file, report};

#[test]
fn a_trace_is_shown_as_json_and_written_from_it() {
    let path = file("view.task", FINE);
    let (view, code) = report(&["task", "json", &path], "");
    assert_eq!((&view[2]["type"], &view[2]["tags"], code), (&json!("user"), &json!(["usr1"]), 0));
    assert_eq!(view[4]["content"]["call"]["$value"]["at"], "here");

    let back = cot(&["task", "from-json", "-"], view.to_string());
    assert_eq!((back.out.as_str(), back.err.as_str(), back.code), (FINE, "", 0));
    let marked = cot(&["task", "from-json", "-"], format!("\u{feff}{view}"));
    assert_eq!((marked.out.as_str(), marked.code), (FINE, 0));
}

#[test]
fn the_deepest_trace_is_written_from_its_view() {
    let level = "{ a ↦ 1 • a ↦ ";
    // The object of the structure is the first level; each one has marks and a repeated key.
    let text = format!("act {}x{} ※ b\n", level.repeat(64), " } ※ b".repeat(63) + " }");
    let formatted = cot(&["task", "fmt", "-"], &text);
    assert_eq!((formatted.err.as_str(), formatted.code), ("", 0));
    let view = cot(&["task", "json", "-"], &text).out;
    let back = cot(&["task", "from-json", "-"], view);
    assert_eq!((back.err.as_str(), back.code), ("", 0));
    assert_eq!(back.out, formatted.out);

    let deeper = cot(&["task", "from-json", "-"], "[".repeat(1_000_000));
    assert_eq!((deeper.out.as_str(), deeper.code), ("", 1));
    assert!(deeper.err.starts_with("error: recursion limit exceeded"), "{}", deeper.err);
}

#[test]
fn nothing_is_a_trace_of_nothing() {
    assert_eq!(report(&["task", "json", "-"], ""), (json!([]), 0));
    assert_eq!(cot(&["task", "from-json", "-"], "[]").out, "");
}

#[test]
fn each_file_has_a_line_and_what_is_wrong_has_none() {
    let (fine, stray) = (file("view_fine.task", FINE), file("view_stray.task", STRAY));
    let wrong = file("view_wrong.task", "plan {");
    let ended = cot(&["task", "json", &stray, &wrong, &fine], "");
    let views: Vec<Value> =
        ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((views.len(), ended.code), (2, 1));
    assert_eq!((&views[0][0]["type"], views[1].as_array().unwrap().len()), (&json!("system"), 7));
    for said in ["warning[stray_text]", "error[unclosed_object]"] {
        assert!(ended.err.contains(said), "{}", ended.err);
    }
    assert_eq!(cot(&["task", "json", &stray], "").code, 0);
}

#[test]
fn several_views_are_written_one_after_another() {
    let one = file("one.json", r#"[{"type": "user", "content": "a"}]"#);
    let two = file("two.json", r#"[{"type": "user", "content": "b"}]"#);
    let ended = cot(&["task", "from-json", &one, &two], "");
    assert_eq!((ended.out.as_str(), ended.code), ("user「a」\n\nuser「b」\n", 0));
}

#[test]
fn json_that_is_no_view_is_refused_with_its_path() {
    for (json, said) in [
        ("{}", "standard input is not the JSON of a trace: $: is not an array"),
        (r#"[{"type": "plan"}]"#, "$[0].content: is missing"),
        (r#"[{"type": "paln", "content": {}}]"#, "$[0].type: "),
        (r#"[{"type": "user", "content": {}}]"#, "$[0].content: is an object, not a text"),
        (
            r#"[{"type": "act", "content": {"a": {"$value": 1, "tags": [2]}}}]"#,
            "$[0].content.a.tags: ",
        ),
        (
            r#"[{"type": "act", "content": {"a": {"$value": 1, "tag": "x"}}}]"#,
            "$[0].content.a.tag: ",
        ),
    ] {
        let ended = cot(&["task", "from-json", "-"], json);
        assert_eq!((ended.out.as_str(), ended.code), ("", 1), "{json}");
        assert!(ended.err.contains(said), "{json}: {}", ended.err);
    }
}

#[test]
fn what_is_no_json_is_shown_where_it_is_none() {
    for (json, what, place) in [
        ("[\n  {\"type\": \"日本\",}\n]", "error: trailing comma", "standard input:2:17\n"),
        ("", "error: EOF while parsing a value", "standard input:1:1\n"),
        ("[]\n[]", "error: trailing characters", "standard input:2:1\n"),
        ("[\"a\nb\"]", "error: control character", "standard input:2:1\n"),
    ] {
        let ended = cot(&["task", "from-json", "-"], json);
        assert_eq!((ended.out.as_str(), ended.code), ("", 1), "{json}");
        assert!(ended.err.starts_with(what), "{json}: {}", ended.err);
        assert!(ended.err.contains(place), "{json}: {}", ended.err);
    }
}
