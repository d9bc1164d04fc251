//! Properties of the parser and writer for any text, on a fixed set of texts; the fuzz target checks
//! them for any bytes.

use proptest::test_runner::{Config, TestCaseError, TestRng, TestRunner};
use proptest::{prelude::*, sample::select};

use super::*;

/// The tokens of traces, so that some of the texts are well-formed.
const PIECES: [&str; 64] = [
    "plan { a ↦ 1 }",
    "act { think ↦ \"x } y\" }",
    "user「Hello」",
    "response「「a」 \"」",
    "result { data ↦ 「\nplan {\n」 } 🏷 a",
    "todo { 1 ↦ x }",
    "tool { name ↦ t }",
    "user Hello",
    "system yes",
    "response 42 🏷 \"plan {\"",
    "\nuser a 🏷 「\nplan {\n」",
    "user \"Hi\"",
    "plan { a ↦ [ 1 • { b ↦ 0x1F } ] 🏷 x ※ [y • \"z w\"] }",
    "plan {",
    "plan { a ↦ {",
    "act {",
    "user「",
    "plan",
    "user",
    "act",
    "a",
    "a ↦ 1",
    "{",
    "}",
    "[",
    "]",
    "{ }",
    "[ ]",
    "「",
    "」",
    "\"",
    "\"x y\"",
    "'",
    "\\",
    "•",
    " • ",
    "↦",
    " ↦ ",
    "🏷 a",
    "🏷️ b",
    "🏷 ",
    "※ a, b",
    "※ [a • b]",
    "※ ",
    "⊨ 1",
    "⊨[2•3]",
    "𝑝 0.9",
    ",",
    ";",
    "\n",
    "\n",
    "\n\n",
    " ",
    " ",
    "\t",
    "\r\n",
    "\u{3000}",
    "\u{feff}",
    "\u{fe0f}",
    "e\u{301}",
    "日本",
    "->",
    ":",
    "#a",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = || prop::collection::vec(select(PIECES.to_vec()), 0..16);
    let spaced = (pieces(), select(vec![" ", "\n", "\n\u{3000}"]));
    let bytes = prop::collection::vec(any::<u8>(), 0..80);
    prop_oneof![
        3 => pieces().prop_map(|pieces| pieces.concat()),
        3 => spaced.prop_map(|(pieces, space)| pieces.join(space)),
        1 => bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

#[test]
fn all_ways_to_read_a_text_agree() {
    // Seeded, so that a failure is reproducible.
    let mut config = Config { failure_persistence: None, ..Config::default() };
    config.cases *= 8; // short texts
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(Default::default()));
    if let Err(error) = runner.run(&texts(), |text| agree(&text)) {
        panic!("{error}");
    }
}

#[test]
fn streams_may_be_cut_anywhere() {
    for text in [
        WEATHER,
        "{ plan { a ↦ 1 } }\nplan {}",
        "「 user「x」 」\nuser「y」 [ act {} ] plan {}",
        "user e\u{301} plan {} user b plan {} act {}\nuser c act {}",
        "user Hello 🏷 \"plan {\" ⊨ 1\nplan {}",
        "user Hello\n\n 🏷 「\nplan {\n」, b plan {}",
        "plan {} 🏷 a\u{fe0f}plan {} act {}",
        "plan {} 🏷 a;plan { b ↦ \"act {\" } \n\u{3000}user Hello\n",
        "plan {} 🏷 \nuser「hi」\nact {}",
        "plan {}\nuser a 🏷 x stray 🏷 y\nact {}",
        "※ a, b\nplan { a ↦ 1 }\n<<\n'a b'\n\"\nsystem yes\n※\ntodo\n\u{2028}\n※\n\u{fe0f}\n\r\n<<\nuser\n",
        "system a 🏷\nuser b 🏷",
        "system a 🏷 \u{fe0f}\n'\n5",
        "result {}, #\n[",
        "user「a」𝑝 0.9, b\n[",
        "user「a」🏷 [b], c\n[",
        "user「a」🏷 b, ;\n[",
        "\u{feff}user z🏷\nplan{",
        "plan {}\n\u{feff}user z🏷\nplan{",
        "response 4u 🏷\nsystem hi 🏷 \n\"lanz{\"",
        "user x\u{feff}user\"\"\nplan {}",
    ] {
        agree(text).unwrap_or_else(|error| panic!("{error}"));
        assert!(parse(text).is_ok_and(|trace| !trace.blocks.is_empty()), "{text}");
    }
}

fn agree(text: &str) -> Result<(), TestCaseError> {
    let Recovery { trace, findings } = recover(text);
    // A trace that was read is written and read again unchanged; a well-formed text stays as it is.
    let written = trace.to_string();
    let again = recover(&written);
    prop_assert_eq!(&again.trace.to_string(), &written);
    prop_assert_eq!(check(text).is_valid(), validate(&trace).is_valid() && parse(text).is_ok());
    // The result does not depend on how the text is cut into pieces.
    let whole = streamed(text, text.len());
    for size in [1, 2, 3, 5, 8] {
        prop_assert_eq!(&streamed(text, size), &whole, "{:?} by {}", text, size);
    }
    if let Ok(parsed) = parse(text) {
        prop_assert_eq!(&parsed, &trace);
        prop_assert_eq!(parse(&written), Ok(parsed.clone()), "{:?}", written);
        prop_assert_eq!(Trace::from_json(&parsed.to_json()), Ok(parsed.clone()));
        let (blocks, warnings) = &whole;
        prop_assert_eq!(blocks, &placed(&parsed.blocks), "{:?}", text);
        prop_assert_eq!(warnings, &findings, "{:?}", text);
    }
    Ok(())
}

type Placed = Vec<(Position, Position, Block)>;

fn placed(blocks: &[Block]) -> Placed {
    blocks.iter().map(|block| (block.position, block.content.position, block.clone())).collect()
}

/// Reads a text with a stream in pieces of this many characters.
fn streamed(text: &str, size: usize) -> (Placed, Vec<Diagnostic>) {
    let mut stream = Stream::new();
    let mut blocks = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(size.max(1)) {
        blocks.extend(stream.push(&piece.iter().collect::<String>()));
    }
    blocks.extend(stream.finish());
    (placed(&blocks), stream.take_findings())
}
