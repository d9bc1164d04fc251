//! Parses any text as TASK in every way: no panic, valid positions, and equal results.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run task_format` in `cot-core`, once `cargo-fuzz` is installed.
#![no_main]

use cot_core::task_format::{
    Block, Diagnostic, Position, Recovery, Stream, Trace, check, decode, parse, recover, validate,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes) else {
        return;
    };
    let Recovery { trace, findings } = recover(text);
    let report = check(text);
    for finding in report.errors.iter().chain(&report.warnings) {
        assert_eq!(finding.position, place(text, finding.position.offset), "{finding}");
        assert!(finding.message.len() < 1_000, "{finding}");
    }
    let written = trace.to_string();
    assert_eq!(recover(&written).trace.to_string(), written);
    let parsed = parse(text);
    assert_eq!(report.is_valid(), parsed.is_ok() && validate(&trace).is_valid());
    let whole = streamed(text, text.len());
    for size in [1, 3] {
        assert_eq!(streamed(text, size), whole);
    }
    if let Ok(parsed) = parsed {
        assert_eq!(parsed, trace);
        assert_eq!(parse(&written).as_ref(), Ok(&parsed));
        assert_eq!(Trace::from_json(&parsed.to_json()).as_ref(), Ok(&parsed));
        assert_eq!(whole, (placed(&parsed.blocks), findings));
    }
});

/// Returns the position of a byte offset, by its definition.
fn place(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let last = before.rsplit('\n').next().unwrap_or_default();
    Position {
        offset,
        line: u32::try_from(before.matches('\n').count() + 1).expect("the text is short"),
        column: u32::try_from(last.chars().count() + 1).expect("the text is short"),
    }
}

type Placed = Vec<(Position, Position, Block)>;

fn placed(blocks: &[Block]) -> Placed {
    blocks.iter().map(|block| (block.position, block.content.position, block.clone())).collect()
}

/// Parses a text in chunks of this many characters.
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
