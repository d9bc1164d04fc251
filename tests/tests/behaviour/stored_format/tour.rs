//! A process with a task of every kind, and another one within. Samples were written by it: it never changes.

use cot_core::{FunctionError, History, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tale::{Tale, ending};

// The output of most tasks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Idea {
    #[schemars(length(min = 1, max = 40))]
    text: String,
    #[schemars(range(max = 1000))]
    rank: u32,
}

impl Idea {
    pub(super) fn new(text: &str, rank: u32) -> Self {
        Self { text: text.to_owned(), rank }
    }
}

// What some tasks are given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Place {
    #[schemars(length(min = 2, max = 20))]
    name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Agreed(bool);

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Journey {
    pub(super) town: String,
    pub(super) log: Vec<String>,
    pub(super) ideas: Vec<Idea>,
    pub(super) places: Vec<String>,
    pub(super) total: u32,
    pub(super) conclusion: Option<String>,
    pub(super) history: History,
}

impl Journey {
    pub(super) fn to(town: &str) -> Self {
        Self { town: town.to_owned(), ..Self::default() }
    }

    /// A tour that goes on with the ideas that there are.
    pub(super) fn later() -> Self {
        let ideas = vec![Idea::new("a bridge", 3), Idea::new("the new port", 600)];
        Self { ideas, log: vec!["visit".to_owned()], ..Self::to("Porto") }
    }

