//! Numbers, booleans, strings, null and the options of enums.

use serde_json::json;

use super::{issues, keeps, pairs_under, reads, refuses, under, with};

#[test]
fn integers() {
    let pairs = [
        (json!("1"), json!(1)),
        (json!(" 42 "), json!(42)),
        (json!("-7"), json!(-7)),
        (json!("2.0"), json!(2)),
        (json!(2.0), json!(2)),
        (json!("1,234"), json!(1234)),
        (json!("1 234 567"), json!(1_234_567)),
        (json!("82_461_110"), json!(82_461_110)),
        (json!("50%"), json!(50)),
        (json!("1e3"), json!(1000)),
        (json!("9007199254740993"), json!(9_007_199_254_740_993_u64)),
        (json!(["5"]), json!(5)),
        (json!({ "value": "5" }), json!(5)),
        (json!({ "reply": "5" }), json!(5)),
        (json!("\"5\""), json!(5)),
        (json!("**5**"), json!(5)),
    ];
    reads(&with(&json!({ "type": "integer" })), &pairs_under(&pairs));
    reads(&json!({ "type": "integer" }), &pairs);
}

#[test]
fn what_is_no_integer() {
    let given = [
        json!("five"),
        json!("2.7"),
        json!(2.7),
        json!("1.1.1"),
        json!("10-20"),
        json!("5 km"),
        json!("$5"),
        json!("about 5"),
        json!("5'"),
        json!("1.000"),
        json!("-12.000"),
        json!("5k"),
        json!(""),
        json!(true),
        json!(null),
        json!({}),
        json!([]),
        json!([1, 2]),
        json!({ "cents": 500 }),
        json!("123456789012345678901234567890x"),
    ];
    refuses(&with(&json!({ "type": "integer" })), &under(&given));
    refuses(&json!({ "type": "integer" }), &given);
}

#[test]
fn numbers() {
    let pairs = [
        (json!("2.5"), json!(2.5)),
        (json!("1,5"), json!(1.5)),
        (json!("1,234.5"), json!(1234.5)),
        (json!("1.234,5"), json!(1234.5)),
        (json!("1'234.5"), json!(1234.5)),
        (json!("1.5e3"), json!(1500.0)),
        (json!("1_234.5_6"), json!(1234.56)),
        (json!("12.5%"), json!(12.5)),
    ];
    reads(&with(&json!({ "type": "number" })), &pairs_under(&pairs));
    refuses(
        &json!({ "type": "number" }),
        &[json!("nope"), json!("NaN"), json!("inf"), json!(false), json!("1/2"), json!("1e999")],
    );
    keeps(&json!({ "type": "number" }), &[json!(2.0), json!(1), json!(-0.5)]);
}

#[test]
fn percentages_follow_the_bounds() {
    let part = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    reads(
        &part,
        &[(json!("50%"), json!(0.5)), (json!("0.5"), json!(0.5)), (json!("1%"), json!(0.01))],
    );
    reads(&part, &[(json!("0.5%"), json!(0.005)), (json!("100%"), json!(1))]);
    refuses(&part, &[json!("500%"), json!("50")]);
    let whole = json!({ "type": "number", "minimum": 0, "maximum": 100 });
    reads(&whole, &[(json!("50%"), json!(50))]);
    refuses(&json!({ "type": "integer", "maximum": 1 }), &[json!("50%")]);
    assert!(
        issues(&json!({ "type": "integer", "maximum": 10 }), &json!("11")).contains("at most 10")
    );
}

#[test]
fn booleans() {
    let pairs = [
        (json!("true"), json!(true)),
        (json!("False"), json!(false)),
        (json!(" YES "), json!(true)),
        (json!("no"), json!(false)),
        (json!("on"), json!(true)),
        (json!("Off"), json!(false)),
        (json!("1"), json!(true)),
        (json!(0), json!(false)),
        (json!(1.0), json!(true)),
        (json!([true]), json!(true)),
        (json!("**yes**"), json!(true)),
        (json!("No."), json!(false)),
    ];
    reads(&with(&json!({ "type": "boolean" })), &pairs_under(&pairs));
    let given = [
        json!("maybe"),
        json!("nope"),
        json!(2),
        json!(""),
        json!(null),
        json!("yes and no"),
        json!([]),
    ];
    refuses(&with(&json!({ "type": "boolean" })), &under(&given));
}

