//! A process, its cases, and models that answer by what they read.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    LanguageModel, Usage,
    eval::{Case, Eval, score},
    model::{BoxFuture, ModelError, ModelErrorKind, ModelReply, ModelRequest},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A folder for mails.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Folder {
    name: String,
}

cot_process! {
    /// Sorts a mail.
    pub(crate) process Sorter {
        state: { input mail: String, folder: String },
        max_retries: 1,

        task sort -> Folder {
            prompt: "Name the folder for this mail: ${state.mail}",
            check: is_word,
            update: { folder = output.name },
            next: done,
        }

        task done { end }
    }
}

fn is_word(output: &Folder, _: &SorterState) -> Result<(), Issues> {
    match output.name.contains(' ') {
        true => Err(Issues::at("name", "one word")),
        false => Ok(()),
    }
}

/// A mail that belongs into a folder.
pub(crate) fn mail(name: &str, text: &str, folder: &str) -> Case<SorterState, String> {
    Case::new(name, SorterState::new(text.to_owned())).expect(folder.to_owned())
}

/// Three mails.
pub(crate) fn mails() -> Vec<Case<SorterState, String>> {
    vec![
        mail("invoice", "Invoice 7", "bills").tag("money"),
        mail("reminder", "Please pay", "bills").tag("money"),
        mail("hello", "How are you?", "friends"),
    ]
}

/// An eval of the folders.
pub(crate) fn folders(model: impl LanguageModel + 'static) -> Eval<Sorter, String> {
    Eval::new("folders", mails())
        .variant("small", Sorter::runner().model(model))
        .score("folder", |trial| {
            score::equal(&trial.state().folder.as_deref(), &Some(trial.expected().as_str()))
        })
}

/// A model that answers a prompt by the first of the texts in it, and counts its calls.
#[derive(Clone)]
pub(crate) struct Clerk {
    answers: Arc<Vec<(&'static str, &'static str)>>,
    pub(crate) calls: Arc<AtomicUsize>,
}

impl Clerk {
    pub(crate) fn new(answers: &[(&'static str, &'static str)]) -> Self {
        Self { answers: Arc::new(answers.to_vec()), calls: Arc::default() }
    }

    /// Puts every mail into `bills`.
    pub(crate) fn bills() -> Self {
        Self::new(&[("", r#"{"name":"bills"}"#)])
    }

    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

impl LanguageModel for Clerk {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let prompt = request.prompt();
        let known = self.answers.iter().find(|(text, _)| prompt.contains(text));
        let reply = match known {
            Some((_, answer)) => Ok(ModelReply::new(*answer).usage(Usage::for_call(10, 2))),
            None => Err(ModelError::new(ModelErrorKind::Other, "the clerk is out")),
        };
        Box::pin(async move { reply })
    }
}
