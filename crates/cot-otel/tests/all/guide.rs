//! The guide on traces, beside the program and the names that it describes.

use cot_core::otel::names;

const GUIDE: &str = include_str!("../../../../cot-core/docs/traces.md");
const EXAMPLE: &str = include_str!("../../examples/collector.rs");

/// The lines of a text without indentation.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_program_of_the_guide_is_the_example() {
    let (_, rest) = GUIDE.split_once("--example collector").unwrap();
    let program = rest.split("```").nth(1).unwrap().trim_start_matches("text");
    let (program, example) = (lines(program), lines(EXAMPLE));
    assert!(program.len() > 15);
    assert!(example.windows(program.len()).any(|part| part == program), "{program:#?}");
}

#[test]
fn the_guide_has_every_metric() {
    use names::metric::*;
    for name in [
        TOKENS,
        DURATION,
        FIRST_CHUNK,
        COST,
        TOOL_DURATION,
        RUN_DURATION,
        ACTIVE_RUNS,
        RETRIES,
        REPAIRS,
        WAITING_PEOPLE,
        STORED_RUNS,
    ] {
        assert!(GUIDE.contains(&format!("`{name}`")), "{name}");
    }
}
