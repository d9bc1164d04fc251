//! Branches that wait at the same time, and the same work by hand.

use std::time::Duration;

use cot_core::{
    Runner,
    model::{BoxFuture, ModelError, ModelReply, ModelRequest},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

/// The time that each call takes.
pub const LATENCY: Duration = Duration::from_millis(50);

/// A model that replies after [`LATENCY`].
#[derive(Debug, Clone, Copy)]
pub struct Slow;

impl LanguageModel for Slow {
    fn reply<'a>(
        &'a self,
        _request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async {
            sleep(LATENCY).await;
            Ok(ModelReply::new(r#"{"text":"a line that somebody may want to read"}"#))
        })
    }
}

/// What a branch finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Finding {
    /// What it says.
    #[schemars(length(min = 1, max = 80))]
    pub text: String,
}

cot_process! {
    /// Searches in three places at the same time, with a call in each.
    pub process Research {
        state: { input topic: String, web: Finding, papers: Finding, code: Finding },

        parallel search [web, papers, code] => done

        task web -> Finding {
            prompt: "Search the web for ${state.topic}.",
            update: web,
            next: done,
        }

        task papers -> Finding {
            prompt: "Search papers for ${state.topic}.",
            update: papers,
            next: done,
        }

        task code -> Finding {
            prompt: "Search code for ${state.topic}.",
            update: code,
            next: done,
        }

        task done { end }
    }
}

/// Searches with `tokio::join!`.
pub async fn by_hand(model: &dyn LanguageModel, topic: &str) -> [Finding; 3] {
    let find = async |place: &str| {
        let request = ModelRequest::new(format!("Search {place} for {topic}."));
        let reply = model.reply(&request).await.expect("the model replies");
        let finding: Finding = serde_json::from_str(&reply.text).expect("a finding");
        assert!((1..=80).contains(&finding.text.len()), "a short finding");
        finding
    };
    let found = tokio::join!(find("the web"), find("papers"), find("code"));
    found.into()
}

/// Searches with a run.
pub async fn on_runner(runner: &Runner<Research>, topic: &str) -> [Finding; 3] {
    let run = runner.run(ResearchState::new(topic.to_owned())).await;
    let state = run.expect("the process has no store").state;
    [state.web, state.papers, state.code].map(|found| found.expect("all branches have ended"))
}