#[test]
fn texts() {
    let pairs = [(json!(1), json!("1")), (json!(-3), json!("-3")), (json!(2.5), json!("2.5"))];
    reads(&with(&json!({ "type": "string" })), &pairs_under(&pairs));
    refuses(
        &with(&json!({ "type": "string" })),
        &under(&[
            json!(true),
            json!({}),
            json!({ "a": 1, "b": 2 }),
            json!(["a", "b"]),
            json!(null),
        ]),
    );
    keeps(
        &json!({ "type": "string" }),
        &[json!("{\"a\": 1}"), json!(" a "), json!("null"), json!(""), json!("1")],
    );
    let pattern = json!({ "type": "string", "pattern": "^[a-z]+$" });
    reads(&pattern, &[(json!(" abc\n"), json!("abc"))]);
    refuses(&pattern, &[json!("bbb1"), json!(1)]);
    reads(
        &json!({ "type": "string", "format": "date" }),
        &[(json!(" 2024-01-02"), json!("2024-01-02"))],
    );
}

#[test]
fn nothing() {
    let nullable = json!({ "type": ["integer", "null"] });
    let none = [json!("null"), json!("None"), json!(""), json!("NULL"), json!("N/A")];
    reads(&nullable, &none.map(|given| (given, json!(null))));
    reads(&nullable, &[(json!("5"), json!(5))]);
    keeps(&json!({ "type": ["string", "null"] }), &[json!("null"), json!(""), json!(null)]);
    let either =
        json!({ "anyOf": [{ "type": "object", "properties": { "a": {} } }, { "type": "null" }] });
    reads(&either, &[(json!("None"), json!(null))]);
    keeps(
        &json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
        &[json!("None"), json!(null)],
    );
    refuses(&with(&json!({ "type": "integer" })), &under(&[json!("null")]));
}

#[test]
fn options() {
    let state = json!({ "enum": ["in_progress", "Done", "café", "N/A"] });
    reads(
        &state,
        &[
            (json!("In Progress"), json!("in_progress")),
            (json!("in-progress"), json!("in_progress")),
            (json!("InProgress"), json!("in_progress")),
            (json!("DONE"), json!("Done")),
            (json!("\"done\""), json!("Done")),
            (json!("**Done**."), json!("Done")),
            (json!(" done\n"), json!("Done")),
            (json!("cafe"), json!("café")),
            (json!("n/a"), json!("N/A")),
            (json!(["done"]), json!("Done")),
            (json!({ "value": "done" }), json!("Done")),
        ],
    );
    refuses(
        &state,
        &[
            json!("not done"),
            json!("The answer is done"),
            json!("done or in progress"),
            json!("Done: it works"),
            json!("progress"),
            json!("don"),
            json!(""),
            json!(null),
            json!(1),
            json!(["done", "cafe"]),
        ],
    );
}

#[test]
fn options_that_are_no_text() {
    reads(&json!({ "enum": [1, 2, 3] }), &[(json!("2"), json!(2)), (json!(2.0), json!(2))]);
    reads(&json!({ "enum": ["1", "2"] }), &[(json!(2), json!("2"))]);
    reads(&json!({ "const": true }), &[(json!("True"), json!(true))]);
    reads(
        &json!({ "enum": ["a", null] }),
        &[(json!("null"), json!(null)), (json!("A"), json!("a"))],
    );
    reads(&json!({ "enum": [false, 0] }), &[(json!("0"), json!(0)), (json!("no"), json!(false))]);
    refuses(&json!({ "enum": [1, 2] }), &[json!("3"), json!(1.5), json!(true), json!("one")]);
    refuses(&json!({ "const": "a" }), &[json!("b")]);
}

#[test]
fn options_that_are_equally_near() {
    let issues = issues(&json!({ "enum": ["Foo", "foo"] }), &json!("FOO"));
    assert!(issues.contains("\"Foo\" or \"foo\""), "{issues}");
    keeps(&json!({ "enum": ["Foo", "foo"] }), &[json!("foo")]);
    refuses(&json!({ "enum": ["<", "<=", "A", "A-"] }), &[json!("=<"), json!("a+")]);
    reads(&json!({ "enum": ["A", "A-"] }), &[(json!("a-"), json!("A-")), (json!("a"), json!("A"))]);
}
