//! What a runner lacks.

use cot_core::{MockMode, RunError, model::ScriptedModel, prelude::*};
use serde::{Deserialize, Serialize};

use super::shown;
use crate::drive::Note;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Nothing {
    notes: Vec<Note>,
}

cot_process! {
    pub(crate) process Deep {
        state: Nothing,
        model: "deep",

        task low -> Note {
            model: ["deep", "deepest"],
            mock: empty,
            update: { notes[] = output },
            next: ask,
        }

        task ask -> Note { ask: "Well?", mock: empty, update: { notes[] = output }, next: end }
        task end { end }
    }
}

cot_process! {
    pub(crate) process High {
        state: Nothing,

        task top -> Note { mock: empty, update: { notes[] = output }, next: one }
        task one { process: Deep with Nothing::default(), next: two }
        task two { process: Deep with Nothing::default(), next: each }

        task each -> Note {
            for_each: _item in state.notes.iter(),
            full_prompt: "each",
            model: ["small", "large"],
            mock: empty_for,
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

fn empty(_: &Nothing) -> Note {
    Note::default()
}

fn empty_for(_: &Nothing, _: &Note) -> Note {
    Note::default()
}

#[tokio::test]
async fn all_that_is_missing_is_named_once_also_within_lists_and_processes() {
    let runner = High::runner().engine("large", ScriptedModel::new([""])).person(async |_| "");
    let error = runner.run(Nothing::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no default model, needed by `top`; no model for engine `deep`, needed by `low`; \
         no model for engine `deepest`, needed by `low`; \
         no model for engine `small`, needed by `each`; registered: `large`"
    );
    let error = High::runner().run(Nothing::default()).await.unwrap_err();
    assert!(matches!(&error, RunError::NobodyAnswers { tasks } if *tasks == ["ask"]), "{error}");
}

#[tokio::test]
async fn where_all_is_mocked_nothing_is_missing() {
    let run = High::runner().mock_mode(true).run(Nothing::default()).await.unwrap();
    assert_eq!((shown(&run.outcome), run.state.notes.len()), ("Done".into(), 1));
    assert_eq!(run.usage.calls, 0);
}

#[tokio::test]
async fn what_is_mocked_needs_no_model_also_within_processes() {
    let missing = async |mode| {
        let runner = High::runner().engine("large", ScriptedModel::new([""])).mock_mode(mode);
        let error = runner.run(Nothing::default()).await.unwrap_err().to_string();
        error.split(" people, and").next().unwrap_or_default().to_owned()
    };
    // Both tasks that run the process are left out, and then one of them.
    let mode = MockMode::Only(vec![HighTask::Top, HighTask::Each]);
    assert_eq!(missing(mode).await, "`ask` ask");
    let mode = MockMode::Only(vec![HighTask::One, HighTask::Two, HighTask::Each]);
    let only_top = "no default model, needed by `top`; registered: `large`";
    assert_eq!(missing(mode).await, only_top);
    let mode = MockMode::Except(vec![HighTask::Top, HighTask::Two]);
    assert_eq!(missing(mode).await, "`ask` ask");
    let mode = MockMode::Except(vec![HighTask::Top]);
    let model = ScriptedModel::new([serde_json::json!({ "text": "asked", "rank": 1 })]);
    let run = High::runner().mock_mode(mode).model(model).run(Nothing::default()).await.unwrap();
    assert_eq!((shown(&run.outcome), run.usage.calls), ("Done".into(), 1));
}
