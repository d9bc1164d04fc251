//! Such processes run as all others do.

pub mod processes;

use cot_core::model::ScriptedModel;
use processes::{Ancestry, Declared, DeclaredState, Tree};

#[tokio::test]
async fn a_keyword_of_a_later_edition_is_a_name() {
    let model = ScriptedModel::new([r#"{ "gen": 2 }"#, r#"{ "gen": 3 }"#]);
    let run = Ancestry::runner().model(model).run(Tree::default()).await.unwrap();
    assert_eq!((run.state.gen, run.state.families.len()), (3, 2));
}

#[tokio::test]
async fn a_declared_state_may_have_it_too() {
    let model = ScriptedModel::new([r#"{ "gen": 2 }"#]);
    let run = Declared::runner().model(model).run(DeclaredState::new(3)).await.unwrap();
    assert_eq!(run.state.gen, 5);
}
