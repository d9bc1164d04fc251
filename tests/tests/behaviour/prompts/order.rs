//! The order of the parts of prompts that a process sets.

use cot_core::prelude::*;

use crate::drive::{Note, after, go, prompt, started};

cot_process! {
    process Ordered {
        state: Vec<String>,
        goal: "GOAL",
        intro: "INTRO",
        order: [prompt, transitions, output, history, errors, goal, intro],
        primers: { goal: "", history: "", errors: "", transitions: "WAYS", output: "FORMAT" },

        task write -> Note {
            prompt: "PROMPT ${state.len()}",
            transitions: { write, done if state.is_empty() },
            next: write,
        }

        task done { end }
    }
}

fn positions(text: &str, words: &[&str]) -> Vec<usize> {
    words.iter().map(|word| text.find(word).unwrap_or_else(|| panic!("{word} in {text}"))).collect()
}

#[test]
fn parts_stand_in_the_order_of_the_process() {
    let first = prompt(&mut started::<Ordered>(Vec::new()));
    let found = positions(&first, &["PROMPT 0", "WAYS", "\"done\"", "FORMAT", "GOAL", "INTRO"]);
    assert!(found.is_sorted(), "{first}");

    let mut machine = after::<Ordered, _>(Vec::new(), [go("write"), "no".into()]);
    let retry = prompt(&mut machine);
    let words = ["PROMPT 0", "WAYS", "FORMAT", "\"goTo\":\"write\"", "\n- $", "GOAL", "INTRO"];
    assert!(positions(&retry, &words).is_sorted(), "{retry}");
    assert_eq!(retry.matches("WAYS").count(), 1);
}
