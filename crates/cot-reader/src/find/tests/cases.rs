//! Examples of each kind of repair.

use cot_schema::internal::format_path;
use serde_json::{Value, json};

use super::{fault, reading, readings, whats};
use crate::repair::{catalogue::RepairKind, class::RepairClass};

const LEFT_OUT: &str = RepairKind::LeftOut.sentence();

/// Asserts that each text has exactly one reading, which is its value, and is not truncated.
fn all(cases: &[(&str, Value)]) {
    for (text, value) in cases {
        let parsed = reading(text);
        assert_eq!(parsed.value, *value, "{text}");
        assert_eq!(parsed.cut, None, "{text}");
        assert!(parsed.repairs.cost() > 0, "{text}");
        let is_syntax = parsed.repairs.iter().all(|repair| repair.class() == RepairClass::Syntax);
        assert!(is_syntax, "{text}: {:?}", parsed.repairs);
    }
}

/// Asserts that the cheapest of several readings of each text is its value.
fn cheapest(cases: &[(&str, Value)]) {
    for (text, value) in cases {
        let all = readings(text);
        assert_eq!(all[0].value, *value, "{text}: {all:?}");
        let costs: Vec<_> = all.iter().map(|parsed| parsed.repairs.cost()).collect();
        assert!(costs.iter().skip(1).all(|cost| *cost > costs[0]), "{text}: {all:?}");
    }
}

#[test]
fn takes_out_comments() {
    all(&[
        ("{\"a\": 1, // one\n\"b\": 2}", json!({ "a": 1, "b": 2 })),
        ("{/* first */ \"a\" /* key */ : /* value */ 1 /* last */}", json!({ "a": 1 })),
        ("{\"a\": 1 # one\n}", json!({ "a": 1 })),
        ("[1, // one, ]\n2]", json!([1, 2])),
        ("{\"a\": \"b\" // it's \"quoted\"\n}", json!({ "a": "b" })),
        ("{\"a\": red // a color\n}", json!({ "a": "red" })),
        ("{\"a\": \"x\" /* no end", json!({ "a": "x" })),
        ("// a list\n[1, 2,]", json!([1, 2])),
        ("{ // a comment\n \"a\": 1 }", json!({ "a": 1 })),
    ]);
    let url = json!({ "url": "https://a.b/c?d=e#f" });
    all(&[("{\"url\": https://a.b/c?d=e#f}", url)]);
}

#[test]
fn mends_commas_and_colons() {
    all(&[
        ("[1, 2,]", json!([1, 2])),
        ("{\"a\": 1,}", json!({ "a": 1 })),
        ("{,\"a\": 1}", json!({ "a": 1 })),
        ("[,1]", json!([1])),
        ("[1,, 2]", json!([1, 2])),
        ("{\"a\": 1,, \"b\": 2}", json!({ "a": 1, "b": 2 })),
        ("{\"a\": 1 \"b\": 2}", json!({ "a": 1, "b": 2 })),
        ("{\"a\": \"x\" \"b\": \"y\"}", json!({ "a": "x", "b": "y" })),
        ("{\"a\": \"x\"\n\"b\": \"y\"}", json!({ "a": "x", "b": "y" })),
        (
            "{\"a\": {\"c\": 1} \"b\": [2] \"d\": true}",
            json!({ "a": { "c": 1 }, "b": [2], "d": true }),
        ),
        ("[1 2 3]", json!([1, 2, 3])),
        ("[\"a\" \"b\"\n\"c\"]", json!(["a", "b", "c"])),
        ("[{\"a\": 1} {\"a\": 2}]", json!([{ "a": 1 }, { "a": 2 }])),
        ("[{\"a\": 1}\n{\"a\": 2}]", json!([{ "a": 1 }, { "a": 2 }])),
        ("{\"a\" 1}", json!({ "a": 1 })),
        ("{\"a\" \"b\"}", json!({ "a": "b" })),
        ("{\"a\" {\"b\": 1}}", json!({ "a": { "b": 1 } })),
        ("{\"a\" = 1, \"b\" => 2}", json!({ "a": 1, "b": 2 })),
        ("{\"a\": 1; \"b\": 2}", json!({ "a": 1, "b": 2 })),
        ("{a: 1\nb: 2\nc: three}", json!({ "a": 1, "b": 2, "c": "three" })),
    ]);
}

