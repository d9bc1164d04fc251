use proptest::prelude::*;

use super::{texts::text, *};

#[test]
fn refuses_what_lies_too_deep() {
    let deep = |depth: usize| format!("plan {{ a ↦ {}{} }}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&deep(MAX_DEPTH - 1)).is_ok());
    let errors = parse(&deep(100_000)).unwrap_err();
    assert_eq!(codes(errors.as_slice()), [format!("too_deep@1:{}", MAX_DEPTH + 11)]);
    assert_eq!(recover(&"plan {x ↦ ".repeat(50_000)).trace.blocks.len(), 1);
}

/// A time worse than linear would exceed the limit of the test.
#[test]
fn takes_linear_time() {
    let pieces = [
        "\"",
        "「",
        "」",
        "\"\\\"",
        "\"\n",
        "\"\n\\",
        "“",
        "a ↦ “x • ",
        "plan ",
        "plan {",
        "\nplan {",
        "\"a\"b",
        " \"a\" b",
        "a ↦ \"b ",
        "x ↦ 「 • ",
        "\nuser「",
        "※ a,",
        "[",
        "a ↦ b ※ x, ",
        "🏷 ",
        "a b ",
        "a:b,",
        "a,",
        "'a':",
        "<<",
        "\u{3000}",
        "\nuser a",
        "1_",
        "a ↦ 「\n",
        "{ a ↦ \"\n",
    ];
    for piece in pieces {
        for start in ["", "plan { ", "plan { a ↦ \"", "plan { a: [ ", "plan { a ↦ x ※ "] {
            let text = format!("{start}{}", piece.repeat(30_000 / piece.len()));
            assert!(check(&text).errors.len() <= 2_100);
            let mut stream = Stream::new();
            text.split_inclusive([' ', '"']).for_each(|piece| drop(stream.push(piece)));
            stream.finish();
        }
    }
}

#[test]
fn checks_many_calls_in_linear_time() {
    let params: String = (0..5_000).map(|i| format!("p{i} ↦ {{ type ↦ string }} • ")).collect();
    let calls: String =
        (0..5_000).map(|i| format!("call ↦ {{ tool ↦ t • id ↦ c{i} }} • ")).collect();
    let text = format!("tool {{ name ↦ t • params ↦ {{ {params} }} }} act {{ {calls} }}");
    assert!(!check(&text).is_valid());
}

/// The time of each of these was once the product of two lengths.
#[test]
fn compares_arguments_in_linear_time() {
    let calls = |arguments: &str| format!("call ↦ {{ tool ↦ t • {arguments} }} • ").repeat(5_000);
    let names: String =
        (0..50).map(|i| format!("{i}{} ↦ {{ required ↦ false }} • ", "n".repeat(4_000))).collect();
    let long = "x".repeat(100_000);
    for (params, call) in [
        (
            format!("a ↦ {{ enum ↦ [ {} ] }}", "1 • ".repeat(20_000)),
            format!("a ↦ [ {} ]", "1 • ".repeat(20_000)),
        ),
        (format!("a ↦ {{ enum ↦ [ {long} ] }}"), calls("a ↦ y")),
        (format!("a ↦ {{ enum ↦ [ [ {} ] ] }}", "1 • ".repeat(20_000)), calls("a ↦ y")),
        (format!("a ↦ {{ type ↦ [ {} ] }}", "1 • ".repeat(20_000)), calls("a ↦ y")),
        (
            format!("a ↦ {{ anyOf ↦ [ {} ] }}", "{ type ↦ integer } • ".repeat(5_000)),
            format!("a ↦ \"{}x\"", "1".repeat(100_000)),
        ),
        (
            format!(
                "a ↦ {{ anyOf ↦ [ {} ] }}",
                "{ properties ↦ {} • enum ↦ [ 0 ] } • ".repeat(5_000)
            ),
            format!("a ↦ {{ {} }}", "k ↦ 1 • ".repeat(10_000)),
        ),
        (names, calls("neme ↦ 1")),
    ] {
        let call = if call.starts_with("call") {
            call
        } else {
            format!("call ↦ {{ tool ↦ t • {call} }}")
        };
        assert!(
            !check(&format!("tool {{ name ↦ t • params ↦ {{ {params} }} }} act {{ {call} }}"))
                .is_valid()
        );
    }
}

proptest! {
    #[test]
    fn takes_any_text(pieces in prop::collection::vec(text(), 0..30), size in 1..7_usize) {
        let text = pieces.concat();
        let report = check(&text);
        for finding in report.errors.iter().chain(&report.warnings) {
            let Position { offset, line, column } = finding.position;
            prop_assert!(text.is_char_boundary(offset), "{finding:?}");
            let before = text[..offset].strip_prefix('\u{feff}').unwrap_or(&text[..offset]);
            let lines = before.matches('\n').count() + 1;
            let last = before.rsplit('\n').next().unwrap_or_default();
            prop_assert_eq!(lines, line as usize);
            prop_assert_eq!(last.chars().count() + 1, column as usize, "{:?} {:?}", text, finding);
        }
        // A recovered trace is well-formed.
        let written = recover(&text).trace.to_string();
        let again = recover(&written);
        prop_assert_eq!(again.trace.to_string(), written);
        let mut stream = Stream::new();
        let chars: Vec<char> = text.chars().collect();
        for piece in chars.chunks(size) {
            stream.push(&piece.iter().collect::<String>());
        }
        stream.finish();
    }

    #[test]
    fn takes_a_broken_trace(cut in 0..1_000_usize, length in 0..40_usize, insert in text()) {
        let chars: Vec<char> = WEATHER.chars().collect();
        let cut = cut.min(chars.len());
        let rest = &chars[(cut + length).min(chars.len())..];
        let text: String = chars[..cut].iter().copied().chain(insert.chars()).chain(rest.iter().copied()).collect();
        let _report = check(&text);
        Trace::from_json(&recover(&text).trace.to_json()).ok();
    }
}
