//! The layout of prompts in descriptions.

use std::collections::BTreeMap;

use cot_core::{Description, Example, Machine, Process, Stability, model::Turn, prelude::*};
use serde_json::{Value, json};

use crate::processes::{Desk, Note, Office};

fn notes() -> Vec<Example<Note>> {
    vec![Example::new("long text", Note { words: "short".to_owned() })]
}

cot_process! {
    process Fixed {
        state: Desk,
        intro: "You read pages.  \n",
        system: "Be brief.",
        prompts: { manners: "Be kind. " },
        history: none,

        task read -> Note {
            prompt: "Read it. ${part(manners)}",
            transitions: { read, load: "Load a page" with model, done: "Nothing ${LIMIT} else" },
            next: done,
        }

        task load { inputs: Note, next: { done if inputs.words.is_empty(), read } }
        task done { end }
    }
}

const LIMIT: &str = "";

cot_process! {
    process Mixed {
        state: Desk,
        goal: "Tidy up",
        intro: "There are ${state.notes.len()} notes of ${goal}.",
        primers: { goal: "GOAL", output: "", transitions: "WAYS:\n" },

        task sort -> Note {
            prompt: "Sort.",
            examples: notes,
            turns: vec![Turn::user("Please")],
            transitions: { done: "Enough", sort: "Once more" if state.notes.is_empty() },
            update: notes[],
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    process Ordered {
        state: Desk,
        goal: "Tidy up",
        order: [prompt, intro, goal, output, errors, transitions, history],
        intro: "INTRO ${goal}",
        task think { reason: "What is ${json(state.found)}?", next: done }
        task done { end }
    }
}

cot_process! {
    process Full {
        state: Desk,
        intro: "INTRO ",

        task write -> Note {
            full_prompt: "${part(intro)} Write ${json(&state.pages)} now. ",
            next: done,
        }

        task done { end }
    }
}

fn layout<P: Process<Context = ()>>(task: usize) -> Value {
    Description::new::<P>().manifest()["tasks"][task]["layout"].clone()
}

/// A full prompt is one section, whatever parts it shows: system message, prompt, errors.
const FULL_PROMPT_SECTIONS: usize = 3;

/// Checks the layout of the first task against its first request. Returns the fixed prefix of the layout and
/// that of the request.
#[track_caller]
fn prefixes<P: Process<Context = (), State = Desk>>() -> (usize, usize) {
    let mut machine = Machine::<P>::new();
    machine.start(Desk::default()).unwrap();
    let segments = machine.prompt().unwrap().segments();
    let mut sent: BTreeMap<&str, usize> = BTreeMap::new();
    for segment in segments.iter().filter(|it| it.stability == Stability::Fixed) {
        *sent.entry(segment.part.as_str()).or_default() += segment.bytes();
    }
    let layout = layout::<P>(0);
    let mut expected: BTreeMap<&str, usize> = BTreeMap::new();
    for section in layout["sections"].as_array().unwrap() {
        let part = section["part"].as_str().unwrap();
        // They are not in the segments of a first request.
        if !["examples", "turns", "history", "errors"].contains(&part) {
            let bytes = section["fixed_bytes"].as_u64().unwrap();
            *expected.entry(part).or_default() += usize::try_from(bytes).unwrap();
        }
    }
    if layout["sections"].as_array().unwrap().len() > FULL_PROMPT_SECTIONS {
        assert_eq!(sent, expected, "{segments:#?} {layout:#}");
    }
    let total = |bytes: &BTreeMap<&str, usize>| bytes.values().sum::<usize>();
    assert_eq!(total(&sent), total(&expected), "{segments:#?} {layout:#}");
    let fixed_prefix = usize::try_from(layout["fixed_prefix"].as_u64().unwrap()).unwrap();
    (fixed_prefix, segments.longest_fixed_prefix())
}

#[test]
fn the_fixed_text_is_that_of_requests() {
    for (layout, request) in [prefixes::<Ordered>(), prefixes::<Full>(), prefixes::<Office>()] {
        assert_eq!(layout, request);
    }
    // The text before the errors follows in a retry.
    let (layout, request) = prefixes::<Fixed>();
    assert_eq!(layout, request + "\n\nYour last reply was not accepted:\n".len());
    // Turns precede the prompt.
    let (layout, _) = prefixes::<Mixed>();
    assert_eq!(layout, 31 + "long text{\"words\":\"short\"}".len());
}

#[test]
fn sections_are_in_the_order_of_the_request() {
    let parts = |layout: Value| -> Vec<(String, String)> {
        let sections = layout["sections"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        sections.map(|it| (text(&it["part"]), text(&it["stability"]))).collect()
    };
    let expected = |parts: &[(&str, &str)]| -> Vec<(String, String)> {
        parts.iter().map(|(part, it)| ((*part).to_owned(), (*it).to_owned())).collect()
    };
    assert_eq!(
        parts(layout::<Mixed>(0)),
        expected(&[
            ("system", "fixed"),
            ("examples", "fixed"),
            ("turns", "volatile"),
            ("goal", "per_run"),
            ("prompt", "fixed"),
            ("transitions", "fixed"),
            ("output", "fixed"),
            ("history", "growing"),
            ("intro", "volatile"),
            ("transitions", "volatile"),
            ("errors", "volatile"),
        ])
    );
    assert_eq!(
        parts(layout::<Ordered>(0)),
        expected(&[
            ("system", "fixed"),
            ("prompt", "per_run"),
            ("intro", "per_run"),
            ("goal", "per_run"),
            ("output", "fixed"),
            ("errors", "volatile"),
            ("history", "growing"),
        ])
    );
    assert_eq!(layout::<Fixed>(1), Value::Null);
    let totals = |layout: Value| json!([layout["per_run"], layout["growing"], layout["volatile"]]);
    assert_eq!(totals(layout::<Mixed>(0)), json!([2, 1, 4]));
    assert_eq!(totals(layout::<Ordered>(0)), json!([3, 1, 1]));
}

mod reworded {
    use cot_core::prelude::*;

    use crate::processes::{Desk, Note};

    cot_process! {
        pub(super) process Full {
            state: Desk,
            intro: "Intro ",

            task write -> Note {
                full_prompt: "${part(intro)} Write ${json(&state.pages)} now. ",
                next: done,
            }

            task done { end }
        }
    }
}

#[test]
fn hashes_tell_sections_apart() {
    let hashes = |layout: Value| -> Vec<Value> {
        layout["sections"].as_array().unwrap().iter().map(|it| it["hash"].clone()).collect()
    };
    let (old, new) = (hashes(layout::<Full>(0)), hashes(layout::<reworded::Full>(0)));
    assert_eq!(old, hashes(layout::<Full>(0)));
    assert_eq!((old[0] == new[0], old[1] == new[1], old[2] == new[2]), (true, false, true));
}

#[test]
fn the_text_has_a_line_for_the_layout() {
    let text = Full::describe().text();
    let expected = "   Layout: system 31, prompt 18 (per run), errors ";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains(" bytes, 43 of them before the first value\n"), "{text}");
}
