//! Missing models of a runner.

use cot_core::{RunError, Runner};

use crate::runner::{
    models::Told,
    process::{Crew, House, Page, Straight},
};

#[tokio::test]
async fn all_missing_models_are_told_at_once_before_any_call() {
    let model = Told::well();
    let runner = Runner::<Crew>::new().engine("larg", model.clone());
    let error = runner.run(Page::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no model for engine `large`, needed by `first`, `third` (did you mean `larg`?); \
         no default model, needed by `second`; registered: `larg`"
    );
    assert_eq!(model.calls(), 0);
    let RunError::MissingModelsError(missing) = error else { panic!("{error}") };
    assert_eq!(missing.missing.len(), 2);
}

#[test]
fn starting_tells_it_too() {
    let error = Runner::<Straight>::new().start(Page::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no default model, needed by `first`, `second`, `third`; no engine id is registered"
    );
}

#[tokio::test]
async fn the_process_names_an_engine_for_all_tasks() {
    let runner = Runner::<House>::new().model(Told::well());
    let error = runner.run(Page::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no model for engine `small`, needed by `second`, `third`; \
         no model for engine `large`, needed by `first`; no engine id is registered"
    );
}

#[tokio::test]
async fn each_task_asks_its_own_engine() {
    let (small, large) = (Told::well(), Told::well());
    let runner =
        Runner::<House>::new().engine("small", small.clone()).engine("large", large.clone());
    runner.run(Page::default()).await.unwrap();
    assert_eq!((small.calls(), large.calls()), (2, 1));
}

#[test]
fn errors_can_be_sent() {
    fn sendable<T: std::error::Error + Send + Sync + 'static>() {}
    sendable::<RunError>();
}