#[test]
fn takes_any_quotes() {
    all(&[
        ("{'a': 'b'}", json!({ "a": "b" })),
        ("{'a': 'it\\'s'}", json!({ "a": "it's" })),
        ("{'a': 'it's fine', 'b': 'ok'}", json!({ "a": "it's fine", "b": "ok" })),
        ("{'a': 'say \"hi\" now'}", json!({ "a": "say \"hi\" now" })),
        ("{“a”: “b”}", json!({ "a": "b" })),
        ("{‘a’: ‘b’}", json!({ "a": "b" })),
        ("{`a`: `b`}", json!({ "a": "b" })),
        ("{\"a\": “b\"}", json!({ "a": "b" })),
        ("{\"\"a\"\": \"\"b c\"\"}", json!({ "a": "b c" })),
        ("{\"a\": \"\"\"two \"words\" here\"\"\"}", json!({ "a": "two \"words\" here" })),
        ("{\"a\": u'b', 'c': b\"d\"}", json!({ "a": "b", "c": "d" })),
        ("{\"a\": \\\"b\\\"}", json!({ "a": "b" })),
        ("{\\\"a\\\": \\\"b \\\\\\\"c\\\\\\\"\\\"}", json!({ "a": "b \"c\"" })),
        ("{\\n  \\\"a\\\": [1, 2]\\n}", json!({ "a": [1, 2] })),
    ]);
}

#[test]
fn takes_missing_quotes() {
    all(&[
        ("{a: 1, b_c: 2, $d: 3, e-f: 4}", json!({ "a": 1, "b_c": 2, "$d": 3, "e-f": 4 })),
        ("{\"a\": word}", json!({ "a": "word" })),
        ("{\"a\": New York, \"b\": 1}", json!({ "a": "New York", "b": 1 })),
        ("[red, light green, blue]", json!(["red", "light green", "blue"])),
        ("{\"a\": 2024-01-05, \"b\": 10:30}", json!({ "a": "2024-01-05", "b": "10:30" })),
        ("{\"a\": a3c0ffee-10-x}", json!({ "a": "a3c0ffee-10-x" })),
        (
            "{\"a\": 1.2.3, \"b\": 5-7, \"c\": 3apples}",
            json!({ "a": "1.2.3", "b": "5-7", "c": "3apples" }),
        ),
        ("{\"a\": $5, \"b\": 12%, \"c\": 1/2}", json!({ "a": "$5", "b": "12%", "c": "1/2" })),
        ("{\"a\": 1,234, \"b\": 2}", json!({ "a": "1,234", "b": 2 })),
        ("{a\": \"b\"}", json!({ "a": "b" })),
        ("{\"a: \"b\"}", json!({ "a": "b" })),
        ("{\"a: 1, \"b\": 2}", json!({ "a": 1, "b": 2 })),
        ("{\"a\": b\", \"c\": 1}", json!({ "a": "b", "c": 1 })),
        ("{\"a\": f(x), \"b\": y[0]}", json!({ "a": "f(x)", "b": "y[0]" })),
        ("{1: \"a\", 2: \"b\"}", json!({ "1": "a", "2": "b" })),
    ]);
    cheapest(&[
        ("{\"a\": \"b}", json!({ "a": "b" })),
        ("{\"a\": \"b\n}", json!({ "a": "b" })),
        ("{\"a\": [\"b]}", json!({ "a": ["b"] })),
        ("{\"a\": \"b, \"c\": \"d\"}", json!({ "a": "b", "c": "d" })),
        ("{\"a\": \"b\n\"c\": \"d\"}", json!({ "a": "b", "c": "d" })),
        ("{\"a\": \"b,\n\"c\": \"d\",\n\"e\": 1}", json!({ "a": "b", "c": "d", "e": 1 })),
    ]);
}

#[test]
fn takes_quotes_inside_strings() {
    all(&[
        ("{\"a\": \"the \"best\" one\"}", json!({ "a": "the \"best\" one" })),
        (
            "{\"a\": \"the \"best\", they say\", \"b\": 1}",
            json!({ "a": "the \"best\", they say", "b": 1 }),
        ),
        ("[\"x \"y\" z\", \"w\"]", json!(["x \"y\" z", "w"])),
        ("{\"a\": \"<p class=\"c\">t</p>\"}", json!({ "a": "<p class=\"c\">t</p>" })),
        ("{\"a\": \"ends \"here\"\", \"b\": 1}", json!({ "a": "ends \"here\"", "b": 1 })),
    ]);
    cheapest(&[
        ("{\"a\": \"see [x](\"y\") or {\"z\"}.\"}", json!({ "a": "see [x](\"y\") or {\"z\"}." })),
        (
            "{\"a\": \"say {\"k\": \"v\", \"l\": \"w\"} to it\", \"b\": 1}",
            json!({ "a": "say {\"k\": \"v\", \"l\": \"w\"} to it", "b": 1 }),
        ),
        (
            "{\"a\": \"he said \"yes\", \"no\" and left\", \"b\": 1}",
            json!({ "a": "he said \"yes\", \"no\" and left", "b": 1 }),
        ),
    ]);
}

