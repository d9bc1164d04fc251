//! Every kind of task, and the inputs that lead from one to the other.

use std::{collections::VecDeque, io};

use cot_core::{Reply, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{Note, drive, go, note, outcome, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Archive {
    sources: Vec<String>,
    pages: VecDeque<Note>,
    ranks: Vec<u32>,
    verdicts: Vec<String>,
    count: usize,
    sub: Counted,
}

/// What is to be loaded. It need not be `Debug`.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Source {
    name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Question {
    text: String,
}

async fn load(archive: &Archive, source: &Source) -> Result<Note, io::Error> {
    tokio::task::yield_now().await;
    match source.name.as_str() {
        "missing" => Err(io::Error::other("there is no such page")),
        name => {
            Ok(Note { text: name.to_owned(), rank: u32::try_from(archive.pages.len()).unwrap() })
        }
    }
}

async fn tidy(archive: &Archive) -> Result<(), io::Error> {
    assert!(!archive.pages.is_empty());
    Ok(())
}

fn fits(verdict: &Note, archive: &Archive, question: &Question) -> Result<(), Issues> {
    if question.text.is_empty() || archive.pages.is_empty() {
        return Err(Issues::at("$", "nothing was asked"));
    }
    if verdict.rank > 5 { Err(Issues::at("rank", "at most 5")) } else { Ok(()) }
}

fn judge(verdict: &Note, archive: &mut Archive, question: &Question) -> KindsReviewChoice {
    archive.verdicts.push(format!("{}: {}", question.text, verdict.text));
    match verdict.rank {
        0 => KindsReviewChoice::Load(Source { name: verdict.text.clone() }),
        _ => KindsReviewChoice::Rank,
    }
}

fn even(rank: &Note, _: &Archive, page: &Note) -> Result<(), Issues> {
    if rank.text == page.text { Ok(()) } else { Err(Issues::at("text", "of another page")) }
}

fn mock_rank(_: &Archive, page: &Note) -> Note {
    Note { rank: page.rank + 1, ..page.clone() }
}

fn mock_hub(_: &Archive) -> Reply<()> {
    Reply::go(KindsTask::Done)
}

cot_process! {
    process Kinds {
        state: Archive,
        goal: "all pages",
        intro: "Archive of ${state.pages.len()}",
        prompts: { counted: "${state.sources.len()} sources" },
        model: ["large", "small"],
        budget: { tokens: 1000000, calls: 100, cost: 2.5 },

        task hub {
            wait: 5m,
            prompt: "${part(counted)}",
            transitions: {
                load: "Load the next"
                    with Source { name: state.sources[0].clone() }
                    if !state.sources.is_empty(),
                review: "Ask somebody" with model,
                done,
            },
            on: { exhausted => failed, budget => failed },
            mock: mock_hub,
        }

        task load -> Note {
            inputs: Source,
            run: load,
            max_retries: 1,
            update: {
                pages[] = output,
                sources[] = inputs.name,
            },
            next: {
                review
                    with Question { text: format!("{} of {}?", output.text, inputs.name) }
                    if output.rank == 0,
                hub,
            },
            on: { exhausted => failed },
        }

        task review -> Note {
            inputs: Question,
            ask: "Is this fine?\n${inputs.text} (${goal})",
            check: fits,
            process_output: judge -> [load, rank],
        }

        task rank -> Note {
            for_each: page in state.pages,
            max_concurrency: 2,
            prompt: "Rank ${page.text}",
            full_prompt: "${part(goal)}\n${quoted(part(prompt))}\n${page.rank}",
            check: even,
            mock: mock_rank,
            update: {
                ranks = output.iter().map(|note| note.rank).collect(),
                count = output.len() + state.count,
            },
            next: { tidy if matches!(last_output, Some(KindsOutput::Review(_))), failed },
        }

        task tidy { run: tidy, next: count }

        task count {
            process: Count with CountState::new(state.pages.len()),
            update: { sub.top = output.top, sub.seen = output.seen },
            next: again,
        }

        task again { process: Recount, update: sub, next: hub }
        task failed { fail: "${state.count}" }
        task done { end }
    }
}

cot_process! {
    process Count {
        state: {
            input limit: usize,
            seen: usize = 0,
            top: u32,
        },

        task look -> Note {
            prompt: "Seen ${state.seen} of ${state.limit}",
            update: { seen = state.seen + 1, top = output.rank },
            next: { look if state.seen < state.limit, done },
        }

        task done { end }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Counted {
    seen: usize,
    top: Option<u32>,
}

impl From<&Archive> for Counted {
    fn from(archive: &Archive) -> Self {
        archive.sub.clone()
    }
}

cot_process! {
    process Recount {
        state: Counted,
        task look -> Note { update: { seen = state.seen + 10 }, next: done }
        task done { end }
    }
}

#[test]
fn inputs_items_people_functions_and_processes_go_together() {
    let archive = Archive { sources: vec!["first".into()], ..Archive::default() };
    let mut machine = started::<Kinds>(archive);
    let mut visits = 0;
    let driven = drive(&mut machine, |task, item| match (task, item) {
        ("hub", _) => {
            visits += 1;
            go(if visits > 1 { "done" } else { "load" })
        }
        ("review", _) => note("second", 1),
        ("rank", Some(item)) => note(["first", "second"][item], 7),
        ("count" | "again", _) => note("x", 3),
        other => panic!("{other:?}"),
    });
    assert!(matches!(outcome(&mut machine), KindsOutcome::Done));
    let archive = state(&machine);
    assert_eq!(archive.sources, ["first", "first"]);
    assert_eq!(archive.ranks, [7]);
    assert_eq!(archive.verdicts, ["first of first?: second"]);
    assert_eq!(archive.sub, Counted { seen: 11, top: Some(3) });
    assert_eq!(driven.prompt_of("review"), "Is this fine?\nfirst of first? (all pages)");
    assert!(
        driven.prompt_of("rank").ends_with("Rank first\n```\n0"),
        "{}",
        driven.prompt_of("rank")
    );
    assert!(driven.prompt_of("hub").contains("1 sources"));
}

#[test]
fn a_choice_carries_inputs_and_a_function_fails() {
    let archive = Archive { sources: vec!["first".into()], ..Archive::default() };
    let mut machine = started::<Kinds>(archive);
    drive(&mut machine, |task, _| match task {
        "hub" => go("load"),
        "review" => note("missing", 0),
        other => panic!("{other:?}"),
    });
    assert!(matches!(outcome(&mut machine), KindsOutcome::Failed(why) if why == "0"));
    assert_eq!(state(&machine).verdicts.len(), 1);
}

#[test]
fn a_model_supplies_inputs_and_they_are_validated() {
    let archive = Archive { pages: [Note::default()].into(), ..Archive::default() };
    let mut machine = started::<Kinds>(archive);
    let mut visits = 0;
    let driven = drive(&mut machine, |task, item| match (task, item) {
        ("hub", _) => {
            visits += 1;
            match visits {
                1 => json!({ "intent": "a", "goTo": "review", "stepAfter": "b", "inputs": {} }),
                2 => json!({
                    "intent": "a", "goTo": "review", "stepAfter": "b", "inputs": { "text": "well?" },
                }),
                _ => go("done"),
            }
        }
        ("review", _) => note("fine", 1),
        ("rank", _) => note("", 1),
        ("count" | "again", _) => note("x", 3),
        other => panic!("{other:?}"),
    });
    assert!(matches!(outcome(&mut machine), KindsOutcome::Done));
    assert_eq!(driven.prompt_of("review"), "Is this fine?\nwell? (all pages)");
    assert_eq!(state(&machine).verdicts, ["well?: fine"]);
}

cot_process! {
    process Mocked {
        state: Archive,
        mock_mode: true,
        task hub { transitions: { rank, done }, mock: mock_choice }

        task rank -> Note {
            for_each: page in state.pages,
            prompt: "Rank ${page.text}",
            mock: mock_rank,
            update: { ranks = output.iter().map(|note| note.rank).collect() },
            next: hub,
        }

        task done { end }
    }
}

fn mock_choice(archive: &Archive) -> Reply<()> {
    Reply::go(if archive.ranks.is_empty() { MockedTask::Rank } else { MockedTask::Done })
}

#[tokio::test]
async fn mocks_answer_for_models_and_for_each_item() {
    let pages = [note_of(3), note_of(5)].into();
    let run = Mocked::runner().run(Archive { pages, ..Archive::default() }).await.unwrap();
    assert!(matches!(run.outcome, MockedOutcome::Done));
    assert_eq!(run.state.ranks, [4, 6]);
}

fn note_of(rank: u32) -> Note {
    Note { rank, ..Note::default() }
}
