//! What open pages listen to.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use cot_store::RunId;
use tokio::sync::watch;

/// What a page shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// The runs of the store.
    Table,
    /// One run.
    Run(RunId),
}

/// The last news of a topic. A page that is slow misses older ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct News {
    /// How often the topic has changed.
    pub(crate) changes: u64,
    /// The texts of replies that are being streamed, as JSON, with their keys.
    pub(crate) drafts: Vec<(String, String)>,
    /// Why the store can't be read, if it can't.
    pub(crate) trouble: Option<String>,
}

/// The topics that pages listen to, each with its last news.
#[derive(Default)]
pub(crate) struct Topics(Mutex<HashMap<Topic, watch::Sender<News>>>);

impl Topics {
    /// Adds a page that listens. Returns whether it is the first one of all topics.
    pub(crate) fn listen(&self, topic: Topic) -> (watch::Receiver<News>, bool) {
        let mut topics = self.lock();
        let is_first = topics.is_empty();
        let sender = topics.entry(topic).or_insert_with(|| watch::channel(News::default()).0);
        (sender.subscribe(), is_first)
    }

    /// Removes the topics of pages that were closed, and returns the others.
    pub(crate) fn current(&self) -> Vec<Topic> {
        let mut topics = self.lock();
        topics.retain(|_, sender| sender.receiver_count() > 0);
        topics.keys().cloned().collect()
    }

    /// Changes the news of a topic, and wakes its pages if they are different then.
    pub(crate) fn publish(&self, topic: &Topic, change: impl FnOnce(&mut News)) {
        if let Some(sender) = self.lock().get(topic) {
            sender.send_if_modified(|news| {
                let before = news.clone();
                change(news);
                *news != before
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Topic, watch::Sender<News>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
