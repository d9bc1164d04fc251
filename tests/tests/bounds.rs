//! What a run costs at most: random models and people never exceed it, and come near it.

use std::sync::atomic::{AtomicU64, Ordering};

use cot_core::{
    Bound, WorstCase,
    model::ScriptedModel,
    prelude::*,
    testing::{Mixture, Monkey, MonkeyError, MonkeyReport, ReplyKind},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    #[schemars(length(min = 1, max = 20))]
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Word {
    word: String,
}

/// Looks a word up.
async fn look_up(_: &Word) -> Result<String, std::io::Error> {
    Ok("a word".to_owned())
}

cot_process! {
    /// A loop that a list bounds, with engines, retries, a tool and a person.
    process Letters {
        state: { lines: Vec<Line> = Vec::new(), last: Option<Line> = None },
        tools: { look_up: look_up "Explains a word" { approve: person } },
        max_tokens: 100,
        at_most: { calls: 28, questions: 9, output_tokens: 2_800 },

        task write -> Line {
            prompt: "Write a line.",
            model: ["small", "large"],
            retry: { max: 1, backoff: 1ms..1ms },
            max_retries: 0,
            tools: [look_up],
            max_tool_calls: 2,
            update: lines[],
            on: { exhausted => ask, truncated => ask, refused => ask, unreachable => ask },
            next: { write if state.lines.len() < 4, check },
        }

        task check -> Line {
            prompt: "Improve ${json(state.lines)}.",
            max_retries: 3,
            update: { last = Some(output.clone()) },
            next: { ask if state.lines.len() > 3, done },
        }

        task ask -> Line { ask: "Is ${json(state.last)} good?", next: done }
        task done { end }
    }
}

cot_process! {
    /// A loop that `max_steps` bounds, with branches, items and a sub-process.
    process Papers {
        state: {
            lines: Vec<Line> = Vec::new(),
            more: Vec<Line> = Vec::new(),
            all: Vec<Line> = Vec::new(),
        },
        max_steps: 12,
        max_retries: 1,

        task hub {
            prompt: "What now?",
            transitions: { both: "both", each: "each", letters: "letters", done: "end" },
        }

        parallel both [left, right] => joined
        task left -> Line { prompt: "Left.", update: lines[], next: joined }
        task right -> Line { prompt: "Right.", update: more[], next: joined }

        task joined -> Line {
            prompt: "Join ${json(state.lines)} and ${json(state.more)}.",
            next: hub,
        }

        task each -> Line {
            for_each: line in &state.all,
            max_items: 5,
            prompt: "Improve ${json(line)}.",
            update: all,
            on: { exhausted => hub },
            next: hub,
        }

        task letters {
            process: Letters with LettersState::default(),
            on: { exhausted => hub },
            next: hub,
        }

        task done { end }
    }
}

cot_process! {
    /// A loop of two tasks that a list bounds.
    process Report {
        state: { sections: Vec<Line> = Vec::new(), next: Line },
        max_retries: 1,
        max_tokens: 100,
        at_most: { calls: 48, output_tokens: 4_800 },

        task outline -> Line {
            prompt: "What comes after ${json(state.sections)}?",
            update: next,
            next: write,
        }

        task write -> Line {
            prompt: "Write ${json(state.next)}.",
            update: sections[],
            next: { done if state.sections.len() >= 12, outline },
        }

        task done { end }
    }
}

#[tokio::test]
async fn a_model_that_is_right_at_the_last_attempt_reaches_the_bound() {
    let calls = AtomicU64::new(0);
    let model = ScriptedModel::from_fn(move |_| match calls.fetch_add(1, Ordering::Relaxed) % 2 {
        0 => json!("nonsense"),
        _ => json!({ "text": "a line" }),
    });
    let report = Report::runner().model(model).run(ReportState::default()).await.unwrap();
    assert_eq!(worst_case::<Report>().model_calls.get(), Some(report.usage.calls));
}

/// Many failures, so that retries are used up.
fn monkey<P: Process<Context = ()>>(
    state: impl Fn() -> P::State + 'static,
) -> Result<MonkeyReport<P>, MonkeyError<P>> {
    let models = Mixture::only(ReplyKind::Valid)
        .with(ReplyKind::Valid, 60)
        .with(ReplyKind::Invalid, 20)
        .with(ReplyKind::Failed, 20);
    Monkey::<P>::new(state).mixture(models).seed(11).runs(3_000).run()
}

#[test]
fn no_run_exceeds_its_bounds_and_some_come_near_them() {
    let letters = worst_case::<Letters>();
    let used = monkey::<Letters>(LettersState::default).unwrap().most_used();
    println!("letters: {used} of {letters}");
    assert!(
        used.model_calls.times(Bound::at_most(2)) >= letters.model_calls,
        "{used} of {letters}"
    );

    let papers = worst_case::<Papers>();
    let used = monkey::<Papers>(|| PapersState {
        all: vec![Line { text: "a line".to_owned() }; 5],
        ..PapersState::default()
    })
    .unwrap()
    .most_used();
    println!("papers: {used} of {papers}");
    assert!(used.model_calls <= papers.model_calls && used.model_calls.get() > Some(20));
}

fn worst_case<P: Process<Context = ()>>() -> WorstCase {
    let manifest = cot_core::Description::new::<P>().manifest();
    WorstCase::from_fn(|quantity| {
        manifest["bounds"][quantity.key()].as_u64().map_or(Bound::UNBOUNDED, Into::into)
    })
}
