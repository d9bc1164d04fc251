//! What prompts show of the history, and what enters it.

use cot_core::{Machine, PartialPrompt, PromptMode, prelude::*};
use serde_json::json;

use crate::drive::{Note, go, history, note, prompt, reply, started};

cot_process! {
    process Kept {
        state: u32,
        primers: { history: "history:" },
        history: { max_items: 2 },
        default_return: hub,
        task hub -> Note { transitions: { quiet, done } }
        task quiet -> Note { no_history, transitions: { hub } }
        task done { end }
    }
}

cot_process! {
    process Forgetful {
        state: u32,
        history: none,
        primers: { output: "format:" },
        task hub -> Note { next: { done if *state > 9, hub } }
        task done { end }
    }
}

fn shown<P: Process<Context = ()>>(machine: &mut Machine<P>) -> String {
    let history = PartialPrompt::new(PromptMode::HistoryOnly);
    machine.poll();
    machine.partial_prompt(&history).unwrap()
}

#[test]
fn entries_are_added_by_hand_within_the_bounds() {
    let mut machine = started::<Kept>(0);
    reply(&mut machine, note("a", 1));
    machine.add_history(&json!({ "by": "hand", "lines": ["x\ny"] })).unwrap();
    assert_eq!(
        shown(&mut machine),
        "history:\n[{\"task\":\"hub\",\"output\":{\"text\":\"a\",\"rank\":1}},\
         {\"by\":\"hand\",\"lines\":[\"x\\ny\"]}]"
    );
    machine.add_history("plain").unwrap();
    assert_eq!(history(&machine), json!(["plain"]));
    let bad = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert!(machine.add_history(&bad).is_err());
    assert_eq!(machine.history().len(), 1);
}

#[test]
fn a_task_without_history_adds_nothing_and_shows_it() {
    let mut machine = started::<Kept>(0);
    reply(&mut machine, go("quiet"));
    let before = history(&machine);
    assert!(prompt(&mut machine).contains("history:\n[{"));
    reply(&mut machine, go("hub"));
    assert_eq!(history(&machine), before);
    reply(&mut machine, go("quiet"));
    reply(&mut machine, note("b", 1));
    assert!(!history(&machine).to_string().contains("output"));
}

#[test]
fn a_process_without_history_tracks_nothing() {
    let mut machine = started::<Forgetful>(0);
    reply(&mut machine, note("a", 1));
    machine.add_history("by hand").unwrap();
    assert!(machine.history().is_empty());
    assert!(prompt(&mut machine).starts_with("format:"));
}
