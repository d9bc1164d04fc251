//! The description as text.

use cot_core::prelude::*;

use crate::processes::{Library, Note, Office};

#[test]
fn says_everything_in_words() {
    let expected = include_str!("office.txt");
    let text = Office::describe().text();
    assert_eq!(text, expected, "\n{text}");
    assert_eq!(Office::describe().to_string(), text);
}

#[test]
fn the_mermaid_text_is_that_of_the_documentation() {
    let mermaid = Library::describe().mermaid();
    assert!(mermaid.starts_with("flowchart TD\n"), "{mermaid}");
    assert!(mermaid.contains("t0 -->|\"Once more\"| t0"), "{mermaid}");
}

cot_process! {
    process Chain {
        state: String,
        task a { transitions: { b, done } }
        task b { next: c }
        task c -> Note { prompt: "?" }
        task done { end }
    }
}

cot_process! {
    process Alone {
        state: String,
        task only -> Note { prompt: "?", may_end }
    }
}

#[test]
fn the_way_back_leads_to_whoever_called() {
    let text = Chain::describe().text();
    assert!(
        text.contains("before the first value\n   -> a: when it was the calling task\n\n4. done"),
        "{text}"
    );
    assert!(!text.contains("end of the run"), "{text}");
    let text = Alone::describe().text();
    assert!(text.contains("-> the end of the run, when no task has called it"), "{text}");
}

cot_process! {
    process Aloud {
        state: Vec<String>,
        task think { reason: "?", max_tokens: 500, next: each }
        task each { for_each: item in state.iter(), reason: "Why ${item}?", next: done }
        task done { end }
    }
}

#[test]
fn tasks_that_reason_are_known_by_it() {
    let text = Aloud::describe().text();
    let think =
        "1. think (has a model think step by step)\n   Output: Reasoning\n   Settings: at most";
    assert!(text.contains(think), "{text}");
    let each = "2. each (has a model think step by step about each item)\n   Output: Reasoning for each item";
    assert!(text.contains(each), "{text}");

    let manifest = Aloud::describe().manifest();
    let kinds = [0, 1, 2].map(|task| {
        let task = &manifest["tasks"][task];
        (task["kind"].as_str().unwrap().to_owned(), task["reasons"] == true)
    });
    assert_eq!(
        kinds.each_ref().map(|(kind, reasons)| (kind.as_str(), *reasons)),
        [("ai", true), ("for_each", true), ("end", false)]
    );
    assert_eq!(manifest["tasks"][0]["output"]["type"], "Reasoning");
}