#[test]
fn takes_odd_characters_in_strings() {
    all(&[
        ("{\"a\": \"b\nc\td\u{1}\"}", json!({ "a": "b\nc\td\u{1}" })),
        ("{\"a\": \"it\\'s \\$5 \\_x\\_ \\`\"}", json!({ "a": "it's \\$5 \\_x\\_ `" })),
        ("{\"a\": \"\\d+ C:\\Users \\(x\\)\"}", json!({ "a": "\\d+ C:\\Users \\(x\\)" })),
        ("{\"a\": \"\\x41 b\\\nc\"}", json!({ "a": "A bc" })),
        ("{\"a\": '\\u0041\\ud83d\\ude00'}", json!({ "a": "A😀" })),
        ("{\u{a0}\"a\":\u{3000}1}", json!({ "a": 1 })),
    ]);
}

#[test]
fn takes_literals_and_numbers_of_other_languages() {
    all(&[
        ("[True, False, None]", json!([true, false, null])),
        ("[TRUE, FALSE, NULL, Null, undefined]", json!([true, false, null, null, null])),
        ("[.5, 1., +1, -.5, 1_000, 0x1F]", json!([0.5, 1.0, 1, -0.5, 1000, 31])),
        ("{\"a\": 1e3, \"b\": 1.5E-2,}", json!({ "a": 1e3, "b": 1.5e-2 })),
        ("{\"zip\": 01234}", json!({ "zip": "01234" })),
        ("{\"a\": \"x\" + \"y\" +\n \"z\"}", json!({ "a": "xyz" })),
        ("{\"a\": ObjectId(\"x\"), \"b\": NumberLong(2)}", json!({ "a": "x", "b": 2 })),
        (
            "{\"a\": ISODate(\"2024-01-05\"), \"b\": new Date('y')}",
            json!({ "a": "2024-01-05", "b": "y" }),
        ),
        ("{\"a\": (1, 2), \"b\": ()}", json!({ "a": [1, 2], "b": [] })),
        ("(1, (2, 3),)", json!([1, [2, 3]])),
        ("{\"a\": {1, 2, 3}, \"b\": {\"x\", \"y\"}}", json!({ "a": [1, 2, 3], "b": ["x", "y"] })),
    ]);
}

#[test]
fn mends_brackets() {
    all(&[
        ("{\"a\": {\"b\": true", json!({ "a": { "b": true } })),
        ("{\"a\": 1}}", json!({ "a": 1 })),
        ("[1, 2,]]", json!([1, 2])),
        ("{\"a\": 1]", json!({ "a": 1 })),
        ("[{\"a\": 1}}, {\"a\": 2}]", json!([{ "a": 1 }, { "a": 2 }])),
        ("{\"a\": [1, 2}", json!({ "a": [1, 2] })),
        ("{{\"a\": 1}}", json!({ "a": 1 })),
    ]);
    cheapest(&[
        ("{\"a\": [{\"b\": 1], \"c\": 2}", json!({ "a": [{ "b": 1 }], "c": 2 })),
        ("{\"a\": [\"x\"}, \"b\": 1}", json!({ "a": ["x"], "b": 1 })),
        ("{\"a\": [1, 2}, \"b\": [3, 4]}", json!({ "a": [1, 2], "b": [3, 4] })),
    ]);
}

#[test]
fn takes_values_in_a_row_for_a_list() {
    all(&[
        ("{\"a\": 1}\n{\"a\": 2}\n", json!([{ "a": 1 }, { "a": 2 }])),
        ("{\"a\": 1},\n{\"a\": 2,}", json!([{ "a": 1 }, { "a": 2 }])),
        ("{'a': 1}{'a': 2}", json!([{ "a": 1 }, { "a": 2 }])),
    ]);
}

