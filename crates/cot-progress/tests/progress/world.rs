//! Processes, and where displays write in tests.

use std::{
    io,
    sync::{Arc, Mutex},
};

use cot_core::{cot_process, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Words {
    #[schemars(length(min = 1))]
    pub text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Texts {
    pub topics: Vec<String>,
    pub texts: Vec<String>,
    pub is_good: bool,
}

cot_process! {
    /// One task.
    pub(crate) process Draft {
        state: Words,
        task write -> Words { prompt: "Write.", update: { text = output.text }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Items, and a person.
    pub(crate) process Chapters {
        state: Texts,

        task chapters -> Words {
            for_each: topic in state.topics,
            max_concurrency: 2,
            prompt: "Write about ${topic}.",
            update: { texts = output.into_iter().map(|words| words.text).collect() },
            next: release,
        }

        task release -> Words { ask: "May it go out?", update: { is_good = true }, next: done }
        task done { end }
    }
}

cot_process! {
    /// A sub-process.
    pub(crate) process Outer {
        state: Words,

        task inner {
            process: Draft with Words { text: state.text.clone() },
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    /// Branches.
    pub(crate) process Trip {
        state: { flight: Words, hotel: Words },
        parallel search [flight, hotel] => done {}
        task flight -> Words { prompt: "Find a flight.", update: flight, next: done }
        task hotel -> Words { prompt: "Find a hotel.", update: hotel, next: done }
        task done { end }
    }
}

/// A writer that keeps what is written.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns valid replies.
pub(crate) fn replies(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| serde_json::json!({ "text": text }).to_string()).collect()
}
