//! The processes of the tests, and a model that takes its time.

use std::{sync::Arc, time::Duration};

use cot_core::{
    Usage, cot_process,
    model::{BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Text {
    /// The text.
    #[schemars(length(min = 2))]
    pub text: String,
}

/// The answer of a person.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Answer {
    /// Who decides.
    #[schemars(length(min = 2, max = 40))]
    pub name: String,
    /// How many copies are sent.
    #[schemars(range(min = 1, max = 9))]
    pub copies: u32,
    /// Whether it is sent at all.
    pub send: bool,
}

/// A letter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Letter {
    /// To whom it goes.
    pub to: String,
    /// Its text.
    pub text: String,
    /// Who has released it.
    pub released_by: String,
}

cot_process! {
    /// Writes a letter, and asks a person whether to send it.
    pub process Letters {
        state: Letter,

        task write -> Text {
            title: "Write the letter",
            prompt: "Write a letter to ${state.to}.",
            update: { text = output.text },
            next: approve,
        }

        task approve -> Answer {
            title: "Ask whether to send it",
            ask: "Send this letter?\n${state.text}",
            update: { released_by = output.name.clone() },
            next: { sent if output.send, withdrawn },
        }

        task sent { end }
        task withdrawn { fail: "the letter was withdrawn" }
    }
}

cot_process! {
    /// Branches and items.
    pub process Trip {
        state: { input cities: Vec<String>, flight: Text, hotel: Text, notes: Vec<Text> = vec![] },
        history: none,
        parallel search [flight, hotel] => read {}
        task flight -> Text { prompt: "Find a flight.", update: flight, next: read }
        task hotel -> Text { prompt: "Find a hotel.", update: hotel, next: read }

        task read -> Text {
            for_each: city in state.cities,
            prompt: "What is there in ${city}?",
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

/// A model that writes a reply of words, slowly if asked to.
#[derive(Clone)]
pub struct Slow {
    reply: Arc<dyn Fn(&ModelRequest) -> String + Send + Sync>,
    pause: Duration,
}

impl Slow {
    /// Creates a model with the text of each reply, which pauses before each word.
    pub fn new(
        pause: Duration,
        reply: impl Fn(&ModelRequest) -> String + Send + Sync + 'static,
    ) -> Self {
        Self { reply: Arc::new(reply), pause }
    }

    fn finished(&self, text: String) -> ModelReply {
        let mut reply = ModelReply::new(text);
        reply.usage = Usage::for_call(1200, 60).cached(800, 0).cost(0.012);
        reply
    }
}

impl LanguageModel for Slow {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { Ok(self.finished((self.reply)(request))) })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            let text = (self.reply)(request);
            for word in text.split_inclusive(' ') {
                tokio::time::sleep(self.pause).await;
                sink.push(word);
            }
            Ok(self.finished(text))
        })
    }
}
