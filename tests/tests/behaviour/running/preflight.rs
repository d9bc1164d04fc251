//! What engines can't take is known before the first call.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    Models, PreflightError, RunError,
    model::{
        BoxFuture, Dialect, ModelError, ModelErrorKind, ModelReply, ModelRequest, ScriptedModel,
    },
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part with parts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Part {
    name: String,
    parts: Vec<Self>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Loose {
    value: serde_json::Value,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Shelf {
    parts: Vec<Part>,
    loose: Vec<Loose>,
}

cot_process! {
    pub(crate) process Inner {
        state: Shelf,

        task take -> Loose {
            prompt: "Take",
            model: "strict",
            update: { loose[] = output },
            next: end,
        }

        task end { end }
    }
}

cot_process! {
    pub(crate) process Outer {
        state: Shelf,

        task decide {
            prompt: "Which?",
            transitions: { build with model, end },
        }

        task build { inputs: Part, prompt: "Build ${inputs.name}", transitions: { inner } }
        task inner { process: Inner with Shelf::default(), next: each }

        task each -> Part {
            for_each: _item in state.parts.iter(),
            full_prompt: "each",
            update: { parts = output },
            next: end,
        }

        task end { end }
    }
}

/// A model of some dialect, which must not be asked.
struct Of(Dialect);

impl LanguageModel for Of {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Err(ModelError::new(ModelErrorKind::Other, "was asked")) })
    }

    fn dialect(&self) -> Dialect {
        self.0
    }
}

/// The tasks, engines and reasons that a preflight found.
fn found(error: &PreflightError) -> Vec<(&str, Option<&str>, String)> {
    let shown = |unfit: &cot_core::UnsupportedSchema| unfit.reasons[0].to_string();
    error.unfit.unfit.iter().map(|unfit| (unfit.task, unfit.engine, shown(unfit))).collect()
}

fn unfit(error: RunError) -> Vec<&'static str> {
    match error {
        RunError::UnsupportedSchemasError(error) => {
            error.unfit.iter().map(|unfit| unfit.task).collect()
        }
        error => panic!("{error}"),
    }
}

#[test]
fn a_preflight_names_task_engine_and_reason() {
    let models =
        Models::new().model(Of(Dialect::Anthropic)).engine("strict", Of(Dialect::OpenAiStrict));
    let error = Outer::preflight(&models).unwrap_err();
    let recursive = "`$.$defs.Part` refers to itself, and Anthropic takes no recursive schemas";
    let any = "`$.properties.value` may be any value, and OpenAI has to know its type";
    let expected = [
        ("decide", None, recursive.to_owned()),
        ("each", None, recursive.to_owned()),
        ("take", Some("strict"), any.to_owned()),
    ];
    assert_eq!(found(&error), expected);
    assert_eq!(error.missing, None);
    assert_eq!(
        error.to_string(),
        format!(
            "the default model does not support the schema of the reply of task `decide` of `Outer`: {recursive}; \
             the default model does not support the schema of the reply of task `each` of `Outer`: {recursive}; \
             engine `strict` does not support the schema of the reply of task `take` of `Inner`: {any}"
        )
    );
}

#[test]
fn what_is_missing_is_named_beside() {
    let error = Outer::preflight(&Models::new().model(Of(Dialect::Gemini))).unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("no model for engine `strict`, needed by `take`"), "{message}");
    assert!(message.contains("through required members"), "{message}");
    assert!(error.missing.is_some() && error.unfit.unfit.len() == 2);

    let models = Models::new().model(Of(Dialect::Vllm)).engine("strict", Of(Dialect::Plain));
    assert!(Outer::preflight(&models).is_ok());
}

#[tokio::test]
async fn a_runner_calls_no_model_that_can_not_take_what_it_is_asked() {
    let models =
        Models::new().model(Of(Dialect::Anthropic)).engine("strict", Of(Dialect::OpenAiStrict));
    let runner = Outer::runner().models(models);
    assert_eq!(unfit(runner.run(Shelf::default()).await.unwrap_err()), ["decide", "each", "take"]);
    let go = r#"{ "intent": "", "goTo": "end", "stepAfter": "" }"#;
    let models = Models::new().model(ScriptedModel::new([go])).engine("strict", Of(Dialect::Plain));
    let run = Outer::runner().models(models).run(Shelf::default()).await.unwrap();
    assert_eq!(run.outcome, OuterOutcome::End);
}

/// A process of the same name and shape as another, with another engine.
macro_rules! steps {
    ($module:ident, $engine:literal) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(super) process Step {
                    state: Shelf,
                    task take -> Loose { prompt: "Take", model: $engine, update: { loose[] = output }, next: end }
                    task end { end }
                }
            }
        }
    };
}

steps!(first, "one");
steps!(second, "two");

cot_process! {
    process Both {
        state: Shelf,
        task one { process: first::Step with Shelf::default(), next: two }
        task two { process: second::Step with Shelf::default(), next: end }
        task end { end }
    }
}

#[test]
fn processes_of_one_name_are_told_apart() {
    let models = Models::new().engine("one", Of(Dialect::Plain));
    let error = Both::preflight(&models).unwrap_err();
    assert!(error.to_string().starts_with("no model for engine `two`"), "{error}");
}

cot_process! {
    process Workshop {
        state: Shelf,
        tools: { assemble: assemble "Assembles a part" },

        task make -> Part {
            prompt: "Make",
            tools: [assemble],
            update: { parts[] = output },
            next: end,
        }

        task end { end }
    }
}

async fn assemble(part: &Part) -> Result<String, String> {
    Ok(part.name.clone())
}

/// A model that takes any schema for replies, but not for tools. Counts how often it is asked for its dialect.
#[derive(Default)]
struct Particular(AtomicUsize);

impl LanguageModel for Particular {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Ok(r#"{ "name": "wheel", "parts": [] }"#.into()) })
    }

    fn dialect(&self) -> Dialect {
        self.0.fetch_add(1, Ordering::Relaxed);
        Dialect::Plain
    }

    fn calls_tools(&self) -> bool {
        true
    }

    fn tool_dialect(&self) -> Dialect {
        Dialect::Anthropic
    }
}

#[test]
fn the_schemas_of_tools_are_checked_where_replies_take_any() {
    let error = Workshop::preflight(&Models::new().model(Particular::default())).unwrap_err();
    let [unfit] = &error.unfit.unfit[..] else { panic!("{error}") };
    assert_eq!((unfit.task, unfit.tool), ("make", Some("assemble")));
}

cot_process! {
    process Plant {
        state: Shelf,
        task make -> Part { prompt: "Make", update: { parts[] = output }, next: end }
        task end { end }
    }
}

#[tokio::test]
async fn runners_with_other_limits_check_their_models_once() {
    let model = Arc::new(Particular::default());
    let runner = Plant::runner().model(Arc::clone(&model));
    runner.run(Shelf::default()).await.unwrap();
    let checked = model.0.load(Ordering::Relaxed);
    for steps in 2..5 {
        let runner = runner.clone().goal("parts").max_steps(steps);
        assert_eq!(runner.run(Shelf::default()).await.unwrap().state.parts.len(), 1);
    }
    assert_eq!(model.0.load(Ordering::Relaxed), checked);

    // Another model is checked.
    let other = runner.clone().model(Of(Dialect::Anthropic));
    assert_eq!(unfit(other.run(Shelf::default()).await.unwrap_err()), ["make"]);
    assert_eq!(runner.run(Shelf::default()).await.unwrap().outcome, PlantOutcome::End);
}
