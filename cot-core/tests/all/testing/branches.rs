//! The monkey over branches: no prompt depends on the order in which they commit, also after a resumption.

use cot_core::{
    prelude::*,
    testing::{Mixture, Monkey, ReplyKind},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of runs; that of a long test if the environment asks for it.
fn runs(usual: u64) -> u64 {
    if std::env::var_os("COT_LONG").is_some() { 2000 } else { usual }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Finding {
    pub text: String,
}

cot_process! {
    /// The example of the guide on branches.
    process Research {
        state: { input topic: String, web: Finding, papers: Finding, report: Finding },
        parallel search [web, papers] => report

        task web -> Finding {
            prompt: "Search the web for ${state.topic}.",
            update: web,
            next: report,
        }

        task papers -> Finding {
            prompt: "Read papers on ${state.topic}.",
            update: papers,
            next: report,
        }

        task report -> Finding {
            prompt: "Sum up:\n${state.web.text}\n${state.papers.text}",
            update: report,
            next: done,
        }

        task done { end }
    }
}

#[test]
fn the_example_of_the_guide_can_be_resumed_anywhere() {
    let report = Monkey::<Research>::new(|| ResearchState::new("ships".to_owned()));
    let report = report.runs(runs(600)).run().unwrap_or_else(|error| panic!("{error}"));
    assert!(report.ended("done") > report.runs() / 2, "{report}");
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Inquiry {
    facts: Vec<Finding>,
    doubts: Vec<Finding>,
    words: Vec<String>,
    opinions: Vec<Finding>,
    rounds: u32,
}

async fn look_up(_: &Inquiry) -> Result<Finding, std::io::Error> {
    Err(std::io::Error::other("the monkey calls no function"))
}

cot_process! {
    /// Loops, lists, people, functions and further branches in branches, with a bounded history.
    process Inquire {
        state: Inquiry,
        history: { max_items: 5 },
        max_steps: 40,

        parallel split [facts, doubts, opinions] => sum_up {
            join: settled,
        }

        task facts -> Finding {
            prompt: "A fact.",
            update: { facts[] = output, rounds = state.rounds + 1 },
            next: { facts if state.rounds < 4, look },
        }

        task look -> Finding { run: look_up, update: facts[], next: sum_up }

        parallel doubts [first, second] => third
        task first -> Finding { prompt: "Doubt it.", next: first_again }
        task first_again -> Finding { prompt: "Doubt it again.", next: third }
        task second -> Finding { ask: "A doubt?", next: third }
        task third -> Finding { prompt: "Sum the doubts up.", update: doubts[], next: sum_up }

        task opinions -> Finding {
            for_each: word in state.words,
            prompt: "What do you think of ${word}?",
            update: opinions,
            next: opinion,
        }

        task opinion -> Finding { prompt: "Sum the opinions up.", next: sum_up }

        task sum_up { prompt: "All in all?", transitions: { split: "Again", done: "Enough" } }
        task done { end }
    }
}

#[test]
fn branches_of_all_kinds_can_be_resumed_anywhere() {
    let valid = Mixture::only(ReplyKind::Valid).with(ReplyKind::Invalid, 1);
    for mixture in [Mixture::default(), valid] {
        let words = vec!["ships".to_owned(), "rain".to_owned()];
        let state = move || Inquiry { words: words.clone(), ..Inquiry::default() };
        let monkey = Monkey::<Inquire>::new(state).mixture(mixture).runs(runs(60)).seed(3);
        let report = monkey.run().unwrap_or_else(|error| panic!("{error}"));
        assert!(report.ended("done") > 0, "{report}");
    }
}
