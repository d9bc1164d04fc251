//! Reasoning as the output of a task.

use cot_core::{model::ScriptedModel, prelude::*, reasoning::Reasoning};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The reasoning of a process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Thought {
    steps: usize,
    conclusion: Option<String>,
}

cot_process! {
    /// Reasons once.
    process Think {
        state: Thought,

        task think -> Reasoning {
            prompt: "What is 2 + 2?",
            update: { steps = output.steps.len(), conclusion = output.conclusion },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn a_task_may_ask_for_reasoning_as_json() {
    let model = ScriptedModel::new([
        json!({ "steps": [{ "number": -1, "content": "add" }], "conclusion": "4" }),
        json!({ "steps": [{ "number": 1, "content": "add" }], "conclusion": "4" }),
    ]);
    let run = Think::runner().model(model).run(Thought::default()).await.unwrap();
    assert_eq!((run.state.steps, run.state.conclusion.as_deref()), (1, Some("4")));
}
