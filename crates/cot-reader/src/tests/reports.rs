//! Replies that were reported of other systems.

use serde_json::{Value, json};

use crate::{Reader, Repair};

fn read(schema: &Value, reply: &str) -> Result<(Value, Vec<Repair>), String> {
    let reader = Reader::new(schema).unwrap().may_be_truncated(true);
    let reading = reader.read(reply).map_err(|error| error.issues.to_string())?;
    Ok((reading.value, reading.repairs))
}

fn ticket() -> Value {
    json!({
        "type": "object",
        "properties": {
            "title": { "type": "string" }, "priority": { "type": "integer" },
            "tags": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["title", "priority"],
    })
}

fn numbers() -> Value {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    json!({ "type": "object", "properties": { "number": list }, "required": ["number"] })
}

#[test]
fn backslashes_that_are_meant_are_kept() {
    for (title, expected) in [
        (r"\frac{1}{2} \beta \nabla \tau \rho", r"\frac{1}{2} \beta \nabla \tau \rho"),
        (r"a \bword\b b", r"a \bword\b b"),
        (r"$a \times b$", r"$a \times b$"),
        (r"5 \text{kg}", r"5 \text{kg}"),
        (r"LIKE '%\_%'", r"LIKE '%\_%'"),
        (r"C:\_tmp\x", r"C:\_tmp\x"),
        (r"\- \* \$ \% \#", r"\- \* \$ \% \#"),
        (r"My\ Documents", r"My\ Documents"),
    ] {
        let reply = format!(r#"{{"title": "{title}", "priority": 2}}"#);
        let (value, repairs) =
            read(&ticket(), &reply).unwrap_or_else(|why| panic!("{title}: {why}"));
        assert_eq!(value["title"], expected);
        assert!(!repairs.is_empty(), "{title}");
    }
    for doubtful in [r"C:\new\table\report.txt", r"\frac{1}{2}\tthe half"] {
        let reply = format!(r#"{{"title": "{doubtful}", "priority": 2}}"#);
        let issues = read(&ticket(), &reply).unwrap_err();
        assert!(issues.contains("write each backslash twice"), "{doubtful}: {issues}");
    }
}

#[test]
fn escapes_that_are_meant_are_no_backslashes() {
    for (title, expected) in [
        (r"Plan A:\nRest and\ttime", "Plan A:\nRest and\ttime"),
        (r"a\tan\tthe\nto", "a\tan\tthe\nto"),
        (r"x\b \f.", "x\u{8} \u{c}."),
        (r"C:\\new\\table", r"C:\new\table"),
        (r"A:\nyes", "A:\nyes"),
    ] {
        let reply = format!(r#"{{"title": "{title}", "priority": 2}}"#);
        let (value, repairs) =
            read(&ticket(), &reply).unwrap_or_else(|why| panic!("{title}: {why}"));
        assert_eq!((value["title"].as_str(), repairs.len()), (Some(expected), 0), "{title}");
    }
}

#[test]
fn thoughts_have_marks_of_many_templates() {
    let draft = r#"A draft {"number": ["9"]}"#;
    let answer = r#"{"number": ["1"]}"#;
    for reply in [
        format!(
            "<|channel|>analysis<|message|>{draft}.<|end|><|start|>assistant<|channel|>final<|message|>{answer}"
        ),
        format!(
            "<|channel|>analysis<|message|>{draft}<|end|><|channel|>final <|constrain|>json<|message|>{answer}<|return|>"
        ),
        format!("analysisWe need numbers, maybe {draft}.assistantfinal{answer}"),
        format!("[THINK]{draft}[/THINK]{answer}"),
        format!("{draft}[/THINK]\n{answer}"),
        format!("◁think▷{draft}◁/think▷{answer}"),
        format!("<seed:think>{draft}</seed:think>{answer}"),
        format!("<|START_THINKING|>{draft}<|END_THINKING|>{answer}"),
    ] {
        let (value, _) = read(&numbers(), &reply).unwrap_or_else(|why| panic!("{reply}: {why}"));
        assert_eq!(value, json!({ "number": ["1"] }), "{reply}");
    }
    let thoughts = format!("<|channel|>analysis<|message|>{draft}<|end|>");
    assert!(read(&numbers(), &thoughts).is_err());
}

#[test]
fn a_call_of_a_tool_is_no_answer() {
    let person = json!({
        "type": "object",
        "properties": { "name": { "type": "string" }, "population": { "type": "integer" } },
        "required": ["name"],
    });
    for reply in [
        "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>",
        "[TOOL_CALLS][{\"name\": \"weather\", \"arguments\": {\"city\": \"Paris\"}}]",
        "<function=weather>{\"name\": \"Paris\"}</function>",
    ] {
        let issues = read(&person, reply).unwrap_err();
        assert!(issues.contains("the marks of a call"), "{reply}: {issues}");
    }
    let (value, _) = read(&person, "I call no <tool>: {\"name\": \"Paris\"}").unwrap();
    assert_eq!(value["name"], "Paris");
}

#[test]
fn json_as_a_text_may_have_the_tag_of_a_call_after_it() {
    let reply = json!({ "json": "{\n \"title\": \"t\",\n \"priority\": 1\n}\n</invoke>" });
    let (value, _) = read(&ticket(), &reply.to_string()).unwrap();
    assert_eq!(value, json!({ "title": "t", "priority": 1 }));
}

#[test]
fn json_between_quotes_may_have_quotes_that_are_not_escaped() {
    for reply in [
        "{\"json\": \"{\\n \"title\": \"a \\\"t\\\"\\n\",\\n \"priority\": 1\\n}\\n</invoke>\"}",
        "{\"json\": \"{\n \"title\": \"a \\\"t\\\"\\n\",\n \"priority\": 1\n}\" }\n",
    ] {
        let (value, repairs) =
            read(&ticket(), reply).unwrap_or_else(|why| panic!("{reply}: {why}"));
        assert_eq!(value, json!({ "title": "a \"t\"\n", "priority": 1 }));
        assert_eq!(repairs.len(), 2, "{repairs:?}");
    }
    let note = json!({ "type": "object", "properties": { "json": { "type": "string" } } });
    let (value, _) = read(&note, r#"{"json": "{"title": "t", "priority": 1}"}"#).unwrap();
    assert_eq!(value, json!({ "json": r#"{"title": "t", "priority": 1}"# }));
}

#[test]
fn an_integer_that_no_number_holds_is_not_rounded_in_silence() {
    let count = json!({ "type": "object", "properties": { "count": { "type": "integer" } } });
    let issues = read(&count, r#"{"count": 99999999999999999999}"#).map(|(value, _)| value);
    assert!(issues.is_err(), "{issues:?}");
    let (value, _) = read(&count, r#"{"count": 18446744073709551615}"#).unwrap();
    assert_eq!(value["count"], u64::MAX);
}

#[test]
fn a_valid_part_is_not_changed_by_a_mistake_elsewhere() {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let list = json!({
        "type": "object",
        "properties": { "lines": strings, "n": { "type": "integer" } },
        "required": ["lines"],
    });
    let texts =
        [r#""a,", "", "b""#, r#"",", ", ", "b""#, r#""a", ",", "}, {""#, r#"":", "], [", "\\","""#];
    for texts in texts {
        let expected: Value = serde_json::from_str(&format!("[{texts}]")).unwrap();
        for reply in [
            format!("{{\"lines\": [{texts}], \"n\": 1,}}"),
            format!("{{\"lines\": [{texts}] /* all */, \"n\": 0x1}}"),
            format!("{{\"lines\": [{texts}] \"n\": 1}}"),
            format!("{{lines: [{texts}], \"n\": 1}}"),
            format!("{{\"lines\": [{texts}], 'n': 1}}"),
            format!("{{\"lines\": [{texts}], n\": 1}}"),
            format!("{{\"n\": 1, \"lines\": [{texts}], \"note\": \"so \"it\" is\"}}"),
        ] {
            let (value, _) = read(&list, &reply).unwrap_or_else(|why| panic!("{reply}: {why}"));
            assert_eq!(value["lines"], expected, "{reply}");
        }
    }
}

#[test]
fn a_text_is_not_cut_at_its_commas() {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    for (reply, texts) in [
        (r#"["No, "thanks""]"#, json!(["No, \"thanks\""])),
        (r#"["a", "No, "thanks"", "b"]"#, json!(["a", "No, \"thanks\"", "b"])),
        (r#"["well, "yes", he said"]"#, json!(["well, \"yes\", he said"])),
        (r#"["a", ""yes", "no""]"#, json!(["a", "\"yes\", \"no\""])),
        (r#"["a, "b"]"#, json!(["a", "b"])),
    ] {
        let (value, _) = read(&list, reply).unwrap_or_else(|why| panic!("{reply}: {why}"));
        assert_eq!(value, texts, "{reply}");
    }
    for unclear in [
        r#"["high", $1,299.99, "x"]"#,
        r#"["high", 1,299, "x"]"#,
        r#"["high", 1,299.99, "x"]"#,
        r#"["a", No, thanks, "b"]"#,
        r#"["a", """]"#,
    ] {
        let issues = read(&list, unclear).map(|(value, _)| value).unwrap_err();
        assert!(issues.contains("quote"), "{unclear}: {issues}");
        assert!(!issues.contains("breaks off"), "{unclear}: {issues}");
    }
    let (value, _) = read(&list, "[101,102,103]").unwrap();
    assert_eq!(value, json!(["101", "102", "103"]));
}
