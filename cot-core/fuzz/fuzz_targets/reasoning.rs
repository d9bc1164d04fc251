//! Parses any text into steps and a conclusion: no panic; the results are parts of the text in their order.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run reasoning` in `cot-core`, once `cargo-fuzz` is installed.
#![no_main]

use cot_core::reasoning::{Machine, Message, Reasoning};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let reasoning = Reasoning::parse(text);
    let steps = reasoning.steps.iter().map(|step| &step.content);
    // Line ends can change.
    let plain = text.replace('\r', "");
    let mut rest = plain.as_str();
    for content in steps.chain(&reasoning.conclusion) {
        assert!(!content.is_empty() && content.trim() == content, "{content:?}");
        let content = content.replace('\r', "");
        let at = rest.find(&content).expect("what is found is of the text and in its order");
        rest = &rest[at + content.len()..];
    }
    let json = serde_json::to_string(&reasoning).expect("reasoning is JSON");
    let back: Reasoning = serde_json::from_str(&json).expect("reasoning comes back");
    assert_eq!(back, reasoning);
    is_kept(text, &reasoning);
});

/// A machine has the same result before and after the conversion to a map.
fn is_kept(text: &str, reasoning: &Reasoning) {
    let mut machine = Machine::new();
    let call_id = || "cot_1".to_owned();
    machine.update(Message::Start { prompt: text.to_owned(), call_id: call_id() });
    let mut machine = Machine::from_map(machine.to_map()).expect("a machine comes back");
    machine.update(Message::LlmResult { call_id: call_id(), result: Ok(text.into()) });
    assert_eq!(machine.steps, reasoning.steps);
    assert_eq!(machine.conclusion.as_deref(), reasoning.conclusion.as_deref());
    assert_eq!(Machine::from_map(machine.to_map()).expect("a machine comes back"), machine);
}
