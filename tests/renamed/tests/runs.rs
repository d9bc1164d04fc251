//! Such processes run as all others do.

pub mod processes;

use cot::model::ScriptedModel;
use processes::{Reexported, ReexportedState, Renamed, RenamedOutcome, RenamedState};

#[tokio::test]
async fn a_renamed_dependency_is_found() {
    let model = ScriptedModel::new([
        r#"{ "intent": "begin", "goTo": "write", "stepAfter": "end" }"#,
        r#"{ "text": "Hear!" }"#,
        r#"{ "text": "Hear." }"#,
    ]);
    let run = Renamed::runner().model(model).run(RenamedState::new("rain".into())).await.unwrap();
    assert!(matches!(run.outcome, RenamedOutcome::Done));
    assert_eq!((run.state.notes.len(), run.usage.calls), (1, 3));
}

#[tokio::test]
async fn a_path_leads_through_another_crate() {
    let model = ScriptedModel::new([r#"{ "text": "rain" }"#, r#"{ "text": "On rain" }"#]);
    let run = Reexported::runner().model(model).run(ReexportedState::new("rain".into())).await;
    assert_eq!(run.unwrap().state.title.unwrap().text, "On rain");
}
