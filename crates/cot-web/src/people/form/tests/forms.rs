//! Single forms.

use cot_schema::Issues;
use serde_json::{Value, json};

use super::{
    super::{
        action::Action,
        entered::Entered,
        form::{Form, FormIssues},
    },
    browser::posted,
};

fn post(pairs: &[(&str, &str)]) -> Entered {
    Entered::from_pairs(pairs.iter().copied())
}

fn html(form: &Form<'_>, entered: &Entered) -> String {
    form.show(entered, &FormIssues::default()).fields.into_string()
}

#[test]
fn fields_that_are_left_empty_are_reported_where_they_are() {
    let schema = json!({ "type": "object", "required": ["name", "items"], "properties": {
        "name": { "type": "string" },
        "items": { "type": "array", "items": { "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } } },
    } });
    let form = Form::new(&schema);
    let pairs = [
        ("is:/", "here"),
        ("v:/name/", ""),
        ("is:/items/", "here"),
        ("rows:/items/", "2"),
        ("is:/items/0/", "here"),
        ("v:/items/0/n/", "x1"),
        ("is:/items/1/", "here"),
        ("v:/items/1/n/", ""),
    ];
    let entered = post(&pairs);
    let check = |value: &Value| {
        assert_eq!(value, &json!({ "items": [{ "n": "x1" }, {}] }));
        let mut issues = Issues::new();
        issues.push("$", "`name` is required");
        issues.push("$.items[0].n", "must be a whole number");
        issues.push("$.items[1]", "`n` is required");
        issues.push("elsewhere", "is odd");
        Err(issues)
    };
    let issues = form.read(&entered, check).unwrap_err();
    let shown = form.show(&entered, &issues);
    let summary = shown.summary.unwrap().into_string();
    for line in [
        r##"<a href="#field-name">Name: is required</a>"##,
        r##"<a href="#field-items-0-n">Items › 1 › N: must be a whole number</a>"##,
        r##"<a href="#field-items-1-n">Items › 2 › N: is required</a>"##,
        "<li>$.elsewhere: is odd</li>",
    ] {
        assert!(summary.contains(line), "{line} in {summary}");
    }
    assert_eq!(summary.matches("<li>").count(), 4, "{summary}");
    let fields = shown.fields.into_string();
    assert!(fields.contains(r#"id="field-items-0-n" name="v:/items/0/n/" type="text" inputmode="decimal" value="x1""#), "{fields}");
    assert!(
        fields.contains(
            r#"aria-describedby="field-items-0-n-issues field-items-0-n-hint" aria-invalid="true""#
        ),
        "{fields}"
    );
}

#[test]
fn rows_variants_and_optional_values_need_no_script() {
    let schema = json!({ "type": "object", "required": ["list"], "properties": {
        "list": { "type": "array", "items": { "oneOf": [
            { "type": "object", "required": ["kind", "to"], "properties": { "kind": { "const": "mail" }, "to": { "type": "string" } } },
            { "type": "object", "required": ["kind"], "properties": { "kind": { "const": "none" } } },
        ] } },
        "more": { "type": "object", "properties": { "x": { "type": "string" } } },
    } });
    let form = Form::new(&schema);
    let mut entered = Entered::default();
    for button in ["add:/list/", "add:/list/", "open:/more/"] {
        entered = reposted(&form, &entered);
        Action::parse(button).unwrap().apply(&form, &mut entered);
    }
    let page = html(&form, &entered);
    assert!(page.contains(r#"value="remove:/list/1/""#) && page.contains("v:/more/x/"), "{page}");
    let mut pairs = posted(&form.show(&entered, &FormIssues::default()).fields.into_string());
    pairs.push(("as:/list/0/".to_owned(), "0".to_owned()));
    pairs.push(("as:/list/1/".to_owned(), "1".to_owned()));
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    entered = post(&pairs);
    Action::Switch.apply(&form, &mut entered);
    assert!(html(&form, &entered).contains("v:/list/0/~v/to/"));
    Action::parse("remove:/list/0/").unwrap().apply(&form, &mut entered);
    Action::parse("close:/more/").unwrap().apply(&form, &mut entered);
    let value = form.read(&reposted(&form, &entered), |_| Ok(())).unwrap();
    assert_eq!(value, json!({ "list": [{ "kind": "none" }] }));
}

/// Shows a form and posts it as it is.
fn reposted(form: &Form<'_>, entered: &Entered) -> Entered {
    let pairs = posted(&form.show(entered, &FormIssues::default()).fields.into_string());
    Entered::from_pairs(pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

#[test]
fn defaults_are_entered_once() {
    let schema = json!({ "type": "object", "properties": {
        "n": { "type": "integer", "default": 3 },
        "l": { "type": "array", "items": { "type": "string" }, "default": ["x", "y"] },
        "b": { "type": "boolean", "default": true },
    } });
    let form = Form::new(&schema);
    let new = reposted(&form, &Entered::default());
    assert_eq!(form.read(&new, |_| Ok(())).unwrap(), json!({ "n": 3, "l": ["x", "y"], "b": true }));
    let mut changed = new;
    Action::parse("close:/l/").unwrap().apply(&form, &mut changed);
    let read = form.read(&reposted(&form, &reposted(&form, &changed)), |_| Ok(())).unwrap();
    assert_eq!(read, json!({ "n": 3, "b": true }));
}

#[test]
fn answers_can_be_edited_as_json() {
    let schema = json!({ "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } });
    let form = Form::new(&schema);
    let mut entered = form.fill(&json!({ "n": 5 }));
    Action::ToJson.apply(&form, &mut entered);
    assert!(Form::is_json(&entered) && html(&form, &entered).contains("json:/"));
    let broken = post(&[("json:/", "{ \"n\": \n x }")]);
    let issues = form.read(&broken, |_| Ok(())).unwrap_err();
    let summary = form.show(&broken, &issues).summary.unwrap().into_string();
    assert!(summary.contains("is not JSON: expected value at line 2 column 2"), "{summary}");
    Action::ToFields.apply(&form, &mut entered);
    assert_eq!(form.read(&entered, |_| Ok(())).unwrap(), json!({ "n": 5 }));
}

#[test]
fn an_empty_text_has_to_be_meant() {
    let schema =
        json!({ "type": "object", "required": ["t"], "properties": { "t": { "type": "string" } } });
    let form = Form::new(&schema);
    let empty = post(&[("is:/", "here"), ("v:/t/", "")]);
    let issues = form.read(&empty, |_| Ok(())).unwrap_err();
    assert!(
        form.show(&empty, &issues).fields.into_string().contains(r#"name="is:/t/" value="empty""#)
    );
    let meant = post(&[("is:/", "here"), ("v:/t/", ""), ("is:/t/", "empty")]);
    assert_eq!(form.read(&meant, |_| Ok(())).unwrap(), json!({ "t": "" }));
}

#[test]
fn entries_need_different_names() {
    let schema = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let form = Form::new(&schema);
    let entries = |second: &str| {
        post(&[
            ("is:/", "here"),
            ("rows:/~x/", "2"),
            ("key:/~x/0/", "a"),
            ("v:/~x/0/~v/", "1"),
            ("key:/~x/1/", second),
            ("v:/~x/1/~v/", "2"),
        ])
    };
    assert_eq!(form.read(&entries("b"), |_| Ok(())).unwrap(), json!({ "a": 1, "b": 2 }));
    assert!(form.read(&entries("a"), |_| Ok(())).is_err());
}

#[test]
fn markup_in_schemas_and_answers_is_text() {
    let bad = "\"><script>alert(1)</script>\u{202e}";
    let schema = json!({ "type": "object", "required": [bad], "properties": { bad: {
        "description": bad, "title": bad, "enum": [bad, "b"],
    } } });
    let form = Form::new(&schema);
    let shown = form.show(&form.fill(&json!({ bad: bad })), &FormIssues::default());
    let html = shown.fields.into_string();
    assert!(!html.contains("<script>") && !html.contains(r#""">"#), "{html}");
}