    fn last(&self) -> &str {
        self.log.last().map_or("", String::as_str)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Roster {
    names: Vec<String>,
    ideas: Vec<Idea>,
    total: u32,
    is_agreed: bool,
}

impl From<&Journey> for Roster {
    fn from(journey: &Journey) -> Self {
        Self { names: journey.places.clone(), ..Self::default() }
    }
}

async fn rate(idea: &Idea, _: &Roster) -> Result<Result<(), Issues>, FunctionError> {
    Ok(is_high(idea))
}

async fn weigh(idea: &Idea, _: &Journey) -> Result<(), Issues> {
    is_high(idea)
}

fn is_high(idea: &Idea) -> Result<(), Issues> {
    if idea.rank == 0 { Err(Issues::at("rank", "must not be 0")) } else { Ok(()) }
}

async fn count(roster: &Roster) -> Result<u32, FunctionError> {
    u32::try_from(roster.names.len()).map_err(FunctionError::new)
}

fn is_new(idea: &Idea, journey: &Journey) -> Result<(), Issues> {
    match idea.text == journey.town {
        true => Err(Issues::at("text", "is the town itself")),
        false => Ok(()),
    }
}

fn choose(idea: &Idea, journey: &mut Journey) -> Result<TourWriteChoice, Issues> {
    journey.total += 1;
    Ok(match idea.rank {
        0 => TourWriteChoice::Hub,
        _ => TourWriteChoice::Visit(Place { name: "the gate".to_owned() }),
    })
}

async fn visit(journey: &Journey, place: &Place) -> Result<Idea, FunctionError> {
    match journey.ideas.len() {
        0 | 1 => Err(FunctionError::new(format!("{} is closed", place.name))),
        known => Ok(Idea::new(&place.name, known as u32)),
    }
}

fn is_elsewhere(idea: &Idea, _: &Journey, place: &Place) -> Result<(), Issues> {
    match idea.text == place.name {
        true => Err(Issues::at("text", format!("is {} itself", place.name))),
        false => Ok(()),
    }
}

fn consolation(journey: &Journey) -> Idea {
    Idea::new("a bench", journey.log.len() as u32)
}

cot_process! {
    pub(super) process Team {
        state: Roster,
        history: { max_items: 2 },
        max_retries: 1,
        primers: { history: "History:", errors: "Wrong:", output: "Format:" },
        default_return: agree,
        task plan -> Idea { prompt: "[[plan]]", check: async rate, update: ideas[], next: each }

        task each -> Idea {
            for_each: name in state.names,
            max_concurrency: 2,
            prompt: "[[about ${name}]]",
            update: { ideas = output },
            next: rest,
        }

        task rest { wait: 5m, next: count }
        task count -> u32 { run: count, update: { total = output } }

        task agree -> Agreed {
            ask: "[[agree]] on ${state.ideas.len()} ideas?",
            update: { is_agreed = output.0 },
            next: { done if output.0, failed },
        }

        task failed { fail: "no agreement" }
        task done { end }
    }
}

cot_process! {
    /// Shows somebody round a town.
    pub(super) process Tour {
        state: Journey,
        goal: "See ${state.town}",
        system: "You know ${process.name}.",
        primers: {
            goal: "Goal:",
            history: "History:",
            errors: "Wrong:",
            transitions: "Ways:",
            output: "Format:",
        },
        model: ["large", "small"],
        max_retries: 2,
        max_steps: 60,
        timeout: 2h,
        budget: { tokens: 90000, calls: 90, cost: 90 },
        history: { max_items: 3, state_max_items: 2 },
        start: hub,
        sequence tail [weigh, think, long]

        /// Decides.
        task hub {
            wait: 1s,
            timeout: 90s,
            prompt: "[[hub ${state.last()}]]",
            transitions: {
                write: "Write an idea down",
                ask with model if !state.ideas.is_empty(),
                each if state.ideas.len() > 1,
                done if state.total > 3,
            },
            on: { exhausted => failed, timeout => failed },
        }

        task write -> Idea {
            prompt: "[[write]] of ${quoted(&state.town)}",
            check: is_new,
            update: { ideas[] = output, log[] = "write".to_owned() },
            process_output: choose -> [visit, hub],
        }

        task visit -> Idea {
            inputs: Place,
            run: visit,
            max_retries: 1,
            timeout: 30s,
            update: { ideas[] = output, places[] = inputs.name, log[] = "visit".to_owned() },
            on: { exhausted => console, timeout => console },
        }

        task console -> Idea {
            prompt: "[[console]]",
            mock: consolation,
            mock_mode: true,
            update: { log[] = "console".to_owned() },
            next: hub,
        }

        task ask -> Idea {
            inputs: Place,
            ask: "[[ask]] What is there in ${inputs.name}?",
            timeout: 60s,
            check: is_elsewhere,
            update: { ideas[] = output, log[] = "ask".to_owned() },
            on: { timeout => failed },
            next: { visit with Place { name: output.text } if output.rank > 500, hub },
        }

        task each -> Place {
            wait: 2s,
            for_each: idea in state.ideas,
            max_concurrency: 3,
            timeout: 40s,
            prompt: "[[where ${idea.text}]]",
            update: {
                places = output.iter().map(|place| place.name.clone()).collect::<Vec<_>>(),
                log[] = "each".to_owned(),
            },
            next: { team if !state.places.is_empty(), failed },
        }

        task team {
            process: Team,
            timeout: 10m,
            update: { total = state.total + output.total, log[] = "team".to_owned() },
            on: { timeout => failed },
            next: { done if state.town == "Porto", weigh },
        }

        task weigh -> Idea {
            prompt: "[[weigh]]",
            check: async weigh,
            update: { ideas[] = output, log[] = "weigh".to_owned() },
        }

        task think {
            reason: "[[think]] Is ${state.town} worth it?",
            update: { conclusion = output.conclusion, log[] = "think".to_owned() },
        }

        task long -> Idea {
            prompt: "[[long]]",
            no_history,
            temperature: 0.5,
            max_tokens: 20,
            model: "small",
            update: ideas[],
            on: { truncated => balk },
            next: failed,
        }

        task balk -> Idea {
            prompt: "[[balk]]",
            model: "small",
            update: ideas[],
            on: { refused => calm },
            next: failed,
        }

        task calm -> Idea {
            full_prompt: "[[calm]] ${part(history)} ${part(output)}",
            no_history,
            update: { log[] = "calm".to_owned() },
            next: gate,
        }

        task gate { next: { hub if state.log.len() > 5, failed } }
        task failed { fail: "lost in ${state.town}" }
        task done { end }
    }
}

impl Tale for Tour {
    fn ended(outcome: &TourOutcome) -> Value {
        ending(outcome.halt(), outcome)
    }
}
