//! Every kind of task and a declared state, with every lint that users may deny.
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    missing_debug_implementations
)]
#![deny(clippy::all, clippy::pedantic)]
#![expect(
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "the lint is about functions that a process prescribes"
)]

use std::{collections::BTreeMap, io};

use cot_core::{Reply, prelude::*, reasoning::Reasoning};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A page.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Page {
    /// Its text.
    pub text: String,
}

async fn load(state: &KindsState, inputs: &Page) -> Result<Page, io::Error> {
    std::future::ready(()).await;
    if state.pages.is_empty() { Err(io::Error::other("none")) } else { Ok(inputs.clone()) }
}

fn check(output: &Page, state: &KindsState, page: &Page) -> Result<(), Issues> {
    if output.text == page.text || state.plan.is_none() {
        Ok(())
    } else {
        Err(Issues::at("$", "no"))
    }
}

fn judge(
    output: &Page,
    state: &mut KindsState,
    inputs: &Page,
) -> Result<KindsReviewChoice, Issues> {
    state.request.push_str(&inputs.text);
    Ok(if output.text.is_empty() {
        KindsReviewChoice::Hub
    } else {
        KindsReviewChoice::Load(output.clone())
    })
}

fn concludes(output: &Reasoning, _: &KindsState) -> Result<(), Issues> {
    if output.conclusion.is_some() { Ok(()) } else { Err(Issues::at("$", "has no conclusion")) }
}

fn thought(_: &KindsState) -> Reasoning {
    Reasoning::parse("1. It is late.\nSo: go home.")
}

fn mock(_: &KindsState, page: &Page) -> Reply<Page> {
    page.clone().into()
}

fn words(scope: &Scope<'_, Kinds>) -> String {
    scope.state.request.clone()
}

cot_process! {
    /// Every kind of task.
    process Kinds {
        state: {
            /// What is wanted.
            input request: String,
            input limit: usize,
            pages: Vec<Page> = vec![],
            named: BTreeMap<String, Page> = BTreeMap::new(),
            plan: Page,
            draft: Page,
        },
        prompts: { planned: "${state.plan.text} and ${json(state.draft?)}" },
        model: ["large", "small"],
        budget: { tokens: 1000, calls: 50, cost: 0.5 },
        mock_mode: false,

        task plan -> Page {
            prompt: "Plan ${state.request}",
            update: { plan = output, plan.text = format!("{}!", output.text), pages[] = output },
            next: hub,
        }

        task hub {
            prompt: "${part(planned)} ${last_output.is_some()} ${state.limit}",
            transitions: {
                load: "Load ${state.pages.len()}"
                    with state.plan
                    if state.pages.len() < state.limit,
                review with model,
                scan,
                done,
            },
            on: {
                exhausted => failed,
                truncated => failed,
                refused => failed,
                timeout => failed,
                budget => failed,
            },
        }

        task load -> Page {
            wait: 1s,
            inputs: Page,
            run: load,
            timeout: 5s,
            update: {
                pages[] = output,
                draft = inputs,
                named["last"] = Page { text: state.plan.text.clone() },
            },
            next: { review with output if !output.text.is_empty(), hub },
        }

        task review -> Page {
            inputs: Page,
            ask: "Is ${quoted(&inputs.text)} fine?",
            process_output: judge -> [load, hub],
        }

        task scan -> Page {
            for_each: page in state.pages.iter().take(state.limit),
            max_concurrency: 4,
            prompt: "Read ${page.text}",
            full_prompt: "${part(goal)} ${part(prompt)} ${list([part(output)])}",
            errors_primer: "Wrong for ${page.text}:",
            check: check,
            mock: mock,
            mock_mode: true,
            update: { pages = output },
            next: sub,
        }

        task sub {
            process: elsewhere::Shadowed with elsewhere::start(&state.request),
            update: { request = output.text },
            next: { again if output.text.is_empty(), think },
        }

        task think {
            reason: "Is ${part(planned)} good?",
            errors_primer: "Wrong:",
            check: concludes,
            mock: thought,
            update: { request = output.conclusion.unwrap_or_default() },
            next: { muse if output.steps.len() > 3, hub },
        }

        task muse {
            for_each: page in &state.pages,
            reason: "What follows from ${page.text}?",
            update: { request = format!("{} thoughts", output.len()) },
            next: hub,
        }

        task again { process: elsewhere::Shadowed, update: { request = output.text }, next: hub }
        task failed { fail: words }
        task done { end }
    }
}

mod elsewhere {
    //! A process in a module, among shadowed names.
    #![allow(dead_code, missing_debug_implementations)]

    use serde::{Deserialize, Serialize};

    #[derive(Clone, Serialize, Deserialize)]
    pub(super) struct Text {
        pub(super) text: std::string::String,
    }

    impl From<&super::KindsState> for Text {
        fn from(state: &super::KindsState) -> Self {
            start(&state.request)
        }
    }

    pub(super) fn start(text: &str) -> Text {
        Text { text: text.to_owned() }
    }

    struct String;
    struct Vec;
    enum Option {}
    enum Result {}
    mod core {}

    async fn look(_: &Text) -> ::std::result::Result<super::Page, ::std::io::Error> {
        Ok(super::Page { text: "x".to_owned() })
    }

    ::cot_core::cot_process! {
        /// Documented.
        pub(super) process Shadowed {
            state: Text,
            task r#type -> super::Page { run: look, update: { text = output.text }, next: end }

            task end -> super::Page {
                for_each: letter in state.text.chars(),
                prompt: "${letter}",
                next: finish,
            }

            task finish { end }
        }
    }
}

pub(super) fn main() {
    let _ = (Kinds::runner(), Kinds::machine(), elsewhere::Shadowed::runner());
    let state = KindsState::new("x".to_owned(), 3);
    assert!(state.plan.is_none() && state.pages.is_empty());
}
