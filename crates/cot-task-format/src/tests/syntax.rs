use serde_json::json;

use super::*;

#[test]
fn reads_every_kind_of_value() {
    let object = only(
        "plan { a ↦ word • b ↦ \"two words\" • c ↦ 「\"x\"\n「y」」 • d ↦ [ 1 • [] • {} ] • e ↦ true \
         • f ↦ null • g ↦ 1.5e3 • h ↦ 02139 • i ↦ 12px • \"j k\" ↦ a,b • }",
    );
    assert_eq!(
        object.to_plain_json(),
        json!({
            "a": "word", "b": "two words", "c": "\"x\"\n「y」", "d": [1, [], {}], "e": true, "f": null,
            "g": 1500, "h": "02139", "i": "12px", "j k": "a,b",
        })
    );
}

#[test]
fn reads_numbers_as_javascript_does() {
    for (text, number) in [
        ("0xfF", "255"),
        ("0o17", "15"),
        ("0B101", "5"),
        ("1_000.5", "1000.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("-0", "0"),
        ("+1E-7", "1e-7"),
        ("123456789012345680000", "123456789012345680000"),
        ("1e21", "1e+21"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9007199254740993n", "9007199254740993"),
        ("-0x10", "-16"),
        ("0x1p", "text"),
        ("1__0", "text"),
        ("1e", "text"),
        ("0x", "text"),
        ("1e999", "text"),
        (".", "text"),
        ("-", "text"),
        ("1.2.3", "text"),
        ("Infinity", "text"),
    ] {
        let shown = match value(text) {
            Value::Number(number) => number.to_string(),
            _ => "text".to_owned(),
        };
        assert_eq!(shown, number, "{text}");
    }
    assert_eq!(Number::from_f64(0.1 + 0.2).unwrap().to_string(), "0.30000000000000004");
    assert_eq!(Number::from_f64(2_f64.powi(63)).unwrap().to_string(), "9223372036854776000");
    assert_eq!(Number::from_f64(f64::NAN), None);
    assert_eq!(Number::from_f64(-0.0).unwrap().to_string(), "0");
    assert_eq!(Number::from_f64(5e-324).unwrap().to_string(), "5e-324");
    assert_eq!(Number::from_f64(f64::MAX).unwrap().to_string(), "1.7976931348623157e+308");
    assert_eq!(Number::from_f64(-1e21).unwrap().to_string(), "-1e+21");
    assert_eq!(Number::from_f64(1e-7).unwrap().to_string(), "1e-7");
    let long = format!("0x1{}", "0".repeat(400));
    assert_eq!(Number::parse(&long), None);
}

#[test]
fn reads_escapes_and_keeps_what_is_none() {
    let text = |text: &str| only(&format!("user {text}")).as_text().unwrap().to_owned();
    assert_eq!(text(r#""a\"b\\c\n\t\u00e9\u{1F600}\ud83d\ude00\x41\/""#), "a\"b\\c\n\té😀😀A/");
    assert_eq!(text(r#""C:\users \d+ \ud800""#), r"C:\users \d+ \ud800");
    assert_eq!(codes(&recover(r#"user "\d""#).findings), ["bad_escape@1:6"]);
}

#[test]
fn reads_marks_in_every_form() {
    let expr = only("user「x」🏷️ a ※ b, \"c d\" ※[e • f]⊨ 1⊨[2•3] 𝑝 .5 🏷 'g'");
    let names =
        |names: &[Located<String>]| names.iter().map(|name| name.value.clone()).collect::<Vec<_>>();
    assert_eq!(names(expr.tags()), ["a", "g"]);
    assert_eq!(names(expr.references()), ["b", "c d", "e", "f"]);
    assert_eq!(
        expr.satisfies().iter().map(|item| item.value.as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!(expr.confidence().unwrap().value.as_f64(), 0.5);
}

#[test]
fn names_in_brackets_have_one_separator_between_them() {
    for (marks, expected) in [
        ("※ [a • b, \"c\" • ]", &[][..]),
        ("※ []", &[]),
        ("※ [a b]", &["missing_separator@1:14"]),
        ("※ [a; b]", &["stand_in@1:13"]),
        ("※ [• a •, b]", &["unexpected@1:12", "unexpected@1:17"]),
    ] {
        let recovered = recover(&format!("user「x」 {marks}"));
        let found: Vec<String> = codes(&recovered.findings);
        assert_eq!(found, expected, "{marks}");
    }
}

#[test]
fn warnings_alone_refuse_nothing_however_many() {
    let text = "user \"\\d\"\n".repeat(2_000);
    assert_eq!(parse(&text).unwrap().blocks.len(), 2_000);
    let warnings = check(&text).warnings;
    assert!(codes(&warnings).iter().any(|code| code.starts_with("too_many_warnings@1001:")));
    let both = format!("{text}plan {{");
    assert_eq!(codes(parse(&both).unwrap_err().as_slice()), ["unclosed_object@2001:6"]);
}

#[test]
fn gives_places_in_any_script() {
    let text = "\u{feff}system「日本👩‍👩‍👧」 🏷 é\r\nuser「e\u{301}\r\n」 🏷 usr1 🏷\tx";
    let trace = parse(text).unwrap();
    let place =
        |tag: &Located<String>| (tag.position.line, tag.position.column, tag.position.offset);
    let [system, user] = trace.blocks.as_slice() else { panic!("{trace:?}") };
    assert_eq!(system.position, Position { offset: 3, line: 1, column: 1 });
    assert_eq!(place(&system.content.tags()[0]), (1, 19, text.find('é').unwrap()));
    assert_eq!(place(&user.content.tags()[0]), (3, 5, text.find("usr1").unwrap()));
    assert_eq!(place(&user.content.tags()[1]), (3, 12, text.find("\tx").unwrap() + 1));
}

#[test]
fn takes_a_message_of_one_word() {
    assert_eq!(only("user Hello 🏷 usr1").as_text(), Some("Hello"));
    assert_eq!(only("response 42").as_text(), Some("42"));
    assert!(parse("user said so").unwrap().blocks.is_empty());
}

#[test]
fn leaves_out_text_between_structures() {
    let text =
        "<|im_start|>system\nsystem「x」\n<|im_end|> The user {said} \"x\", so [I] plan:\nplan {}";
    let recovered = recover(text);
    let kinds: Vec<BlockKind> = recovered.trace.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::System, BlockKind::Plan]);
    assert_eq!(codes(&recovered.findings), ["stray_text@1:1", "stray_text@3:1"]);
}

#[test]
fn structures_that_the_format_does_not_know_are_errors() {
    for (text, expected) in [
        ("sytem「x」", &["unknown_structure@1:1"][..]),
        (
            "plan {}\nassistant「Hello」\n\ncall { tool ↦ x }",
            &["unknown_structure@2:1", "unknown_structure@4:1"],
        ),
        ("Well then:\nnote {\n  inner { a ↦ b }\n}", &["stray_text@1:1", "unknown_structure@2:1"]),
        ("Prose with {braces} and 「quotes」", &["stray_text@1:1"]),
    ] {
        assert_eq!(codes(&recover(text).findings), expected, "{text}");
        assert_eq!(
            parse(text).is_err(),
            expected.len() > 1 || expected[0].starts_with("unknown"),
            "{text}"
        );
    }
    for (text, message) in [
        ("sytem「x」", "`sytem` is no structure; did you mean `system`?"),
        ("call { tool ↦ x } ⊨ 1", "`call` is no structure; write `act { call ↦ … }`"),
    ] {
        assert_eq!(recover(text).findings[0].message, message);
    }
}

#[test]
fn reports_several_errors_at_once() {
    let text = "plan {\n  a 1 •\n  b ↦ two words •\n  c ↦ x d ↦ •\n  e ↦ [1\n} }\nact「x」 ⊨ one";
    assert_eq!(
        codes(parse(text).unwrap_err().as_slice()),
        [
            "missing_arrow@2:5",
            "unquoted_text@3:7",
            "missing_separator@4:9",
            "missing_value@4:13",
            "unclosed_array@5:7",
            "unmatched_close@6:3",
            "wrong_content@7:4",
            "bad_operand@7:10",
        ]
    );
    let shown = parse("plan { a ↦ }").unwrap_err().to_string();
    assert_eq!(shown, "1:12: error[missing_value]: a value is missing");
}

#[test]
fn decodes_bytes() {
    assert_eq!(decode("é".as_bytes()), Ok("é"));
    let errors = decode(b"a\n\xc3\xa9\xff").unwrap_err();
    assert_eq!(codes(errors.as_slice()), ["invalid_utf8@2:2"]);
    let errors = decode(b"\xef\xbb\xbfa\xff").unwrap_err();
    assert_eq!(codes(errors.as_slice()), ["invalid_utf8@1:2"]);
    assert_eq!(errors.as_slice()[0].position.offset, 4);
}

#[test]
fn takes_a_byte_order_mark_for_space_before_a_line_alone() {
    for text in ["\u{feff}user \"a\"", "plan {}\n \u{feff} user \"a\""] {
        let trace = parse(text).unwrap();
        assert_eq!(trace.blocks.last().unwrap().content.as_text(), Some("a"), "{text}");
    }
    assert_eq!(parse("stray\u{feff}user \"a\"").unwrap().blocks, []);
}
