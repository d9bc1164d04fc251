//! Titles, descriptions, doc comments, and what transition lists show of them.

use cot_core::prelude::*;

use crate::drive::{Note, go, outcome, prompt, reply, started};

cot_process! {
    /// A process
    /// of two lines.
    process Labels {
        state: u32,

        task hub {
            prompt: "${process.description}",
            transitions: {
                labelled: "Label ${state}",
                described,
                documented,
                both,
                titled,
                bare,
            },
        }

        task labelled { title: "T", description: "D", end }
        task described { title: "Title 2", description: "Description 2", end }
        /// Doc of
        /// three.
        task documented { title: "Title 3", end }
        /// Doc 4
        task both { description: "Description 4", end }
        task titled { title: "Title 5", end }
        task bare { end }
    }
}

/// What the list of transitions says of a task.
fn line(task: &str) -> String {
    let prompt = prompt(&mut started::<Labels>(7));
    let prefix = format!("- \"{task}\": ");
    let line = prompt.lines().find_map(|line| line.strip_prefix(&prefix));
    line.unwrap_or_else(|| panic!("no {task} in {prompt}")).to_owned()
}

#[test]
fn a_label_is_a_template() {
    assert_eq!(line("labelled"), "Label 7");
}

#[test]
fn without_a_label_the_description_stands_then_the_title_then_the_name() {
    assert_eq!(line("described"), "Description 2");
    assert_eq!(line("titled"), "Title 5");
    assert_eq!(line("bare"), "bare");
}

#[test]
fn a_doc_comment_is_the_description_when_none_is_given() {
    assert_eq!(line("documented"), "Doc of three.");
    assert_eq!(line("both"), "Description 4");
    assert!(prompt(&mut started::<Labels>(7)).contains("A process of two lines."));
}

#[test]
fn tasks_have_the_names_of_their_declaration() {
    let names: Vec<_> = LabelsTask::ALL.iter().map(|task| task.name()).collect();
    assert_eq!(names, ["hub", "labelled", "described", "documented", "both", "titled", "bare"]);
    assert_eq!(LabelsTask::Bare.to_string(), "bare");
    assert_eq!(serde_json::to_string(&LabelsTask::Bare).unwrap(), "\"bare\"");
}

cot_process! {
    process Raw {
        state: u32,
        task r#loop -> Note { prompt: "${task.name}", transitions: { r#loop, r#match }, may_end }
        task r#match { end }
    }
}

#[test]
fn a_name_that_is_a_keyword_is_plain_for_everybody_who_sees_it() {
    let mut machine = started::<Raw>(0);
    let request = reply(&mut machine, go("loop"));
    assert!(request.prompt().contains("- \"match\": match"));
    assert!(!request.prompt().contains("r#"));
    assert_eq!(machine.history().last().map(|entry| entry.task()), Some("loop"));
    let names: Vec<_> = RawTask::ALL.iter().map(|task| task.name()).collect();
    assert_eq!(names, ["loop", "match"], "the same name as prompts, history and snapshots have");
    reply(&mut machine, go("match"));
    assert!(matches!(outcome(&mut machine), RawOutcome::Match));
}

#[test]
fn every_terminal_is_an_outcome_of_its_own() {
    let ended = |task: &str| {
        let mut machine = started::<Labels>(0);
        reply(&mut machine, go(task));
        outcome(&mut machine)
    };
    assert!(matches!(ended("bare"), LabelsOutcome::Bare));
    assert!(matches!(ended("titled"), LabelsOutcome::Titled));
    assert!(ended("both").halt().is_none());
}