#[test]
fn says_what_is_lost() {
    for (text, value, what) in [
        ("{\"a\": }", json!({ "a": null }), "a missing value"),
        ("{\"a\": , \"b\": 1}", json!({ "a": null, "b": 1 }), "a missing value"),
        ("{\"a\": 1, \"b\"}", json!({ "a": 1, "b": null }), "a missing value"),
        ("{\"a\": NaN}", json!({ "a": null }), "`NaN`, which JSON does not have"),
        ("[1, 2, ...]", json!([1, 2]), LEFT_OUT),
        ("[1, ..., 9]", json!([1, 9]), LEFT_OUT),
        ("{\"a\": 1, ...}", json!({ "a": 1 }), LEFT_OUT),
        ("[1, 2, …]", json!([1, 2]), LEFT_OUT),
        ("[1, // ... and so on\n]", json!([1]), LEFT_OUT),
        ("[-Infinity]", json!([null]), "`-Infinity`, which JSON does not have"),
        ("{\"a\": \"\\ud800\"}", json!({ "a": "\u{fffd}" }), "half a character (a lone surrogate)"),
        (
            "{\"a\": \"\\udc00x\"}",
            json!({ "a": "\u{fffd}x" }),
            "half a character (a lone surrogate)",
        ),
    ] {
        let parsed = reading(text);
        assert_eq!(parsed.value, value, "{text}");
        let lost = parsed.repairs.iter().find(|repair| repair.class() == RepairClass::Loss);
        assert_eq!(lost.map(|repair| repair.description()), Some(what), "{text}");
    }
}

#[test]
fn says_where_the_text_was_cut() {
    for (text, value, path) in [
        ("{\"a\": \"b", json!({ "a": "b" }), "$.a"),
        ("{\"a\": [1, 2", json!({ "a": [1, 2] }), "$.a[1]"),
        ("{\"a\": tru", json!({ "a": "tru" }), "$.a"),
        ("{\"a\": 1,", json!({ "a": 1 }), "$"),
        ("{\"a\": [1,", json!({ "a": [1] }), "$.a"),
        ("{\"a\": 1, \"b\":", json!({ "a": 1 }), "$.b"),
        ("{\"a\": 1, \"b\"", json!({ "a": 1 }), "$.b"),
        ("{\"a\": 1, \"b", json!({ "a": 1 }), "$"),
        ("{\"a\": 1, b", json!({ "a": 1 }), "$"),
        ("{\"a\": \"x\\u00", json!({ "a": "x" }), "$.a"),
        ("{\"a\": \"x\\", json!({ "a": "x" }), "$.a"),
        ("```json\n{\"a\": \"x\n```\nThat is all.", json!({ "a": "x" }), "$.a"),
        ("```json\n{\"a\": [1,\n```", json!({ "a": [1] }), "$.a"),
        ("{\"a\": [true", json!({ "a": [true] }), "$.a"),
        ("{\"a\": [{}", json!({ "a": [{}] }), "$.a"),
        ("[{\"a\": \"b\"}, {\"c\": \"d\"", json!([{ "a": "b" }, { "c": "d" }]), "$"),
        ("[\n  \"Smith, John\"", json!(["Smith, John"]), "$"),
    ] {
        let parsed = reading(text);
        assert_eq!(parsed.value, value, "{text}");
        assert_eq!(parsed.cut.map(|path| format_path(&path)).as_deref(), Some(path), "{text}");
    }
    for text in ["{\"a\": \"b\"", "{\"a\": [true]", "```\n[1, 2\n```", "{"] {
        assert_eq!(reading(text).cut, None, "{text}");
    }
}

#[test]
fn says_each_repair_and_where() {
    let parsed = reading("{'a': [1, {b: True,}], // no\n\"c\": word");
    let told: Vec<_> =
        parsed.repairs.clone().into_repairs().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "$.a: single quotes (syntax)",
            "$.a[1].b: a key without quotes (syntax)",
            "$.a[1].b: a Python literal `True` (syntax)",
            "$.a[1]: a trailing comma (syntax)",
            "$: a comment (syntax)",
            "$.c: a string without quotes (syntax)",
            "$: a missing `}` (syntax)",
        ]
    );
    assert_eq!(whats(&parsed).len(), told.len());
}

#[test]
fn refuses_a_key_given_twice() {
    let issue = "$.b.a: `a` is given twice; give each field once";
    assert_eq!(fault("{\"b\": {\"a\": 1, \"a\": 2}}"), (issue.to_owned(), true));
    assert_eq!(fault("So: {'b': {'a': 1, 'a': 2}}."), (issue.to_owned(), true));
    all(&[
        ("{'a': [1], 'a': [1]}", json!({ "a": [1] })),
        ("{\"a\": 1, \"a\": 1}", json!({ "a": 1 })),
    ]);
}

#[test]
fn refuses_numbers_that_cannot_be_kept() {
    let digits = "9".repeat(10_000);
    for number in ["1e999", "-1e999", "1e-999", digits.as_str()] {
        let (message, is_meant) = fault(&format!("{{\"a\": {number}, }}"));
        assert_eq!(message, "$.a: the number is too large or too small to be kept");
        assert!(is_meant);
    }
    assert_eq!(reading("[0.0e-9, 18446744073709551615,]").value, json!([0.0, u64::MAX]));
}
