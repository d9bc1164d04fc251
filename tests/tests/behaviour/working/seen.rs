//! The events of workers, as tests look at them.

use std::sync::{Arc, Mutex};

use cot_core::{WorkerEvent, store::RunId};

/// The events of a worker: a word for each, and its run.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<SeenEvent>>>);

/// A word, the run, and the line that the event displays as.
type SeenEvent = (&'static str, Option<RunId>, String);

impl Seen {
    pub(crate) fn listen(&self) -> impl Fn(&WorkerEvent) + Send + Sync + 'static {
        let seen = Arc::clone(&self.0);
        move |event| {
            let (word, run) = match event {
                WorkerEvent::Claimed { run, .. } => ("claimed", Some(run)),
                WorkerEvent::Parked { run } => ("parked", Some(run)),
                WorkerEvent::Ended { run, .. } => ("ended", Some(run)),
                WorkerEvent::Released { run } => ("released", Some(run)),
                WorkerEvent::Failed { run, .. } => ("failed", Some(run)),
                WorkerEvent::SetAside { run, .. } => ("set aside", Some(run)),
                WorkerEvent::Incompatible { run, .. } => ("incompatible", Some(run)),
                WorkerEvent::StoreFailed { run, .. } => ("store failed", run.as_ref()),
                _ => ("unknown", None),
            };
            seen.lock().unwrap().push((word, run.cloned(), event.to_string()));
        }
    }

    /// The runs with events of this word, sorted.
    pub(crate) fn runs(&self, word: &str) -> Vec<String> {
        let seen = self.0.lock().unwrap();
        let runs = seen.iter().filter(|(what, ..)| *what == word);
        let mut runs: Vec<String> = runs
            .map(|(_, run, _)| run.as_ref().map_or_else(String::new, ToString::to_string))
            .collect();
        runs.sort();
        runs
    }

    /// The events of this word as texts.
    pub(crate) fn texts(&self, word: &str) -> Vec<String> {
        let seen = self.0.lock().unwrap();
        seen.iter().filter(|(what, ..)| *what == word).map(|(.., text)| text.clone()).collect()
    }
}
